/// The receiver of the webhook: who is told each stage of each upload over HTTP.
public struct WebhookSettings: Hashable, Sendable {
    /// Its address, `https://` or `http://`. Its path may hold a secret: never log it, show `origin`.
    public let url: String
    /// The name of the credential whose password signs the notices; nil where they are not signed.
    public let credential: String?

    /// Scheme, host and port of the address: what may be shown.
    public var origin: String { Self.origin(of: url) }

    /// Scheme, host and port of an address: what may be shown of it.
    static func origin(of url: String) -> String {
        url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }
}

extension WebhookSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The origin only.
    public var description: String { origin }
    /// The origin only.
    public var debugDescription: String { origin }
    /// Shows the origin only, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}
