public import Machines
internal import Trace

/// What is known of a camera from a stretch of its trace without a hole, within one run of the daemon: what happened to it,
/// whatever its policy was, and what the machine made of it.
public struct CameraHistory: Sendable {
    /// How it ends.
    public enum Ending: Sendable, Hashable {
        /// Nothing more was read.
        case open
        /// The machine stopped as it was told.
        case stopped
        /// A later run was read: the daemon died, or its last records are missing.
        case cutOff
        /// Records are missing, or differ from what the machine answers.
        case broken
    }

    /// Something that no policy decides.
    public enum Occurrence: Sendable, Hashable {
        /// A fact that came from outside.
        case event(Camera.Event)
        /// The camera could be reached, or not any more.
        case reachable(Bool)
        /// A dial began after a time in which no link was wanted, and succeeded later: until then only a machine that kept its
        /// link has one.
        case connecting
    }

    /// What was known of the camera's connection.
    public enum Connection: Sendable, Hashable {
        /// Media came.
        case up
        /// It was wanted and not there.
        case down
        /// Nobody wanted it, so nobody knows.
        case unasked
    }

    /// A detection, and what the machine made of it.
    public struct Notice: Sendable, Hashable {
        /// When.
        public let at: Instant
        /// The least sensitivity that notices it.
        public let level: Sensitivity
        /// Where it was.
        public let zones: Zones
        /// Why it did not count; nil where it did.
        public let why: Camera.Suppression?
    }

    /// A clip that was recorded.
    public struct Media: Sendable, Hashable {
        /// Its number in the run.
        let number: ClipNumber
        /// Its first frame.
        public let start: Instant
        /// The end of its last frame; nil while it is open.
        public internal(set) var end: Instant?
    }

    /// The camera.
    public let camera: String
    /// The run of the daemon, 32 hexadecimal digits.
    public let run: String
    /// It begins with the run.
    public let isWhole: Bool
    /// Its first moment.
    public let begin: Instant
    /// Its last record.
    public internal(set) var end: Instant
    /// How it ends.
    var ending = Ending.open
    /// Until when it is known what the machine would do without hearing anything: its next deadline after `end`; nil: for ever.
    var silentUntil: Instant?
    /// What was asked of the camera when it began.
    public let intent: Intent
    /// What happened, in order.
    var occurrences: [(at: Instant, what: Occurrence)] = []
    /// Every detection.
    var notices: [Notice] = []
    /// What was recorded.
    var media: [Media] = []
    /// The machine's label.
    public internal(set) var labels: ValueOverTime<Coverage>
    /// What was known of the connection.
    var connection: ValueOverTime<Connection>
    /// What was asked of the camera.
    var intents: ValueOverTime<Intent>
    /// What o'clock it was.
    var walls = WallOffsets()

    /// A history that begins with a machine of which the state is known.
    init(from record: TraceRecord, _ machine: Camera, isWhole: Bool) {
        camera = record.camera
        run = record.run
        self.isWhole = isWhole
        begin = record.at
        end = record.at
        silentUntil = machine.nextDeadline
        intent = machine.intent
        labels = ValueOverTime(machine.coverage, at: begin)
        connection = ValueOverTime(Connection(machine), at: begin)
        intents = ValueOverTime(machine.intent, at: begin)
        switch machine.recorder.state {
        case .idle, .opening: break
        // Begun before; at least from here on.
        case .writing(let clip, _), .cutting(let clip, _, _):
            media = [Media(number: clip.number, start: begin, end: nil)]
        }
    }

    /// Whether something is known about a moment: it lies between the records, or so little after the last one that the
    /// machine had nothing to do.
    func holds(_ moment: Instant) -> Bool {
        if moment < begin { return false }
        if moment <= end { return true }
        guard ending == .open else { return false }
        return silentUntil.map { moment <= $0 + Self.lateMs } ?? true
    }

    /// How late the record of a deadline may be, in milliseconds.
    static let lateMs: Int64 = 5_000

    /// The wall time at which it begins; nil where no record tells.
    var beginWallMs: Int64? { walls.wallMs(at: begin) }

    /// The wall time of its last record; nil where no record tells.
    var endWallMs: Int64? { walls.wallMs(at: end) }

    /// Every moment in [`from`, `to`) with its label, by what the trace tells; times are instants. What was deleted since is
    /// not known here.
    public func coverage(from: Instant, to: Instant) -> CoverageLine {
        CoverageLine(
            from: from.ms, to: to.ms, marks: labels.turns.map { CoverageLine.Mark(at: $0.at.ms, label: $0.value) },
            spans: media.map { CoverageLine.Span(from: $0.start.ms, to: ($0.end ?? Swift.max(end, to)).ms) })
    }
}

extension CameraHistory.Connection {
    /// What a machine knows of its camera's connection.
    init(_ machine: Camera) {
        // A link that waits for a key frame anew has been there all the time.
        let isUp = machine.link.phase == .streaming || machine.link.worked != nil
        self = isUp ? .up : machine.linkWanted ? .down : .unasked
    }
}
