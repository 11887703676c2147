internal import Journal
internal import Machines
internal import Media
internal import Synchronization

/// What one dial of the main stream delivers, on its own thread: frames into the stream, facts to the machine.
final class DialSink: InputSink {
    /// Whether a key frame has come that a clip can begin with.
    fileprivate enum KeyFrame {
        /// None has come by this dial.
        case awaited
        /// One has come, and was told.
        case here
        /// One had come, and another is needed.
        case awaitedAnew
    }

    fileprivate struct State {
        var hasVideo = true
        var isDialed = false
        var keyFrame = KeyFrame.awaited
        /// It has been hung up: what still comes is nobody's.
        var isHungUp = false
        /// The bound that the camera has passed, beyond what its input measures.
        var excess: String?
        /// What its video is coded as.
        var video: TrackConfiguration?
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

    /// Nothing has come that a clip could begin with: the next key frame is told as the first one.
    func synchronizeAnew() { state.withLock { if $0.keyFrame == .here { $0.keyFrame = .awaitedAnew } } }

    /// Takes nothing more, because the camera has passed a bound.
    func exceed(_ bound: String) { state.withLock { if $0.excess == nil { $0.excess = bound } } }

    func dialed(_ streams: [StreamDescription]) {
        let used = streams.filter { $0.ignored == nil }
        let hasVideo = used.contains { $0.kind == .video }
        let isWanted = state.withLock { state in
            state.hasVideo = hasVideo
            state.isDialed = true
            return !state.isHungUp && state.excess == nil
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

    /// While something is private it is read often, too: what was sent before privacy ends is not to come after.
    var wantsPromptFrames: Bool {
        shell.streams.main.viewers > 0 || shell.streams.main.shownSince == nil || !shell.ring.isKeeping
    }

    var rotation: PictureRotation { shell.settings.rotation }

    var isMuted: Bool { shell.settings.isMuted }

    func allowedSince(_ kind: TrackKind) -> [Instant] {
        let sound = kind == .audio ? shell.recorder.sound.onSince : nil
        return [shell.streams.main.shownSince, shell.ring.keptSince, sound].compactMap { $0 }
    }

    var mutedUntil: Instant? { shell.settings.mutedUntil }

    func frame(_ frame: Frame) {
        let taken: (isFirst: Bool, isNewLink: Bool, isOtherVideo: Bool)? = state.withLock { state in
            guard !state.isHungUp, state.excess == nil else { return nil }
            state.lastPacket = frame.arrival
            let isOtherVideo = frame.kind == .video && state.video !== frame.configuration
            if isOtherVideo { state.video = frame.configuration }
            // What is pushed may count as having come before privacy ended (docs/design/ingest-in.md): no clip begins with that.
            let isFirst =
                state.keyFrame != .here && state.begins(with: frame, isKeeping: shell.ring.isKeeping)
                && shell.ring.allows(frame.arrival)
            // However often it waits for a key frame anew, it is one link.
            let isNewLink = isFirst && state.keyFrame == .awaited
            if isFirst { state.keyFrame = .here }
            return (isFirst, isNewLink, isOtherVideo)
        }
        guard let (isFirst, isNewLink, isOtherVideo) = taken else { return }
        if frame.isDamaged { shell.damagedFrames.add(1, ordering: .relaxed) }
        if isOtherVideo { tellIfTooLarge(frame.configuration) }
        shell.streams.main.frame(frame)
        if isNewLink { shell.excess.withLock { $0 = nil } }
        if isFirst { shell.inbox.tell(.keyframe(number)) }
        if isNewLink { shell.meter.noteLink(at: frame.arrival) }
        if frame.kind == .video, frame.isKey { shell.streams.substream.mainStreams(endpoint, at: frame.arrival) }
    }

    /// Tells of a picture that will not be decoded; called once for each change of the stream.
    private func tellIfTooLarge(_ video: TrackConfiguration) {
        guard let need = video.coded.flatMap(DecoderNeed.init), !need.isAllowed else { return }
        shell.journal.send(.pictureTooLarge, camera: shell.camera, fields: [(.detail, "\(need)")])
    }

    func refused(track: Int, why: String) {
        shell.journal.send(.streamUnitRefused, camera: shell.camera, fields: [(.track, "\(track)"), (.why, why)])
    }

    func moved(level: Sensitivity, at instant: Instant) {
        shell.inbox.tell(.detected(level: level, zones: .anywhere))
    }

    func repaired(_ report: RepairReport) {
        shell.repairedFrames.add(Int64(report.count), ordering: .relaxed)
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
        let (isDialed, excess) = state.withLock { ($0.isDialed, $0.isHungUp ? nil : $0.excess) }
        shell.ended(number)
        if let excess { return failed(.budget, excess, isDialed) }
        switch end {
        case .stopped: shell.inbox.tell(.hungUp(number))
        case .failed(let failure, let detail): failed(failure, detail, isDialed)
        }
    }

    private func failed(_ failure: LinkFailure, _ detail: String, _ isDialed: Bool) {
        if failure == .budget { shell.excess.withLock { $0 = detail } }
        // The cause is told in words of its own; the detail only where it knows more.
        shell.journal.send(
            isDialed ? .linkLost : .linkFailed, camera: shell.camera,
            fields: [(.why, failure.rawValue)] + (detail == Vocabulary.words(failure) ? [] : [(.detail, detail)]))
        shell.inbox.tell(isDialed ? .lost(number, failure) : .dialFailed(number, failure))
    }
}

extension DialSink.State {
    /// Whether media that can be used begins with `frame`: where there is no video and recording waits for it, with the first
    /// frame that clips can hold.
    fileprivate func begins(with frame: Frame, isKeeping: @autoclosure () -> Bool) -> Bool {
        hasVideo ? frame.kind == .video && frame.opensClip : frame.isStored || !isKeeping()
    }
}
