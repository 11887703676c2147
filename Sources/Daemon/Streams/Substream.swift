internal import Journal
internal import Machines
internal import Media
internal import Synchronization

/// The sub-stream of one camera: one connection for its detector and its viewers.
///
/// It is no link of the machine: it is dialled while the main stream delivers and somebody wants it, and closed with it.
/// After a failure it is dialled again at a key frame of the main stream, later each time.
final class Substream: Sendable {
    /// What was configured.
    struct Settings: Hashable, Sendable {
        /// Its address by the way to the camera.
        var sources: [Endpoint: InputSource] = [:]
        /// Why an address cannot be dialled.
        var problems: [Endpoint: String] = [:]
        /// How its pictures are turned.
        var rotation = PictureRotation.none
        /// Whether the camera's microphone is off.
        var isMuted = false
    }

    /// Where it stands, for who chooses between the streams.
    enum Phase: Hashable {
        case off
        /// It is being dialled, or sends no key frame yet.
        case opening(since: Instant)
        case streaming
    }

    /// What is to be seen of it from outside.
    struct View: Sendable {
        /// `waiting` while it is wanted and the next dial has to wait.
        var link: Link.Phase
        var endpoint: Endpoint?
        /// Why it cannot be had.
        var failure: String?
        /// When it is dialled again at the earliest.
        var retryAt: Instant?
        var viewers: Int
    }

    /// A dial that is open.
    private struct Open {
        let number: UInt64
        let dial: any Dial
        let endpoint: Endpoint
        let since: Instant
        var isDialed = false
        var hasVideo = true
        var isStreaming = false
    }

    private struct State {
        /// Until when its sound was silence; nil: it was not.
        var mutedUntil: Instant?
        var settings: Settings
        /// Whether the detector looks at it.
        var isWatched = false
        /// The way by which the main stream delivers; nil while it does not.
        var main: Endpoint?
        var open: Open?
        /// The dial that was stopped last and has not ended. Nothing is dialled before it has.
        var closing: (number: UInt64, since: Instant, isTold: Bool)?
        var dials: UInt64 = 0
        var failures = 0
        var retryAt: Instant?
        var failure: String?
    }

    /// The first and the longest wait before it is dialled again, in milliseconds.
    private static let retryMs: (first: Int64, longest: Int64) = (5_000, 300_000)
    /// After so many failures the wait is the longest.
    private static let failuresLong = 6

    /// What it delivers.
    let stream = CameraStream()
    private let camera: String
    private let dials: OpenDials
    private let host: any Host
    private let journal: Journal
    private let state: Mutex<State>

    init(camera: String, settings: Settings, dials: OpenDials, host: any Host, journal: Journal) {
        self.camera = camera
        self.dials = dials
        self.host = host
        self.journal = journal
        state = Mutex(State(settings: settings))
    }

    /// Whether the camera has one.
    var isConfigured: Bool { state.withLock { $0.settings != Settings() } }

    /// Where it stands.
    var phase: Phase {
        state.withLock { state in
            guard let open = state.open else { return .off }
            return open.isStreaming ? .streaming : .opening(since: open.since)
        }
    }

    /// What is to be seen of it; nil where the camera has none.
    var view: View? {
        let viewers = stream.viewers
        return state.withLock { state in
            guard state.settings != Settings() else { return nil }
            var view = View(link: .off, failure: state.failure, viewers: viewers)
            if let open = state.open {
                view.endpoint = open.endpoint
                view.link = open.isStreaming ? .streaming : open.isDialed ? .synchronizing : .dialing
            } else if state.main != nil, state.isWatched || viewers > 0, let retryAt = state.retryAt {
                view.link = .waiting
                view.retryAt = retryAt
            }
            return view
        }
    }

    // MARK: Who wants it

