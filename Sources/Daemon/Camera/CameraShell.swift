internal import Catalog
internal import Journal
internal import Machines
internal import Media
internal import Synchronization

/// Carries out the orders of one camera's machine. Never blocks: dialling has its own thread, files their own queue.
final class CameraShell: Sendable {
    /// What can be changed while the camera runs.
    struct Settings: Sendable {
        /// How each endpoint is reached; an endpoint without a source is dialled in vain and says so.
        var sources: [Endpoint: InputSource]
        /// Addresses without secrets, for the journal.
        var addresses: [Endpoint: String]
        /// Why an endpoint cannot be dialled at all: its credential is not to be had.
        var problems: [Endpoint: String] = [:]
        /// How its pictures are turned.
        var rotation: PictureRotation = .none
        /// Whether its microphone is off: all sound that comes is silence.
        var isMuted = false
        /// Until when it was off; nil: it was not.
        var mutedUntil: Instant?
        /// The policy's name and revision, for the rows of its clips.
        var policy: RecordedPolicy
    }

    private struct State {
        var settings: Settings
        var dial: OpenDial?
        /// A dial that waits for the end of a try to reach the camera.
        var waiting: (number: DialNumber, endpoint: Endpoint)?
    }

    /// The dial that is open.
    private struct OpenDial {
        let number: DialNumber
        let input: any Dial
        let sink: DialSink
    }

    let camera: String
    let ring: PacketRing
    let recorder: ClipRecorder
    let events: EventRecorder
    let streams: CameraStreams
    let detector: CameraDetector
    let probe: ReachabilityProbe
    let sources = SourceNames()
    let meter = CameraMeter()
    /// The bound that the camera has passed, in words, since its link was last given up for it; nil since a key frame came.
    let excess = Mutex<String?>(nil)
    let inbox: CameraInbox
    let journal: Journal
    /// Frames of the main stream that packets were missing from, since the daemon began.
    let damagedFrames = Atomic<Int64>(0)
    /// Frames of the main stream whose times were repaired, since the daemon began.
    let repairedFrames = Atomic<Int64>(0)
    /// What the transports of the camera are told.
    let transports: TransportFeed
    /// Where the camera's coverage is written down.
    let ledger: CoverageLedger.Line
    private let host: any Host
    private let dials: OpenDials
    private let state: Mutex<State>

    init(
        camera: String, settings: Settings, tap: RingTap, storage: ClipStorage, dials: OpenDials, host: any Host,
        journal: Journal, inbox: CameraInbox, ledger: CoverageLedger.Line, streams: CameraStreams,
        detector: CameraDetector, transports: TransportFeed
    ) {
        self.camera = camera
        self.transports = transports
        ring = tap.ring
        self.dials = dials
        self.host = host
        self.journal = journal
        self.inbox = inbox
        self.ledger = ledger
        self.streams = streams
        self.detector = detector
        let queue = host.queue("vigil.clips.\(camera)")
        probe = ReachabilityProbe(camera: camera, dials: dials, host: host, journal: journal, queue: inbox.queue)
        events = EventRecorder(camera: camera, queue: queue, storage: storage, clock: host.clock, journal: journal)
        recorder = ClipRecorder(
            camera: camera, ring: ring, storage: storage, events: events, queue: queue, sound: tap.sound,
            clock: host.clock, journal: journal, inbox: inbox, meter: meter)
        // The recording comes first: what a fact says of a frame holds when it is told.
        streams.main.attach(RingFeed(camera: camera, ring: ring, recorder: recorder, tap: tap, journal: journal))
        detector.attach(to: streams.main)
        streams.measure()
        state = Mutex(State(settings: settings, dial: nil))
        probe.onGivenUp = { [weak self] in self?.dialWaiting() }
        meter.onExcess { [weak self] in self?.exceed($0) }
    }

    /// The camera has passed a bound: nothing more is taken of the dial that is open, and the machine is told when it has ended.
    private func exceed(_ bound: String) {
        guard let dial = state.withLock({ $0.dial }) else { return }
        dial.sink.exceed(bound)
        streams.lost()
        dial.input.stop()
    }

    /// New sources, addresses, rotation, microphone or policy; takes effect with the next dial, key frame, unit of sound, or clip.
    func change(_ body: (inout Settings) -> Void) { state.withLock { body(&$0.settings) } }

    /// Turns the pictures of both streams, and makes silence of their sound where `isMuted`.
    func turn(_ rotation: PictureRotation, isMuted: Bool) {
        let now = host.clock.now()
        change {
            if $0.isMuted, !isMuted { $0.mutedUntil = now }
            ($0.rotation, $0.isMuted) = (rotation, isMuted)
        }
        streams.substream.turn(rotation, isMuted: isMuted, at: now)
    }

    /// The settings in force.
    var settings: Settings { state.withLock { $0.settings } }

    /// Looks at what the machine is after it has taken `event`.
    func follow(_ machine: Camera, after event: Camera.Event, at now: Instant) {
        transports.follow(machine, after: event, at: now)
        streams.follow(machine, at: now)
        detector.follow(machine)
        probe.follow(machine, sources: settings.sources)
        if case .keyframeMissing = event { synchronizeAnew(machine) }
    }

