internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Synchronization

/// Has one camera's video looked at for motion, and tells the machine what was noticed.
///
///     main stream ──┐
///                   ├─► detector of the pool ─► observations ─► facts for the inbox, which tells them at its pace
///     sub-stream ───┘
///
/// The sub-stream serves where there is one; while it cannot be had, the main stream is looked at. Frames are looked at only
/// while detections may count or run silently (T7): not while the mode is off, privacy covers the recording, or the daemon
/// drains. Nothing here holds up the recording: a detector that cannot keep up leaves frames out.
final class CameraDetector: Sendable {
    /// What was configured.
    struct Settings: Hashable, Sendable {
        /// Which stream is looked at.
        var detection: Configuration.Camera.Detection
        /// Zones and masks.
        var zones: MotionZones
    }

    /// What is to be seen of it from outside.
    struct View: Sendable {
        /// Whether it is configured to look.
        var isOn: Bool
        var stream: StreamName?
        var cost: MotionCost
        var level: Sensitivity?
        var movedAt: Instant?
        var conditions: [PictureCondition: Instant]
    }

    fileprivate struct State {
        var settings: Settings
        var isAllowed = false
        var filter: Zones?
        /// How long a detector may rest, in milliseconds.
        var restMs: Int64 = 0
        var detectors: [StreamName: MotionDetector] = [:]
        /// What detectors that were replaced have cost.
        var spent = MotionCost()
        /// Whether the main link delivers.
        var isStreaming = false
        /// Whether the sub-stream has given a frame since its dial at which decoding can begin.
        var isSubstreamReadable = false
        var picture = EventPicture()
        var level: Sensitivity?
        var movedAt: Instant?
        var conditions: [PictureCondition: Instant] = [:]
    }

    /// How long the main stream is left aside for a sub-stream that is being dialled, in milliseconds.
    fileprivate static let graceMs: Int64 = 5_000

    private let camera: String
    private let substream: Substream
    private let clock: any Clocks
    private let pool: MotionPool?
    private let journal: Journal
    private let budget: DetectionBudget
    private let inbox: CameraInbox
    private let state: Mutex<State>

    init(
        camera: String, settings: Settings, substream: Substream, host: any Host, journal: Journal, inbox: CameraInbox
    ) {
        self.camera = camera
        self.substream = substream
        clock = host.clock
        pool = host.motionPool
        self.journal = journal
        budget = Self.budget(of: camera, journal)
        self.inbox = inbox
        state = Mutex(State(settings: settings))
        attach(to: substream.stream, as: .sub)
    }

    /// Takes the frames of a stream.
    func attach(to stream: CameraStream, as name: StreamName = .main) {
        stream.attach(WatchedStream(detector: self, name: name))
    }

    /// What is to be seen of it.
    var view: View {
        let phase = substream.phase
        return state.withLock { state in
            View(
                isOn: state.settings.detection != .off && pool != nil, stream: state.stream(at: clock.now(), phase),
                cost: state.detectors.values.reduce(state.spent) { $0 + $1.cost }, level: state.level,
                movedAt: state.movedAt, conditions: state.conditions)
        }
    }

    // MARK: Orders

    /// Takes other settings; detectors begin anew.
    func change(_ settings: Settings) {
        state.withLock { state in
            guard settings != state.settings else { return }
            state.settings = settings
            for detector in state.detectors.values {
                detector.stop()
                state.spent = state.spent + detector.cost
            }
            state.detectors = [:]
            substream.watched(pool != nil && state.wantsSubstream)
        }
        substream.settle()
    }

    /// Follows the machine's intent: what may be noticed.
    func follow(_ machine: Camera) {
        let intent = machine.intent
        let isAllowed = intent.policy.mode != .off && !intent.blocked && !intent.draining
        let filter = intent.policy.zones
        let hasChanged = state.withLock { state in
            state.filter = filter
            state.restMs = intent.policy.restMs
            for detector in state.detectors.values { detector.rest(atMost: state.restMs) }
            guard isAllowed != state.isAllowed else { return false }
            state.isAllowed = isAllowed
            if !isAllowed { for detector in state.detectors.values { detector.interrupt() } }
            substream.watched(pool != nil && state.wantsSubstream)
            return true
        }
        if hasChanged { substream.settle() }
        if !isAllowed { inbox.forgetDetections() }
    }

