internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Synchronization

/// Has one camera's video looked at for motion, and tells the machine what was noticed.
///
///     frames of the main link ──┐
///                               ├─► detector of the pool ─► observations ─► facts for the inbox, which tells them at its pace
///     frames of the sub-stream ─┘
///
/// The sub-stream serves where there is one, and is dialled at a key frame of the main link; while it cannot be had, the main
/// stream is looked at. Frames are looked at only while detections may count or run silently (T7): not while the mode is
/// off, privacy covers the recording, or the daemon drains. Nothing here holds up the recording: a detector that cannot keep
/// up leaves frames out.
final class CameraDetector: Sendable {
    /// What was configured.
    struct Settings: Hashable, Sendable {
        /// Which stream is looked at.
        var detection: Configuration.Camera.Detection
        /// The sub-stream by the way to the camera.
        var substreams: [Endpoint: InputSource]
        /// Why an address of the sub-stream cannot be dialled.
        var problems: [Endpoint: String] = [:]
        /// Zones and masks.
        var zones: MotionZones
    }

    /// Which frames are looked at.
    enum Stream: String, Hashable, Sendable {
        case main, sub
    }

    /// What is to be seen of it from outside.
    struct View: Sendable {
        /// Whether it is configured to look.
        var isOn: Bool
        var stream: Stream?
        var cost: MotionCost
        var level: Sensitivity?
        var movedAt: Instant?
        var conditions: [PictureCondition: Instant]
        var substreamFailure: String?
    }

    /// The sub-stream's dial.
    fileprivate struct Substream {
        let number: UInt64
        let dial: any Dial
        let since: Instant
        var isStreaming = false
    }

    fileprivate struct State {
        var settings: Settings
        var isAllowed = false
        var filter: Zones?
        /// How long a detector may rest, in milliseconds.
        var restMs: Int64 = 0
        var detectors: [Stream: MotionDetector] = [:]
        /// What detectors that were replaced have cost.
        var spent = MotionCost()
        var substream: Substream?
        var dials: UInt64 = 0
        var failures = 0
        var retryAt: Instant?
        var failure: String?
        /// Whether the main link delivers.
        var isStreaming = false
        var picture = EventPicture()
        var level: Sensitivity?
        var movedAt: Instant?
        var conditions: [PictureCondition: Instant] = [:]
    }

    /// How long the main stream is left aside for a sub-stream that is being dialled, in milliseconds.
    fileprivate static let graceMs: Int64 = 5_000
    /// The first and the longest wait before a sub-stream is dialled again, in milliseconds.
    private static let retryMs: (first: Int64, longest: Int64) = (5_000, 300_000)

    private let camera: String
    private let host: any Host
    private let pool: MotionPool?
    private let journal: Journal
    private let inbox: CameraInbox
    private let state: Mutex<State>

    init(camera: String, settings: Settings, host: any Host, journal: Journal, inbox: CameraInbox) {
        self.camera = camera
        self.host = host
        pool = host.motionPool
        self.journal = journal
        self.inbox = inbox
        state = Mutex(State(settings: settings))
    }

    /// What is to be seen of it.
    var view: View {
        state.withLock { state in
            let stream = state.stream(at: host.clock.now())
            return View(
                isOn: state.settings.detection != .off && pool != nil, stream: stream,
                cost: state.detectors.values.reduce(state.spent) { $0 + $1.cost }, level: state.level,
                movedAt: state.movedAt, conditions: state.conditions, substreamFailure: state.failure)
        }
    }

    // MARK: Orders

    /// Takes other settings; the sub-stream is dialled anew, and detectors begin anew.
    func change(_ settings: Settings) {
        let gone = state.withLock { state -> (any Dial)? in
            guard settings != state.settings else { return nil }
            state.settings = settings
            for detector in state.detectors.values {
                detector.stop()
                state.spent = state.spent + detector.cost
            }
            state.detectors = [:]
            (state.failures, state.retryAt, state.failure) = (0, nil, nil)
            return state.close()
        }
        gone?.stop()
    }

    /// Follows the machine's intent: what may be noticed.
    func follow(_ machine: Camera) {
        let intent = machine.intent
        let isAllowed = intent.policy.mode != .off && !intent.blocked && !intent.draining
        let filter = intent.policy.zones
        let gone = state.withLock { state -> (any Dial)? in
            state.filter = filter
            state.restMs = intent.policy.restMs
            for detector in state.detectors.values { detector.rest(atMost: state.restMs) }
            guard isAllowed != state.isAllowed else { return nil }
            state.isAllowed = isAllowed
            guard !isAllowed else { return nil }
            for detector in state.detectors.values { detector.interrupt() }
            return state.close()
        }
        gone?.stop()
        if !isAllowed { inbox.forgetDetections() }
    }

    /// An event begins.
    func eventBegan(at now: Instant) {
        state.withLock { $0.picture.begin(at: now, keyed: $0.stream(at: now) != .sub) }
    }

    /// An event ended; gives the arrival of the picture that shows most of it, nil where none was looked at.
    func eventEnded() -> Instant? { state.withLock { $0.picture.end() } }

    // MARK: The main link

    /// The main link was dialled: its frames are of another timeline.
    func dialed() {
        state.withLock { state in
            state.isStreaming = true
            state.detectors[.main]?.interrupt()
        }
    }

    /// The main link is over, and the sub-stream with it.
    func closed() {
        let gone = state.withLock { state in
            state.isStreaming = false
            return state.close()
        }
        gone?.stop()
    }

