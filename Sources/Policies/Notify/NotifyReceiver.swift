/// One receiver of the section `notify`: who is told over HTTP of events, and perhaps of problems.
public struct NotifyReceiver: Hashable, Sendable {
    /// What it understands.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A topic of an ntfy server.
        case ntfy
        /// A Gotify server.
        case gotify
        /// Any program that takes JSON, signed as Standard Webhooks has it.
        case webhook
    }

    /// Its name.
    public let name: String
    /// What it understands.
    public let kind: Kind
    /// Its address, `https://` or `http://`. Its path may hold a secret: never log it, show `origin`.
    public let url: String
    /// The name of the credential: a login or a token, for a webhook the secret that signs; nil for none.
    public let credential: String?
    /// Whether messages about events carry a picture.
    public let hasPicture: Bool
    /// The title of each message.
    public let title: MessageTemplate
    /// Its text.
    public let text: MessageTemplate
    /// The body for a webhook, JSON; nil for the standard one.
    public let body: MessageTemplate?
    /// Problems that hold for so long are told, in milliseconds; nil: none is.
    public let problemsMs: Int64?

    /// Scheme, host and port of the address: what may be shown.
    public var origin: String { WebhookSettings.origin(of: url) }
}

extension NotifyReceiver: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Name and origin only.
    public var description: String { "\(name) (\(origin))" }
    /// Name and origin only.
    public var debugDescription: String { description }
    /// Shows name and origin only, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: ["name": name, "origin": origin]) }
}