    /// An event begins.
    func eventBegan(at now: Instant) {
        let phase = substream.phase
        state.withLock { $0.picture.begin(at: now, keyed: $0.stream(at: now, phase) != .sub) }
    }

    /// An event ended; gives the arrival of the picture that shows most of it, nil where none was looked at.
    func eventEnded() -> Instant? { state.withLock { $0.picture.end() } }

    // MARK: The streams

    /// A stream was dialled: its frames are of another timeline.
    fileprivate func began(_ name: StreamName) {
        state.withLock { state in
            state.detectors[name]?.interrupt()
            if name == .main { state.isStreaming = true } else { state.isSubstreamReadable = false }
        }
    }

    /// A stream is over.
    fileprivate func lost(_ name: StreamName) {
        state.withLock { state in
            if name == .main { state.isStreaming = false } else { state.detectors[.sub]?.interrupt() }
        }
    }

    /// A frame of a stream. Never blocks.
    fileprivate func frame(_ frame: Frame, _ name: StreamName) {
        guard let pool, frame.kind == .video else { return }
        let phase = substream.phase
        let detector = state.withLock { state -> MotionDetector? in
            guard state.stream(at: frame.arrival, phase) == name else { return nil }
            let detector = self.detector(name, &state, pool)
            guard name == .sub, !state.isSubstreamReadable else { return detector }
            guard frame.opensClip else { return nil }
            state.isSubstreamReadable = true
            detector.interrupt()
            return detector
        }
        detector?.feed(frame)
    }

    private func detector(_ stream: StreamName, _ state: inout State, _ pool: MotionPool) -> MotionDetector {
        if let detector = state.detectors[stream] { return detector }
        let detector = MotionDetector(
            name: camera, configuration: MotionConfiguration(zones: state.settings.zones), pool: pool,
            budget: budget
        ) { [weak self] in self?.observed($0, stream) }
        detector.rest(atMost: state.restMs)
        state.detectors[stream] = detector
        return detector
    }

    /// The budget of a camera, which the journal tells of.
    static func budget(of camera: String, _ journal: Journal) -> DetectionBudget {
        DetectionBudget { isPassed in
            journal.send(
                isPassed ? .detectionLimited : .detectionWhole, camera: camera,
                fields: isPassed ? [(.why, DetectionBudget.words)] : [])
        }
    }

    // MARK: Observations

    /// On a thread of the pool.
    private func observed(_ observation: MotionObservation, _ stream: StreamName) {
        let now = clock.now()
        let phase = substream.phase
        let fact = state.withLock { state -> DetectionPace.Fact? in
            guard state.isAllowed, state.isStreaming, state.stream(at: now, phase) == stream else { return nil }
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
    /// Whether the sub-stream is to be looked at where there is one.
    fileprivate var wantsSubstream: Bool { isAllowed && (settings.detection == .auto || settings.detection == .sub) }

    /// The stream that is looked at, as the sub-stream stands; nil while none is.
    fileprivate func stream(at now: Instant, _ substream: Substream.Phase) -> StreamName? {
        guard isAllowed, isStreaming, settings.detection != .off else { return nil }
        guard wantsSubstream else { return .main }
        switch substream {
        case .off: return .main
        case .streaming: return .sub
        case .opening(let since): return now - since < CameraDetector.graceMs ? nil : .main
        }
    }
}

/// Hands one stream to the detector.
private final class WatchedStream: StreamConsumer {
    private weak let detector: CameraDetector?
    private let name: StreamName

    init(detector: CameraDetector, name: StreamName) {
        self.detector = detector
        self.name = name
    }

    func began(_ dial: StreamDial) { detector?.began(name) }
    func frame(_ frame: Frame) { detector?.frame(frame, name) }
    func lost() { detector?.lost(name) }
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
