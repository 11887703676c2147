internal import Hashing

/// What a receiver and Vigil both know, and what signs each message (Standard Webhooks: `whsec_` and the Base64 of 24 to 64
/// bytes). It shows itself to nobody.
public struct WebhookSecret: Hashable, Sendable {
    /// How many bytes it may have.
    public static let bytes = 24...64
    private static let prefix = "whsec_"

    private let key: [UInt8]

    /// The secret that `text` says, with `whsec_` before it or without; nil where it is none.
    public init?(text: String) {
        let text = text.hasPrefix(Self.prefix) ? text.dropFirst(Self.prefix.count) : text[...]
        guard let key = Base64.bytes(text), Self.bytes.contains(key.count) else { return nil }
        self.key = key
    }

    /// Whether one of the signatures in `header` (`webhook-signature`, separated by spaces) is that of a message. It takes as long
    /// for a wrong one as for the right one.
    public func verifies(_ message: WebhookMessage, _ header: String) -> Bool {
        let right = Array(signature(of: message).utf8)
        return header.split(separator: " ", maxSplits: 16).contains { one in
            let given = Array(one.utf8)
            guard given.count == right.count else { return false }
            return zip(given, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }

    /// The value of the header `webhook-signature` for a message.
    public func signature(of message: WebhookMessage) -> String {
        let signed = Array("\(message.id).\(message.sentSeconds).".utf8) + message.body
        return "v1,\(Base64.text(HMAC.value(of: signed, key: key).bytes))"
    }
}

extension WebhookSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of it.
    public var description: String { "<redacted>" }
    /// Nothing of it.
    public var debugDescription: String { description }
    /// Shows nothing, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
