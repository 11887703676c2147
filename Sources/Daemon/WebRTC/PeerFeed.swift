internal import Journal
internal import Machines
internal import Media
internal import Synchronization
internal import WebRTC

/// Brings what a camera sends to one viewer of WebRTC. A frame is given on when the one before has gone; what waits meanwhile
/// stays in the viewer's bounded queue.
final class PeerFeed: Sendable {
    /// Sound that is older than this is not sent, in milliseconds: a picture of the past is caught up with, sound is not.
    private static let soundMsMax: Int64 = 300

    /// Shows the viewer another stream, and says why; false where that is not to be, or it is shown already.
    typealias Carry = @Sendable (StreamName, String) async -> Bool

    private let viewer: StreamViewer
    private let peer: Peer
    private let events: AsyncStream<PeerEvent>
    private let reports: AsyncStream<NetworkReport>
    private let carry: Carry?
    private let forms: Set<VideoForm>
    private let sound: SentMedia.Sound?
    private let clock: any Clocks
    private let isConnected = Mutex(false)

    /// A feed of what `viewer` gets to `peer`, of whom `events` tells, with sound in this form. By what `reports` tell of the
    /// network the main stream or the sub-stream is shown, where there is `carry`.
    init(
        _ viewer: StreamViewer, _ opened: PeerHost.Opened, sound: SentMedia.Sound?, _ events: AsyncStream<PeerEvent>,
        _ reports: AsyncStream<NetworkReport>, clock: any Clocks, carry: Carry?
    ) {
        (self.viewer, peer, forms, self.sound) = (viewer, opened.peer, opened.forms, sound)
        (self.events, self.reports, self.clock, self.carry) = (events, reports, clock, carry)
    }

    /// Ends it.
    func leave() { viewer.leave() }

    /// Sends what comes until the camera's picture ends, or the viewer does.
    func run() async {
        let following = Task {
            for await event in events { follow(event) }
            viewer.leave()
        }
        let judging = Task { await follow(reports) }
        var pace = Pace(sound)
        for await item in viewer {
            switch item {
            case .began(let dial): pace.begin(dial)
            case .frame(let frame):
                // Until packets can be sent nothing waits; then the group of pictures under way comes again.
                guard isConnected.withLock({ $0 }) else { continue }
                let form = frame.sentForm
                guard frame.kind == .audio || form.map(forms.contains) ?? false else {
                    // Where that is the sub-stream, the main stream is shown again, and stays.
                    judging.cancel()
                    if await carry?(.main, "its pictures cannot be sent by WebRTC") != true { viewer.leave() }
                    continue
                }
                guard let next = next(frame, form, &pace) else { continue }
                if await !peer.send(next) { viewer.leave() }
            case .skipped, .lost, .ended: break
            }
        }
        following.cancel()
        judging.cancel()
        peer.close()
    }

    private func follow(_ event: PeerEvent) {
        switch event {
        case .connected:
            isConnected.withLock { $0 = true }
            restart()
        case .pictureWanted: restart()
        case .ended: viewer.leave()
        case .network: break
        }
    }

    /// Shows the stream that the network carries.
    private func follow(_ reports: AsyncStream<NetworkReport>) async {
        guard let carry else { return }
        var judge = NetworkJudge(at: clock.now())
        for await report in reports {
            guard let (stream, why) = judge.take(report, at: clock.now()) else { continue }
            let isMoved = await carry(stream, why)
            if isMoved { judge.moved(to: stream, at: clock.now()) } else { judge.stayed(at: clock.now()) }
        }
    }

    /// Where the picture is hidden meanwhile, its viewer has ended.
    private func restart() { try? viewer.restart() }

    /// A frame as it is sent, a picture in its form; nil where it is not.
    private func next(_ frame: Frame, _ form: VideoForm?, _ pace: inout Pace) -> OutgoingFrame? {
        let parameters = frame.configuration.parameters
        let nowMs = clock.now().ms
        let wallMs = pace.wallMs(frame, clock)
        guard let form else {
            guard let sound, SentMedia.Sound(parameters) == sound, nowMs - frame.arrival.ms <= Self.soundMsMax,
                pace.isNewSound(frame)
            else { return nil }
            let ticks = frame.ticks(ofRate: Int64(sound.clockRate))
            let time = pace.sound.stamp(ticks: ticks, arrivalMs: frame.arrival.ms, nowMs: nowMs)
            return OutgoingFrame(
                .sound, stamp: time.stamp, wallMs: time.isTrue ? wallMs : nil, bytes: CameraFrame(frame: frame))
        }
        let time = pace.video.stamp(ticks: frame.pts, arrivalMs: frame.arrival.ms, nowMs: nowMs)
        return OutgoingFrame(
            .video(form, isKey: frame.isKey, parameterSets: parameters.parameterSets), stamp: time.stamp,
            wallMs: time.isTrue ? wallMs : nil, bytes: CameraFrame(frame: frame))
    }
}

/// A frame of a camera, as packets are made of it.
private struct CameraFrame: FrameBytes {
    let frame: Frame

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try frame.withBytes(body)
    }
}

/// The times of what one viewer is sent.
private struct Pace {
    var video = MediaClock(rate: 90_000, start: .random(in: .min ... .max))
    var sound: MediaClock
    private var dial: StreamDial?
    /// The wall time of time 0 of the dial, in milliseconds since 1970: one for all tracks, so that they are heard and seen
    /// together.
    private var zeroWallMs: Int64?
    private var lastSound: Int64?

    init(_ sound: SentMedia.Sound?) {
        self.sound = MediaClock(rate: sound?.clockRate ?? 8_000, start: .random(in: .min ... .max))
    }

    mutating func begin(_ dial: StreamDial) {
        // The same one again is the group of pictures that was sent already.
        guard self.dial.map({ !$0.isSame(dial) }) ?? true else { return video.catchUp() }
        self.dial = dial
        (zeroWallMs, lastSound) = (nil, nil)
        video.begin()
        sound.begin()
    }

    /// The wall time of a frame's presentation.
    mutating func wallMs(_ frame: Frame, _ clock: any Clocks) -> Int64 {
        let ms = frame.ticks(ofRate: 1_000)
        let zero = zeroWallMs ?? clock.wall(frame.arrival) &- ms
        zeroWallMs = zero
        return zero &+ ms
    }

    /// Whether a frame of sound was not sent yet.
    mutating func isNewSound(_ frame: Frame) -> Bool {
        guard lastSound.map({ frame.pts > $0 }) ?? true else { return false }
        lastSound = frame.pts
        return true
    }
}

extension Frame {
    /// Its presentation in ticks of so many a second.
    fileprivate func ticks(ofRate rate: Int64) -> Int64 {
        let scale = Int64(max(1, configuration.parameters.timescale))
        let ticks = max(-(1 << 42), min(1 << 42, pts))
        return ticks / scale * rate + ticks % scale * rate / scale
    }
}
