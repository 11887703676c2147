public import Machines

/// Why a moment of a camera was or was not recorded, as `GET /v1/cameras/{camera}/why` and `vigil why` tell it.
public struct WhyAnswer: Hashable, Sendable, Codable {
    /// A condition of recording that failed.
    public struct Failed: Hashable, Sendable, Codable {
        /// Its name, such as `toggle`.
        public var condition: String
        /// The same for people.
        public var words: String

        /// A condition.
        public init(condition: String, words: String) {
            self.condition = condition
            self.words = words
        }
    }

    /// A change of what was asked of the camera.
    public struct Step: Hashable, Sendable, Codable {
        /// The key of the policy, or `enabled` or `privacy`.
        public var change: String
        /// Its new value as the policy writes it.
        public var value: String?
        /// The interval of the schedule that it is about; absent where it is about all times.
        public var from, to: WallTime?
        /// The same for people.
        public var words: String

        /// A change.
        public init(change: String, value: String?, from: WallTime?, to: WallTime?, words: String) {
            self.change = change
            self.value = value
            self.from = from
            self.to = to
            self.words = words
        }
    }

    /// What would have recorded the moment.
    public struct Remedy: Hashable, Sendable, Codable {
        /// `none`, `change`, `noPolicy`, `retention`, `undecided` or `unknown`.
        public var kind: String
        /// The smallest change; empty unless the kind is `change`.
        public var changes: [Step]
        /// The same for people.
        public var words: String

        /// A remedy.
        public init(kind: String, changes: [Step], words: String) {
            self.kind = kind
            self.changes = changes
            self.words = words
        }
    }

    /// A detection that did not count.
    public struct Suppressed: Hashable, Sendable, Codable {
        /// When it was made.
        public var time: WallTime?
        /// The least sensitivity that notices it: 1, 5 or 10.
        public var level: Int
        /// Why it did not count.
        public var why: Camera.Suppression
        /// The same for people.
        public var words: String

        /// A detection.
        public init(time: WallTime?, level: Int, why: Camera.Suppression, words: String) {
            self.time = time
            self.level = level
            self.why = why
            self.words = words
        }
    }

    /// The label of a moment of which nothing is known.
    public static let unknown = "unknown"

    /// The camera's name.
    public var camera: String
    /// The moment.
    public var time: WallTime
    /// A label of coverage, `notConfigured` or `unknown`.
    public var label: String
    /// Where the label comes from: `catalog` or `trace`.
    public var source: String
    /// The rule that deleted what was recorded; absent unless the label is `deleted`.
    public var rule: String?
    /// The stretch that has the label; absent where it is not known.
    public var from, to: WallTime?
    /// The clip that holds the moment, and the event that it belongs to.
    public var clip, event: Int64?
    /// The machine's own label, by the trace.
    public var machineLabel: Coverage?
    /// What failed of the conditions of recording; empty where it was recorded.
    public var failed: [Failed]
    /// Detections near the moment that did not count.
    public var suppressed: [Suppressed]
    /// What would have recorded it.
    public var remedy: Remedy
    /// What is to be known beside that, and what cannot be.
    public var remarks: [String]
    /// The machine at the moment; absent where no step was read before it.
    public var moment: MomentAnswer?

    /// An answer.
    public init(
        camera: String, time: WallTime, label: String, source: String, rule: String?, from: WallTime?, to: WallTime?,
        clip: Int64?, event: Int64?, machineLabel: Coverage?, failed: [Failed], suppressed: [Suppressed],
        remedy: Remedy, remarks: [String], moment: MomentAnswer?
    ) {
        self.camera = camera
        self.time = time
        self.label = label
        self.source = source
        self.rule = rule
        self.from = from
        self.to = to
        self.clip = clip
        self.event = event
        self.machineLabel = machineLabel
        self.failed = failed
        self.suppressed = suppressed
        self.remedy = remedy
        self.remarks = remarks
        self.moment = moment
    }
}
