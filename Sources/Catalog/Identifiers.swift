/// The id of a clip: grows with each clip, never used twice.
public struct ClipID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The row's id, above 0.
    public let rawValue: Int64

    /// The id with the number `rawValue`.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The number.
    public var description: String { String(rawValue) }

    /// Ids are ordered by age.
    public static func < (lhs: ClipID, rhs: ClipID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The id of an event: grows with each event, never used twice.
public struct EventID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The row's id, above 0.
    public let rawValue: Int64

    /// The id with the number `rawValue`.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The number.
    public var description: String { String(rawValue) }

    /// Ids are ordered by age.
    public static func < (lhs: EventID, rhs: EventID) -> Bool { lhs.rawValue < rhs.rawValue }
}
