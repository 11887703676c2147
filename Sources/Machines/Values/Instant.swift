/// A moment on the monotonic clock of one boot, in milliseconds since that boot.
///
/// Machines read no clock: every instant comes in with an event. Wall time is an annotation that the shell keeps beside it.
public struct Instant: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since the boot, 0 or more.
    public let ms: Int64

    /// The moment `ms` milliseconds after the boot.
    public init(ms: Int64) { self.ms = ms }

    /// Decoded from a plain number.
    public init(from decoder: any Decoder) throws {
        ms = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Coded as a plain number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ms)
    }

    /// The moment `rhs` milliseconds after `lhs`; saturates instead of trapping, so no input can overflow it.
    public static func + (lhs: Instant, rhs: Int64) -> Instant {
        Instant(ms: lhs.ms.addingClamped(rhs))
    }

    /// Milliseconds from `rhs` to `lhs`; saturates.
    public static func - (lhs: Instant, rhs: Instant) -> Int64 {
        lhs.ms.subtractingClamped(rhs.ms)
    }

    /// Earlier.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.ms < rhs.ms }
}
