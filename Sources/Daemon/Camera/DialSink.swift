internal import Journal
internal import Machines
internal import Media
internal import Synchronization

/// What one dial of the main stream delivers, on its own thread: frames into the stream, facts to the machine.
final class DialSink: InputSink {
    fileprivate struct State {
        var hasVideo = true
        var isDialed = false
        var isStreaming = false
        /// It has been hung up: what still comes is nobody's.
        var isHungUp = false
        var lastPacket: Instant?
    }

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
        shell.streams.main.began(streams)
        let sent = used.filter { $0.madeFrom == nil }
        shell.journal.send(
            .linkDialed, camera: shell.camera,
            fields: [(.codec, sent.map(\.sourceCodec).joined(separator: " + "))])
        for stream in streams {
            guard let why = stream.ignored else { continue }
            shell.journal.send(
                .streamIgnoredTrack, camera: shell.camera, fields: [(.codec, stream.sourceCodec), (.why, why)])
        }
        shell.inbox.tell(.dialed(number))
    }

    /// While the ring keeps media it is recorded.
    var wantsStoredSound: Bool { shell.ring.isKeeping || shell.streams.main.wantsStoredSound }

    func frame(_ frame: Frame) {
        let isFirst: Bool? = state.withLock { state in
            guard !state.isHungUp else { return nil }
            state.lastPacket = frame.arrival
            guard !state.isStreaming, state.begins(with: frame, isKeeping: shell.ring.isKeeping) else { return false }
            state.isStreaming = true
            return true
        }
        guard let isFirst else { return }
        if frame.isDamaged { shell.damagedFrames.add(1, ordering: .relaxed) }
        shell.streams.main.frame(frame)
        if isFirst { shell.inbox.tell(.keyframe(number)) }
        if frame.kind == .video, frame.isKey { shell.streams.substream.mainStreams(endpoint, at: frame.arrival) }
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

    func damaged(_ report: DamageReport) {
        shell.journal.send(
            .framesDamaged, camera: shell.camera,
            fields: [
                (.damagedFrames, "\(report.frames)"), (.count, "\(report.lostPackets)"),
                (.durationMs, "\(report.last - report.first)"),
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
    /// Whether media that can be used begins with `frame`: where there is no video and recording waits for it, with the first
    /// frame that clips can hold.
    fileprivate func begins(with frame: Frame, isKeeping: @autoclosure () -> Bool) -> Bool {
        hasVideo ? frame.kind == .video && frame.opensClip : frame.isStored || !isKeeping()
    }
}
