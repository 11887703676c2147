internal import Journal
internal import Machines
internal import Media
internal import Synchronization

/// The recording's share of a stream: what clips can hold goes into the ring, and the recorder is told where fragments end.
final class RingFeed: StreamConsumer {
    fileprivate struct State {
        var hasVideo = true
        /// Arrival of the last boundary of a dial without video, where every frame could open a clip.
        var lastBoundary: Instant?
    }

    /// How far apart fragments begin where there is no video, in milliseconds.
    private static let audioFragmentMs: Int64 = 2_000

    private let camera: String
    private let ring: PacketRing
    private let recorder: ClipRecorder
    private let tap: RingTap
    private let journal: Journal
    private let state = Mutex(State())

    init(camera: String, ring: PacketRing, recorder: ClipRecorder, tap: RingTap, journal: Journal) {
        self.tap = tap
        self.camera = camera
        self.ring = ring
        self.recorder = recorder
        self.journal = journal
    }

    func began(_ dial: StreamDial) {
        state.withLock { $0 = State(hasVideo: dial.hasVideo) }
        ring.beginDial(hasVideo: dial.hasVideo)
        tap.began()
    }

    func frame(_ frame: Frame) {
        guard frame.isStored else { return }
        let opens = state.withLock { $0.boundary(at: frame, audioMs: Self.audioFragmentMs) }
        switch ring.push(frame) {
        case .stored(let position):
            recorder.arrived(frame, at: position, opensClip: opens)
            tap.arrived(frame)
        case .cut(let position):
            journal.send(
                .ringOverrun, camera: camera,
                fields: [(.why, "one group of pictures is larger than the ring"), (.count, "1")])
            recorder.arrived(frame, at: position, opensClip: opens)
        case .refused: break
        }
    }

    /// What the ring holds of the dial is recorded all the same.
    func lost() { tap.lost() }
}

extension RingFeed.State {
    /// Whether a fragment begins with `frame`.
    fileprivate mutating func boundary(at frame: Frame, audioMs: Int64) -> Bool {
        if hasVideo { return frame.kind == .video && frame.opensClip }
        if let last = lastBoundary, frame.arrival - last < audioMs { return false }
        lastBoundary = frame.arrival
        return true
    }
}

extension Frame {
    /// Whether clips can hold it.
    var isStored: Bool { configuration.coded != nil }
}
