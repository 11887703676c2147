import Hashing

/// What the media of one clip is encrypted with. One value holds for all of its track files.
///
/// The key itself is in no description of the value, so it cannot come into a log by an interpolation.
public struct MediaKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Bytes of a key, of an initialisation vector and of a key's identifier.
    public static let partBytes = 16

    /// The AES-128 key, 16 bytes. Secret.
    let key: [UInt8]
    /// The constant initialisation vector with which each encrypted range begins, 16 bytes. It stands in the encrypted header.
    let initialisationVector: [UInt8]
    /// The identifier of the key (KID), 16 bytes. It stands in the encrypted header, so that a reader knows which key it needs.
    public let identifier: [UInt8]

    /// A key; nil unless each part has 16 bytes.
    public init?(key: [UInt8], initialisationVector: [UInt8], identifier: [UInt8]) {
        guard [key, initialisationVector, identifier].allSatisfy({ $0.count == Self.partBytes }) else { return nil }
        self.key = key
        self.initialisationVector = initialisationVector
        self.identifier = identifier
    }

    /// The identifier as a UUID in lower case: `00112233-4455-6677-8899-aabbccddeeff`.
    public var uuid: String { Hex.uuid(identifier) }

    /// The identifier alone.
    public var description: String { "the key \(uuid)" }
    /// The identifier alone.
    public var debugDescription: String { description }
    /// The identifier alone.
    public var customMirror: Mirror { Mirror(self, children: ["uuid": uuid]) }
}
