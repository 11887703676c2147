internal import Journal
internal import Machines
internal import Media
internal import Synchronization

/// Which of a camera's streams is meant.
package enum StreamName: String, Hashable, Sendable, CaseIterable {
    case main, sub
}

/// The streams of one camera: who may look at them follows the machine, and the machine is told how many do.
final class CameraStreams: Sendable {
    /// What the main link delivers.
    let main = CameraStream()
    let substream: Substream
    /// What was seen of either stream.
    private let meters: [StreamName: StreamMeter] = [.main: StreamMeter(), .sub: StreamMeter()]
    private let inbox: CameraInbox
    private let clock: any Clocks
    /// Viewers of both streams. Held while the machine is told, so that what it was told last is what holds.
    private let viewers = Mutex(0)
    /// Why nobody may look, as last followed; nil: somebody may. Absent before the machine's first step.
    private let hidden = Mutex<StreamEnd??>(nil)
    /// Told why nobody may look, or that somebody may, with each change; and that nothing may be recorded any more.
    private let onHidden = Mutex<[@Sendable (StreamEnd?) -> Void]>([])
    private let onUnrecorded = Mutex<[@Sendable () -> Void]>([])
    /// Told when the link begins to wait for its next dial.
    private let onWaiting = Mutex<[@Sendable () -> Void]>([])
    private let isWaiting = Mutex(false)
    /// Whether the camera may not record: by its toggle, its policy or privacy, or because it drains; as last followed.
    private let isUnrecorded = Mutex(false)

    init(
        camera: String, settings: Substream.Settings, dials: OpenDials, host: any Host, journal: Journal,
        inbox: CameraInbox
    ) {
        substream = Substream(camera: camera, settings: settings, dials: dials, host: host, journal: journal)
        self.inbox = inbox
        clock = host.clock
        for stream in [main, substream.stream] {
            stream.onUnmade { why in journal.send(.liveSoundMissing, camera: camera, fields: [(.why, why)]) }
        }
        main.onAudience { [weak self] in self?.count($0) }
        substream.stream.onAudience { [weak self] change in
            self?.count(change)
            self?.substream.settle()
        }
    }

    /// What was seen of a stream; nil where none is configured.
    func seen(_ name: StreamName) -> StreamMeter.Seen? {
        name == .main || substream.isConfigured ? meters[name]?.seen : nil
    }

    /// Measures what comes from now on, behind whoever has been attached before.
    func measure() {
        for (name, meter) in meters { (name == .main ? main : substream.stream).attach(meter) }
    }

    private func count(_ change: Int) {
        viewers.withLock { viewers in
            viewers += change
            inbox.tell(.viewers(max(0, viewers)))
        }
    }

    /// Calls `hidden` with each change of who may look, in the step that changes it, before pictures end and after they may be seen
    /// again, and `unrecorded` in the step from which on nothing may be recorded. They may not block.
    func onPrivacy(
        hidden: @escaping @Sendable (StreamEnd?) -> Void, unrecorded: @escaping @Sendable () -> Void
    ) {
        onHidden.withLock { $0.append(hidden) }
        onUnrecorded.withLock { $0.append(unrecorded) }
    }

    /// Calls `body` in the step with which the link begins to wait for its next dial. It may not block.
    func onWaiting(_ body: @escaping @Sendable () -> Void) { onWaiting.withLock { $0.append(body) } }

    /// Whether the camera may record, as last followed.
    var isRecordable: Bool { isUnrecorded.withLock { !$0 } }

    /// Whether live or hard privacy covers the camera, as last followed; nil before the machine's first step.
    var isPrivate: Bool? { hidden.withLock { $0.map { $0 == .privacy } } }

    /// The stream of that name.
    func stream(_ name: StreamName) -> CameraStream { name == .main ? main : substream.stream }

    /// How many look at the camera.
    var viewerCount: Int { viewers.withLock { max(0, $0) } }

    /// A viewer of a stream from now on.
    func watch(
        _ name: StreamName, sound: SoundForm, isHeld: Bool = false, observer: StreamObserver = StreamObserver()
    ) throws(StreamRefusal) -> StreamViewer {
        guard name == .sub else { return try main.subscribe(sound: sound, isHeld: isHeld, observer: observer) }
        let viewer = try substream.stream.subscribe(sound: sound, isHeld: isHeld, observer: observer)
        // Looked at afterwards: a change of the configuration ends those who are there.
        guard substream.isConfigured else {
            viewer.leave()
            throw .absent
        }
        return viewer
    }

    /// Follows the machine's intent: who may look (S7).
    func follow(_ machine: Camera, at now: Instant) {
        let intent = machine.intent
        let why: StreamEnd? =
            if intent.draining || machine.stopped { .draining } else if intent.privacy.hard || intent.privacy.softLive {
                .privacy
            } else { nil }
        let waits = machine.link.phase == .waiting
        let waited = isWaiting.withLock { before in
            defer { before = waits }
            return before
        }
        if waits, !waited { for follower in onWaiting.withLock({ $0 }) { follower() } }
        let isUnrecorded = !intent.eventsAllowed
        let wasUnrecorded = self.isUnrecorded.withLock { before in
            defer { before = isUnrecorded }
            return before
        }
        if isUnrecorded, !wasUnrecorded { for follower in onUnrecorded.withLock({ $0 }) { follower() } }
        let isNew = hidden.withLock { hidden in
            defer { hidden = .some(why) }
            return hidden != .some(why)
        }
        guard isNew else { return }
        let followers = onHidden.withLock { $0 }
        // Sessions are told of it first: whoever sees a picture end may close its session, which then would end for that reason.
        if why != nil { for follower in followers { follower(why) } }
        for stream in [main, substream.stream] {
            if let why { stream.hide(why) } else { stream.show(from: now) }
        }
        if why == nil { for follower in followers { follower(why) } }
    }

    /// The main link is over, and the sub-stream with it.
    func lost() {
        main.lost()
        substream.mainLost()
    }
}
