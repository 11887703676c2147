/// A moment of wall time in milliseconds since 1970-01-01T00:00:00Z; on the wire an RFC 3339 text in UTC with
/// milliseconds, such as `2026-11-21T10:00:00.250Z`.
///
/// Whole milliseconds, not a floating-point `Date`, so that a time survives any number of trips unchanged.
public struct WallTime: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, between the years 0000 and 9999.
    public let ms: Int64

    /// The first moment that RFC 3339 can write.
    public static let earliest: Int64 = -62_167_219_200_000
    /// The last moment that RFC 3339 can write.
    public static let latest: Int64 = 253_402_300_799_999

    /// The moment `ms` milliseconds after the start of 1970; clamped to what RFC 3339 can write.
    public init(ms: Int64) { self.ms = min(max(ms, Self.earliest), Self.latest) }

    /// Whether `lhs` comes before `rhs`.
    public static func < (lhs: WallTime, rhs: WallTime) -> Bool { lhs.ms < rhs.ms }
}

extension WallTime: Codable {
    /// Reads an RFC 3339 text; throws `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = WallTime(rfc3339: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time: \(text)")
        }
        self = time
    }

    /// Writes `rfc3339`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rfc3339)
    }
}
