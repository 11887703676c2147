internal import Hashing

/// The key from which those of all clips of a site follow (docs/design/cloud.md "Encryption"). It shows itself to nobody:
/// description, debug description and mirror name its id alone.
public struct SiteKey: Hashable, Sendable {
    /// How many bytes it has.
    static let bytesCount = 32

    /// The key. Never log it, never put it in an error, an answer or the catalog.
    let bytes: [UInt8]
    /// What tells it from others and may be shown: 16 hexadecimal digits, the begin of its SHA-256.
    public let id: String

    /// A key that nobody has.
    public init() {
        var random = SystemRandomNumberGenerator()
        self.init(unchecked: (0..<Self.bytesCount).map { _ in random.next() })
    }

    /// The key of these bytes; nil unless they are 32.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.bytesCount else { return nil }
        self.init(unchecked: bytes)
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
        id = String(SHA256.hex(bytes).prefix(16))
    }

    /// 32 bytes that follow from the key, a use and what they are for, and from which nobody finds the key or others: HMAC-SHA256
    /// over the use, a zero byte, and what they are for. They are as secret as what they are used for.
    ///
    /// - Parameters:
    ///   - use: what they are used for, without a zero byte.
    ///   - context: for which clip or object.
    public func derived(_ use: String, for context: String) -> [UInt8] {
        HMAC.value(of: Array(use.utf8) + [0] + Array(context.utf8), key: bytes).bytes
    }
}

extension SiteKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The id only.
    public var description: String { "key \(id)" }
    /// The id only.
    public var debugDescription: String { description }
    /// Shows the id only, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