    /// The next key frame is told anew. It may have come before this is known here, and then the recorder tells it.
    private func synchronizeAnew(_ machine: Camera) {
        guard machine.link.phase == .synchronizing, let dial = state.withLock({ $0.dial }) else { return }
        dial.sink.synchronizeAnew()
        recorder.tellKeyframe(of: dial.number)
    }

    /// Whether a dial has not ended yet.
    var hasDial: Bool { state.withLock { $0.dial != nil } }

    /// Carries out one order; reports are told by `tell`. `press`: that of the doorbell which an event has that begins; nil where
    /// nobody rang.
    func perform(_ effect: Camera.Effect, press: DoorbellPress?, at now: Instant) {
        switch effect {
        case .dial(let number, let endpoint): dial(number, endpoint)
        case .hangUp(let number): hangUp(number)
        case .keepMedia(true): recorder.keep()
        case .keepMedia(false): recorder.purge()
        case .openClip(let order): recorder.openClip(order, settings.policy)
        case .closeClip(let number, let point, let why): recorder.closeClip(number, point, why)
        case .beginEvent(let number, let cause, let level):
            detector.eventBegan(at: now)
            events.begin(
                number, cause, level: level, label: press.map { (name: SourceNames.doorbell, user: $0.user) }, at: now)
        case .endEvent(let number, let why): events.end(number, why, picture: detector.eventEnded(), at: now)
        case .noteDetection(let number, let zones): events.noteDetection(number, zones)
        case .noteSuppressed(let level, let why, let number):
            events.noteSuppressed(level, why, during: number, at: now)
        case .label(let label): ledger.note(label, at: now)
        case .report, .ignored: break
        case .stopped:
            events.finish()
            inbox.finish()
        }
    }

    /// When the silence bound is due and packets have come since it was set: the fact that they have, and the last moment
    /// before the bound, at which the machine is told. So one fact for each bound stands for all packets before it.
    func packetsBeforeSilence(_ machine: Camera, at now: Instant) -> (Camera.Event, Instant)? {
        let silence: Instant
        switch machine.link.state {
        case .synchronizing(_, _, let bound, _, _), .streaming(_, _, let bound, _): silence = bound
        case .off, .waiting, .dialing: return nil
        }
        guard silence <= now, let number = machine.link.current,
            let last = state.withLock({ $0.dial?.number == number ? $0.dial?.sink.lastPacket : nil }),
            last + machine.timing.silenceMs > silence
        else { return nil }
        return (.packets(number, last: last), silence + -1)
    }

    private func dial(_ number: DialNumber, _ endpoint: Endpoint) {
        state.withLock { $0.waiting = (number, endpoint) }
        if !probe.giveUp() { dialWaiting() }
    }

    private func dialWaiting() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        if let (number, endpoint) = waiting { dialNow(number, endpoint) }
    }

    private func dialNow(_ number: DialNumber, _ endpoint: Endpoint) {
        let settings = settings
        guard let source = settings.sources[endpoint] else {
            let problem = settings.problems[endpoint]
            let failure = problem == nil ? LinkFailure.unreachable : .unauthorized
            journal.send(
                .linkFailed, camera: camera,
                fields: [(.why, failure.rawValue), (.detail, problem ?? "no address is configured for this endpoint")])
            return inbox.tell(.dialFailed(number, failure))
        }
        // The machine waits for the end of a hang-up for so long only. The camera is not dialled while a thread of it lives.
        let now = host.clock.now()
        if let stopped = dials.take(camera, .main, at: now) {
            journal.send(
                .linkFailed, camera: camera,
                fields: [
                    (.why, LinkFailure.stuck.rawValue), (.detail, "it was hung up \(now - stopped) ms ago"),
                ])
            return inbox.tell(.dialFailed(number, .stuck))
        }
        let sink = DialSink(number: number, endpoint: endpoint, shell: self)
        let input = host.dial(camera, source, to: sink)
        state.withLock { $0.dial = OpenDial(number: number, input: input, sink: sink) }
        input.start()
    }

    private func hangUp(_ number: DialNumber) {
        let hasWaited = state.withLock { state in
            guard state.waiting?.number == number else { return false }
            state.waiting = nil
            return true
        }
        if hasWaited { return inbox.tell(.hungUp(number)) }
        let dial = state.withLock { $0.dial?.number == number ? $0.dial : nil }
        dial?.sink.hangUp()
        if dial != nil {
            dials.stopped(camera, .main, at: host.clock.now())
            streams.lost()
        }
        // A dial that has ended by itself has said so; its word is on the way.
        dial?.input.stop()
    }

    /// The dial has freed everything it held.
    func ended(_ number: DialNumber) {
        let isOpen = state.withLock { state in
            guard state.dial?.number == number else { return false }
            state.dial = nil
            return true
        }
        guard isOpen else { return }
        dials.ended(camera, .main)
        streams.lost()
    }
}
