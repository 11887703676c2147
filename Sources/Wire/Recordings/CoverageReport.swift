public import Machines

/// What became of each millisecond of a camera, as `GET /v1/cameras/{camera}/coverage` tells it.
public struct CoverageReport: Hashable, Sendable, Codable {
    /// A stretch of time with one label.
    public struct Stretch: Hashable, Sendable, Codable {
        /// Its begin.
        public var from: WallTime
        /// Its end, the begin of the next one.
        public var to: WallTime
        /// Its label; null: the camera was not configured.
        public var label: Coverage?
        /// The rule that deleted what was recorded; null unless the label is `deleted`.
        public var rule: String?

        /// A stretch.
        public init(from: WallTime, to: WallTime, label: Coverage?, rule: String?) {
            self.from = from
            self.to = to
            self.label = label
            self.rule = rule
        }

        /// Writes every key, null ones too.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(from, forKey: .from)
            try container.encode(to, forKey: .to)
            try container.encode(label, forKey: .label)
            try container.encode(rule, forKey: .rule)
        }
    }

    /// The longest time that can be asked for: longer than the ledger reaches back.
    public static let lengthMsMax: Int64 = 500 * 86_400_000
    /// The most stretches of one answer.
    public static let stretchesMax = 100_000
    /// The key in `sums` of the time in which the camera was not configured.
    public static let notConfigured = "notConfigured"

    /// The camera's name.
    public var camera: String
    /// The begin of the first stretch.
    public var from: WallTime
    /// The end of the last stretch: what was asked for, or now.
    public var to: WallTime
    /// Every moment of that time once, in order, neighbours different.
    public var stretches: [Stretch]
    /// Milliseconds of each label that occurs; their sum is the whole time.
    public var sums: [String: Int64]

    /// The share of the time of which there is media, 0 to 1; 0 for no time.
    public var recordedShare: Double {
        let total = sums.values.reduce(0, +)
        return total > 0 ? Double(sums[Coverage.recorded.rawValue] ?? 0) / Double(total) : 0
    }

    /// A report on a line of coverage from `from`; `to` is its end.
    public init(camera: String, from: WallTime, line: CoverageLine) {
        self.camera = camera
        self.from = from
        to = line.stretches.last.map { WallTime(ms: $0.to) } ?? from
        stretches = line.stretches.map {
            Stretch(from: WallTime(ms: $0.from), to: WallTime(ms: $0.to), label: $0.label, rule: $0.rule)
        }
        sums = Dictionary(
            uniqueKeysWithValues: line.sums.map { ($0.key?.rawValue ?? Self.notConfigured, $0.value) })
    }
}