    /// Takes other settings; it is dialled anew, and its viewers end where it is configured no more.
    func change(_ settings: Settings) {
        let closed = state.withLock { state -> Open? in
            guard settings != state.settings else { return nil }
            if state.settings.isMuted, !settings.isMuted { state.mutedUntil = host.clock.now() }
            state.settings = settings
            (state.failures, state.retryAt, state.failure) = (0, nil, nil)
            return close(&state)
        }
        tell(closed, "its settings have changed")
        if settings == Settings() { stream.endViewers(.removed) }
        settle()
    }

    /// Turns its pictures from the next key frame on, and makes silence of its sound from `now` on where `isMuted`.
    func turn(_ rotation: PictureRotation, isMuted: Bool, at now: Instant) {
        state.withLock { state in
            guard state.settings != Settings() else { return }
            if state.settings.isMuted, !isMuted { state.mutedUntil = now }
            state.settings.rotation = rotation
            state.settings.isMuted = isMuted
        }
    }

    /// How its pictures are turned.
    fileprivate var rotation: PictureRotation { state.withLock { $0.settings.rotation } }

    /// Until when its sound was silence; nil: it was not.
    fileprivate var mutedUntil: Instant? { state.withLock { $0.mutedUntil } }

    /// Whether its sound is silence.
    fileprivate var isMuted: Bool { state.withLock { $0.settings.isMuted } }

    /// Notes whether the detector looks at it; `settle` acts on it.
    func watched(_ isWatched: Bool) { state.withLock { $0.isWatched = isWatched } }

    /// The main stream delivers by `endpoint`: told at each of its key frames.
    func mainStreams(_ endpoint: Endpoint, at now: Instant) {
        state.withLock { $0.main = endpoint }
        settle(at: now)
    }

    /// The main stream is over.
    func mainLost() {
        state.withLock { $0.main = nil }
        settle()
    }

    /// Dials or closes as it is wanted now. Never blocks.
    func settle() { settle(at: host.clock.now()) }

    private func settle(at now: Instant) {
        let (opened, closed, why) = state.withLock { state -> ((any Dial)?, Open?, String) in
            guard let endpoint = state.main else { return (nil, close(&state), "the main stream is over") }
            guard state.isWatched || stream.viewers > 0 else { return (nil, close(&state), "nobody looks at it") }
            return (open(&state, endpoint, at: now), nil, "")
        }
        tell(closed, why)
        // Not under the lock: where no thread can be had it ends at once.
        opened?.start()
    }

    /// Makes a dial where one is due.
    private func open(_ state: inout State, _ endpoint: Endpoint, at now: Instant) -> (any Dial)? {
        guard state.open == nil, state.settings != Settings(), state.retryAt.map({ $0 <= now }) ?? true else {
            return nil
        }
        guard state.closing == nil else {
            tellOverdue(&state, at: now)
            return nil
        }
        guard let source = state.settings.sources[endpoint] else {
            failed(&state, state.settings.problems[endpoint] ?? "no address is configured for this endpoint", at: now)
            return nil
        }
        guard dials.take(camera, .sub, at: now) == nil else {
            failed(&state, "the connection before has not ended", at: now)
            return nil
        }
        state.dials += 1
        let dial = host.dial(camera, source, to: SubstreamDial(self, number: state.dials))
        state.open = Open(number: state.dials, dial: dial, endpoint: endpoint, since: now)
        return dial
    }

    /// Lets go of the dial that is open; it is stopped and told by `tell`.
    private func close(_ state: inout State) -> Open? {
        guard let open = state.open else { return nil }
        state.open = nil
        state.closing = (open.number, host.clock.now(), false)
        dials.stopped(camera, .sub, at: host.clock.now())
        return open
    }

    /// Tells once that a dial does not end.
    private func tellOverdue(_ state: inout State, at now: Instant) {
        guard let closing = state.closing, !closing.isTold, now - closing.since >= OpenDials.hangUpMs else { return }
        state.closing?.isTold = true
        journal.send(
            .obligationOverdue, camera: camera,
            fields: [(.obligation, "hang-up of the sub-stream"), (.durationMs, "\(OpenDials.hangUpMs)")])
    }

