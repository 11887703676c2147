public import Server

/// What the catalog knows of a moment.
public struct LedgerEntry: Sendable, Hashable {
    /// How far around a moment coverage is asked for, so that its stretch is seen whole, in milliseconds.
    public static let aroundMs: Int64 = 6 * 3_600_000

    /// The stretch of coverage that holds it.
    public let stretch: CoverageReport.Stretch
    /// The stretch begins and ends where it says, not where it was asked for.
    public let isWhole: Bool
    /// The clip that holds the moment; nil where none does.
    public let clip: Int64?
    /// The event that was active; nil where none was.
    public let event: Int64?

    /// An entry.
    public init(stretch: CoverageReport.Stretch, isWhole: Bool, clip: Int64?, event: Int64?) {
        self.stretch = stretch
        self.isWhole = isWhole
        self.clip = clip
        self.event = event
    }
}
