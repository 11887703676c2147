internal import Journal
internal import Machines
internal import Media
internal import Synchronization

/// What one dial delivers, on its own thread: frames into the ring, facts to the machine.
final class DialSink: InputSink {
    struct State {
        var hasVideo = true
        var isDialed = false
        var isStreaming = false
        /// It has been hung up: what still comes is nobody's.
        var isHungUp = false
        var lastPacket: Instant?
        /// Arrival of the last boundary of a dial without video, where every frame could open a clip.
        var lastBoundary: Instant?
    }

    /// How far apart fragments begin where there is no video, in milliseconds.
    private static let audioFragmentMs: Int64 = 2_000

    private let number: DialNumber
    private let endpoint: Endpoint
    private let shell: CameraShell
    private let state = Mutex(State())

    init(number: DialNumber, endpoint: Endpoint, shell: CameraShell) {
        self.number = number
        self.endpoint = endpoint
        self.shell = shell
    }

    /// When the latest frame arrived.
    var lastPacket: Instant? { state.withLock { $0.lastPacket } }

    /// Takes nothing more. What a camera sends after it was hung up must not get into the ring: the next dial may fill it.
    func hangUp() { state.withLock { $0.isHungUp = true } }

    func dialed(_ streams: [StreamDescription]) {
        let used = streams.filter { $0.ignored == nil }
        let hasVideo = used.contains { $0.kind == .video }
        let isWanted = state.withLock { state in
            state.hasVideo = hasVideo
            state.isDialed = true
            return !state.isHungUp
        }
        guard isWanted else { return }
        shell.ring.beginDial(hasVideo: hasVideo)
        shell.detector.dialed()
        shell.journal.send(
            .linkDialed, camera: shell.camera,
            fields: [(.codec, used.map(\.sourceCodec).joined(separator: " + "))])
        for stream in streams {
            guard let why = stream.ignored else { continue }
            shell.journal.send(
                .streamIgnoredTrack, camera: shell.camera, fields: [(.codec, stream.sourceCodec), (.why, why)])
        }
        shell.inbox.tell(.dialed(number))
    }

    func frame(_ frame: Frame) {
        let found: (opens: Bool, isFirst: Bool)? = state.withLock { state in
            guard !state.isHungUp else { return nil }
            state.lastPacket = frame.arrival
            let opens = state.boundary(at: frame, audioMs: Self.audioFragmentMs)
            guard opens, !state.isStreaming else { return (opens, false) }
            state.isStreaming = true
            return (opens, true)
        }
        guard let (opens, isFirst) = found else { return }
        switch shell.ring.push(frame) {
        case .stored(let position): shell.recorder.arrived(frame, at: position, opensClip: opens)
        case .cut(let position):
            shell.journal.send(
                .ringOverrun, camera: shell.camera,
                fields: [(.why, "one group of pictures is larger than the ring"), (.count, "1")])
            shell.recorder.arrived(frame, at: position, opensClip: opens)
        case .refused: break
        }
        if isFirst { shell.inbox.tell(.keyframe(number)) }
        shell.detector.frame(frame, endpoint)
    }

    func moved(level: Sensitivity, at instant: Instant) {
        shell.inbox.tell(.detected(level: level, zones: .anywhere))
    }

    func repaired(_ report: RepairReport) {
        shell.journal.send(
            .timestampsRepaired, camera: shell.camera,
            fields: [
                (.why, report.kind.rawValue), (.count, "\(report.count)"), (.track, "\(report.track)"),
                (.durationMs, "\(report.last - report.first)"), (.stepMs, "\(report.largestShiftMs)"),
            ])
    }

    func ended(_ end: InputEnd, counts: InputCounts) {
        let isDialed = state.withLock { $0.isDialed }
        shell.ended(number)
        switch end {
        case .stopped: shell.inbox.tell(.hungUp(number))
        case .failed(let failure, let detail):
            // The cause is told in words of its own; the detail only where it knows more.
            shell.journal.send(
                isDialed ? .linkLost : .linkFailed, camera: shell.camera,
                fields: [(.why, failure.rawValue)] + (failure == .closed ? [] : [(.detail, detail)]))
            shell.inbox.tell(isDialed ? .lost(number, failure) : .dialFailed(number, failure))
        }
    }
}

extension DialSink.State {
    /// Whether a fragment begins with `frame`.
    mutating func boundary(at frame: Frame, audioMs: Int64) -> Bool {
        if hasVideo { return frame.kind == .video && frame.opensClip }
        if let last = lastBoundary, frame.arrival - last < audioMs { return false }
        lastBoundary = frame.arrival
        return true
    }
}