    private func tell(_ closed: Open?, _ why: String) {
        guard let closed else { return }
        closed.dial.stop()
        stream.lost()
        if closed.isStreaming { journal.send(.substreamClosed, camera: camera, fields: [(.why, why)]) }
    }

    // MARK: What the dial says

    fileprivate func dialed(_ streams: [StreamDescription], _ number: UInt64) {
        let isCurrent = state.withLock { state in
            guard state.open?.number == number else { return false }
            state.open?.isDialed = true
            state.open?.hasVideo = streams.contains { $0.kind == .video && $0.ignored == nil }
            return true
        }
        if isCurrent { stream.began(streams) }
    }

    fileprivate func frame(_ frame: Frame, _ number: UInt64) {
        let (isCurrent, isFirst, wasLost) = state.withLock { state -> (Bool, Bool, Bool) in
            guard let open = state.open, open.number == number else { return (false, false, false) }
            guard !open.isStreaming, !open.hasVideo || frame.kind == .video && frame.opensClip else {
                return (true, false, false)
            }
            state.open?.isStreaming = true
            defer { (state.failures, state.retryAt, state.failure) = (0, nil, nil) }
            return (true, true, state.failure != nil)
        }
        guard isCurrent else { return }
        if isFirst {
            journal.send(
                wasLost ? .substreamBack : .substreamStreaming, camera: camera,
                fields: [(.codec, frame.configuration.words)])
            if let need = frame.configuration.coded.flatMap(DecoderNeed.init), !need.isAllowed {
                journal.send(.pictureTooLarge, camera: camera, fields: [(.detail, "the sub-stream's \(need)")])
            }
        }
        stream.frame(frame)
    }

    fileprivate func ended(_ end: InputEnd, _ number: UInt64) {
        let now = host.clock.now()
        let wasOpen = state.withLock { state in
            dials.ended(camera, .sub)
            if state.closing?.number == number { state.closing = nil }
            guard state.open?.number == number else { return false }
            state.open = nil
            if case .failed(let failure, let detail) = end {
                // What has passed its budget waits for the longest.
                if failure == .budget { state.failures = max(state.failures, Self.failuresLong) }
                failed(&state, "\(failure.rawValue): \(detail)", at: now)
            }
            return true
        }
        // Who wanted it while the dial before was being stopped gets it now.
        if wasOpen { stream.lost() } else { settle() }
    }

    /// Told once, until it is back.
    private func failed(_ state: inout State, _ why: String, at now: Instant) {
        let wait = min(Self.retryMs.first << Int64(min(state.failures, Self.failuresLong)), Self.retryMs.longest)
        state.failures += 1
        state.retryAt = now + wait
        if state.failure == nil {
            journal.send(.substreamLost, camera: camera, fields: [(.why, why), (.retryMs, "\(wait)")])
        }
        state.failure = why
    }
}

/// What one dial of a sub-stream says, with its number.
private final class SubstreamDial: InputSink {
    private let substream: Substream
    private let number: UInt64

    init(_ substream: Substream, number: UInt64) {
        self.substream = substream
        self.number = number
    }

    /// Nobody records it.
    var wantsStoredSound: Bool { substream.stream.wantsStoredSound }

    var wantsPromptFrames: Bool { substream.stream.viewers > 0 || substream.stream.shownSince == nil }

    var rotation: PictureRotation { substream.rotation }
    var isMuted: Bool { substream.isMuted }
    var mutedUntil: Instant? { substream.mutedUntil }
    func allowedSince(_ kind: TrackKind) -> [Instant] { substream.stream.shownSince.map { [$0] } ?? [] }

    func dialed(_ streams: [StreamDescription]) { substream.dialed(streams, number) }
    func frame(_ frame: Frame) { substream.frame(frame, number) }
    func repaired(_ report: RepairReport) {}
    func ended(_ end: InputEnd, counts: InputCounts) { substream.ended(end, number) }
}
