internal import Machines
internal import Replay
public import Trace

/// Explains one moment of one camera from its trace.
///
/// Takes the records from some hours before the moment (windows, blind time and switches of before reach into it) until some
/// minutes after it (pre-roll reaches back).
public struct Explainer: Sendable {
    /// How far after the moment the trace is read, in milliseconds: the longest pre-roll, the opening of its clip and its first
    /// retries.
    static let afterMs: Int64 = 180_000
    /// How far before a moment a trigger may have come whose event holds it: the longest max event length, in milliseconds.
    static let beforeMs: Int64 = 180_000

    private let camera: String
    private let wallMs: Int64
    private var reader = CameraHistoryReader()
    private var moment: MomentReplay
    private var isPast = false

    /// Asks about a camera and a moment, milliseconds since 1970.
    public init(camera: String, wallMs: Int64) {
        self.camera = camera
        self.wallMs = wallMs
        moment = MomentReplay(camera: camera, wallMs: wallMs)
    }

    /// Takes the next record; false where nothing more is needed.
    public mutating func take(_ record: TraceRecord) -> Bool {
        guard record.camera == camera else { return true }
        reader.take(record)
        if !isPast { isPast = !moment.take(record) }
        // One record more than that: it tells whether the run went on.
        return record.wallMs.map { $0 <= (Instant(ms: wallMs) + Self.afterMs).ms } ?? true
    }

    /// How long before the moment must be known to be sure of windows and blind time that reach into it, in milliseconds: a
    /// command's longest event.
    static let contextMs: Int64 = 3_600_000

    /// Whether reading from further back would tell no more.
    var isSettled: Bool {
        guard let history else { if case .known = silence.label { return true } else { return false } }
        guard !history.isWhole, let begin = history.beginWallMs else { return true }
        return Instant(ms: wallMs) - Instant(ms: begin) >= Self.contextMs
    }

    /// The answer by what was read.
    public var explanation: Explanation {
        guard let history, let at = history.walls.instant(atWallMs: wallMs) else { return silence }
        let line = history.coverage(from: history.begin, to: Swift.max(history.end, at) + 1)
        let stretch = line.stretch(at: at.ms)
        let label = stretch?.label ?? history.labels.value(at: at)
        let nearBegin = Swift.max(history.begin, at + -Self.beforeMs)
        let near = nearBegin..<Swift.max(nearBegin, at + CameraHistory.preRollMsMax)
        let notices = history.notices.filter { near.contains($0.at) }
        let wasUnasked = history.connection.value(at: at) == .unasked
        // What a trace says of time may run backwards.
        func wall(_ begin: Instant, _ end: Instant) -> Range<Int64>? {
            guard let from = history.walls.wallMs(at: begin), let to = history.walls.wallMs(at: end) else { return nil }
            return from..<Swift.max(from, to)
        }
        let intent = history.intents.value(at: at)
        return Explanation(
            camera: camera, wallMs: wallMs, label: .known(label),
            stretch: stretch.flatMap { wall(Instant(ms: $0.from), Instant(ms: $0.to)) },
            machineLabel: history.labels.value(at: at),
            failed: label == .recorded
                ? []
                : moment.replay?.machine.map { Condition.all($0, suppressed: Set(notices.compactMap(\.why))) } ?? [],
            remedy: Self.remedy(history, at, label), wasUnasked: wasUnasked,
            quiet: Self.isQuiet(history, near) ? wall(near.lowerBound, near.upperBound) : nil,
            isWithoutDetections: history.notices.isEmpty,
            suppressed: notices.filter { $0.why != nil }.map { (history.walls.wallMs(at: $0.at), $0) },
            interval: intent.policyUntil.flatMap { wall(Self.begin(of: intent, history, at), $0) }, moment: moment)
    }

    /// The history that holds the moment.
    private var history: CameraHistory? {
        reader.histories.last { history in
            history.walls.instant(atWallMs: wallMs).map(history.holds) ?? false
        }
    }

    /// The answer where no history holds the moment.
    private var silence: Explanation {
        let histories = reader.histories
        let before = histories.last { $0.beginWallMs.map { $0 <= wallMs } ?? false }
        // Steps without a history: their records cannot be read as one.
        let unread: Explanation.Ignorance = moment.replay == nil ? .noTrace : .broken
        var label = Explanation.Label.unknown(histories.isEmpty ? unread : .beforeTrace)
        switch before?.ending {
        case .stopped, .cutOff: label = .known(.recorderDown)
        case .open: label = .unknown(.afterTrace)
        case .broken: label = .unknown(.broken)
        case nil: break
        }
        let next = histories.first { $0.beginWallMs.map { $0 > wallMs } ?? false }
        var stretch: Range<Int64>?
        if case .known = label, let from = before?.endWallMs, let to = next?.beginWallMs, from <= to {
            stretch = from..<to
        }
        return Explanation(
            camera: camera, wallMs: wallMs, label: label, stretch: stretch,
            machineLabel: label == .known(.recorderDown) ? .recorderDown : nil, failed: [],
            remedy: label == .known(.recorderDown) ? .noPolicy : .unknown, wasUnasked: false, quiet: nil,
            isWithoutDetections: histories.allSatisfy(\.notices.isEmpty), suppressed: [], interval: nil, moment: moment)
    }

    /// The first of the candidates with which the moment is recorded.
    static func remedy(_ history: CameraHistory, _ at: Instant, _ label: Coverage) -> Explanation.Remedy {
        func records(_ changes: [Change]) -> Bool {
            // Key frames at every moment: only what the event itself and its pre-roll cover counts.
            history.simulate(
                changes, until: min(Swift.max(history.end, at + 1), at + CameraHistory.preRollMsMax), keyframeMs: 1
            )
            .records(at)
        }
        if label == .recorded { return .none }
        if records([]) {
            switch label {
            // Media came, and no key frame for this clip: another policy may have had a clip open.
            case .linkLost where history.connection.value(at: at) == .up: return .undecided
            case .linkLost, .storage, .recorderDown: return .noPolicy
            default: return .undecided
            }
        }
        return Change.candidates(for: history, at: at).first(where: records).map(Explanation.Remedy.change) ?? .noPolicy
    }

    /// Whether nothing began or prolonged an event, nor would have done.
    private static func isQuiet(_ history: CameraHistory, _ near: Range<Instant>) -> Bool {
        !history.occurrences.contains { at, what in
            guard near.contains(at) else { return false }
            switch what {
            case .event(.detected), .event(.asserted), .event(.commanded): return true
            case .event, .reachable, .connecting: return false
            }
        }
    }

    private static func begin(of intent: Intent, _ history: CameraHistory, _ at: Instant) -> Instant {
        let turns = history.intents.turns.filter { $0.at <= at }.reversed().prefix { $0.value.policy == intent.policy }
        return turns.last?.at ?? history.begin
    }
}