    /// A frame of the main link, reached by `endpoint`. Never blocks.
    func frame(_ frame: Frame, _ endpoint: Endpoint) {
        guard let pool, frame.kind == .video else { return }
        let now = frame.arrival
        let detector = state.withLock { state -> MotionDetector? in
            guard state.isAllowed, state.isStreaming, state.settings.detection != .off else { return nil }
            if frame.isKey { dialSubstream(&state, endpoint, at: now) }
            return state.stream(at: now) == .main ? self.detector(.main, &state, pool) : nil
        }
        detector?.feed(frame)
    }

    private func detector(_ stream: Stream, _ state: inout State, _ pool: MotionPool) -> MotionDetector {
        if let detector = state.detectors[stream] { return detector }
        let detector = MotionDetector(
            name: camera, configuration: MotionConfiguration(zones: state.settings.zones), pool: pool
        ) { [weak self] in self?.observed($0, stream) }
        detector.rest(atMost: state.restMs)
        state.detectors[stream] = detector
        return detector
    }

    // MARK: The sub-stream

    private func dialSubstream(_ state: inout State, _ endpoint: Endpoint, at now: Instant) {
        guard state.settings.detection != .main, state.substream == nil, state.retryAt.map({ $0 <= now }) ?? true else {
            return
        }
        if let problem = state.settings.problems[endpoint] { return failed(&state, problem, at: now) }
        guard let source = state.settings.substreams[endpoint] else {
            if !state.settings.substreams.isEmpty {
                failed(&state, "no address is configured for this endpoint", at: now)
            }
            return
        }
        state.dials += 1
        let number = state.dials
        let dial = host.dial(
            camera, source,
            to: SubstreamLink { [weak self] word in
                switch word {
                case .frame(let frame): self?.substreamFrame(frame, number)
                case .ended(let end): self?.substreamEnded(end, number)
                }
            })
        state.substream = Substream(number: number, dial: dial, since: now)
        dial.start()
    }

    private func substreamFrame(_ frame: Frame, _ number: UInt64) {
        guard let pool else { return }
        let (detector, isBack) = state.withLock { state -> (MotionDetector?, Bool) in
            guard state.isAllowed, state.substream?.number == number else { return (nil, false) }
            let detector = self.detector(.sub, &state, pool)
            guard state.substream?.isStreaming == false else { return (detector, false) }
            guard frame.isKey || frame.isRecoveryPoint else { return (nil, false) }
            detector.interrupt()
            state.substream?.isStreaming = true
            defer { (state.failures, state.retryAt, state.failure) = (0, nil, nil) }
            return (detector, state.failure != nil)
        }
        if isBack { journal.send(.substreamBack, camera: camera) }
        detector?.feed(frame)
    }

    private func substreamEnded(_ end: InputEnd, _ number: UInt64) {
        state.withLock { state in
            guard state.substream?.number == number else { return }
            state.substream = nil
            guard case .failed(let failure, let detail) = end else { return }
            failed(&state, "\(failure.rawValue): \(detail)", at: host.clock.now())
        }
    }

    /// Told once, until the sub-stream is back.
    private func failed(_ state: inout State, _ why: String, at now: Instant) {
        let wait = min(Self.retryMs.first << Int64(min(state.failures, 6)), Self.retryMs.longest)
        state.failures += 1
        state.retryAt = now + wait
        if state.failure == nil {
            journal.send(.substreamLost, camera: camera, fields: [(.why, why), (.retryMs, "\(wait)")])
        }
        state.failure = why
    }

    // MARK: Observations

    /// On a thread of the pool.
    private func observed(_ observation: MotionObservation, _ stream: Stream) {
        let now = host.clock.now()
        let fact = state.withLock { state -> DetectionPace.Fact? in
            guard state.isAllowed, state.isStreaming, state.stream(at: now) == stream else { return nil }
            for change in observation.conditions { changed(change, &state, at: now) }
            state.level = observation.level
            if observation.level != nil { state.movedAt = observation.arrival }
            state.picture.take(observation, keyed: stream == .main)
            return observation.fact(for: state.filter)
        }
        if let fact { inbox.tell(.detected(level: fact.level, zones: fact.zones)) }
    }

    private func changed(_ change: ConditionChange, _ state: inout State, at now: Instant) {
        if change.holds {
            guard state.conditions.updateValue(now, forKey: change.condition) == nil else { return }
            journal.send(.pictureImpaired, camera: camera, fields: [(.why, change.condition.rawValue)])
        } else if let since = state.conditions.removeValue(forKey: change.condition) {
            journal.send(
                .pictureRestored, camera: camera,
                fields: [(.why, change.condition.rawValue), (.durationMs, "\(now - since)")])
        }
    }
}

extension CameraDetector.State {
    /// The stream that is looked at; nil while none is.
    fileprivate func stream(at now: Instant) -> CameraDetector.Stream? {
        guard isAllowed, isStreaming, settings.detection != .off else { return nil }
        guard let substream else { return .main }
        if substream.isStreaming { return .sub }
        return now - substream.since < CameraDetector.graceMs ? nil : .main
    }

    /// Lets go of the sub-stream; gives its dial, which is to be stopped.
    fileprivate mutating func close() -> (any Dial)? {
        defer { substream = nil }
        detectors[.sub]?.interrupt()
        return substream?.dial
    }
}

extension MotionCost {
    /// What two detectors have cost together.
    fileprivate static func + (one: MotionCost, other: MotionCost) -> MotionCost {
        var sum = one
        sum.fed += other.fed
        sum.rested += other.rested
        sum.sent += other.sent
        sum.decoded += other.decoded
        sum.observed += other.observed
        sum.dropped += other.dropped
        sum.overloads += other.overloads
        sum.undecodable += other.undecodable
        sum.decodingNs += other.decodingNs
        sum.detectionNs += other.detectionNs
        sum.waitingMax = max(one.waitingMax, other.waitingMax)
        return sum
    }
}
