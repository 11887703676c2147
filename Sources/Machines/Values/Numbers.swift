/// Names one dial of a camera; counts up for the life of the machine, so an answer to an older dial is known as late.
public struct DialNumber: RawRepresentable, Hashable, Sendable, Codable {
    /// 1 for the first dial.
    public let rawValue: UInt32

    /// The number `rawValue`.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The number `rawValue`.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Names one clip that the machine ordered; the catalog gives it an id of its own that lasts beyond this run.
public struct ClipNumber: RawRepresentable, Hashable, Sendable, Codable {
    /// 1 for the first clip.
    public let rawValue: UInt32

    /// The number `rawValue`.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The number `rawValue`.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Names one event of a camera.
public struct EventNumber: RawRepresentable, Hashable, Sendable, Codable {
    /// 1 for the first event.
    public let rawValue: UInt32

    /// The number `rawValue`.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The number `rawValue`.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Names one level source of a camera (an alarm input, ONVIF motion); the shell numbers them by configuration.
public struct SourceNumber: RawRepresentable, Hashable, Sendable, Codable, Comparable {
    /// 0 for the first source.
    public let rawValue: UInt8

    /// The number `rawValue`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The number `rawValue`.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// In the order of their numbers.
    public static func < (lhs: SourceNumber, rhs: SourceNumber) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Names one recording of a transport; counts up for the life of the machine.
public struct RecordingNumber: RawRepresentable, Hashable, Sendable, Codable {
    /// 1 for the first recording.
    public let rawValue: UInt32

    /// The number `rawValue`.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The number `rawValue`.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
