/// The id of a job of the upload queue: grows with each job, never used twice.
public struct UploadID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The row's id, above 0.
    public let rawValue: Int64

    /// The id with the number `rawValue`.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The number.
    public var description: String { String(rawValue) }

    /// Ids are ordered by age.
    public static func < (lhs: UploadID, rhs: UploadID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The id of a remote clip: never used twice in one catalog. A rebuild from the store gives others; its key stays.
public struct RemoteClipID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The row's id, above 0.
    public let rawValue: Int64

    /// The id with the number `rawValue`.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The number.
    public var description: String { String(rawValue) }

    /// Ids are ordered by age.
    public static func < (lhs: RemoteClipID, rhs: RemoteClipID) -> Bool { lhs.rawValue < rhs.rawValue }
}
