public import Machines

/// What is asked of events besides their camera and their time. Each condition that is given holds for every event listed.
public struct EventConditions: Hashable, Sendable {
    /// The level of the detection that began it is one of these; empty: whatever began it.
    public var levels: [Sensitivity]
    /// A detection was in one of these zones, an empty name for the part outside every zone; empty: wherever. An event that is
    /// active has no zones yet.
    public var zones: [String]
    /// One of these labels was told during it; empty: whatever was.
    public var labels: [String]
    /// One of these began it; empty: any.
    public var causes: [ClipCause]
    /// Nobody has marked it as seen.
    public var isUnseen: Bool
    /// How many events are passed over first.
    public var offset: Int

    /// The most that may be passed over.
    public static let offsetMax = 100_000_000

    /// Conditions; none unless named.
    public init(
        levels: [Sensitivity] = [], zones: [String] = [], causes: [ClipCause] = [], isUnseen: Bool = false,
        offset: Int = 0, labels: [String] = []
    ) {
        self.levels = levels
        self.zones = zones
        self.labels = labels
        self.causes = causes
        self.isUnseen = isUnseen
        self.offset = offset
    }

    /// The causes that an event may have.
    public static let causes: [ClipCause] = [.detection, .source, .command]
}
