/// What signs requests. Its descriptions tell the access key's id alone: a secret that is printed by mistake is not printed.
public struct Credentials: Sendable, Hashable {
    /// The public half: who signs.
    public let accessKeyID: String
    /// The secret half.
    let secretAccessKey: String
    /// What temporary credentials have on top.
    let sessionToken: String?
    /// When they end, in seconds since 1970; nil where they do not.
    let expirySeconds: Int64?

    /// Credentials; nil where id or secret is empty, longer than 4 KiB (a token: 16 KiB), or no printable ASCII without blanks: what
    /// cannot stand in a header.
    public init?(
        accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, expirySeconds: Int64? = nil
    ) {
        guard Self.fits(accessKeyID, max: 4096), Self.fits(secretAccessKey, max: 4096) else { return nil }
        guard sessionToken.map({ Self.fits($0, max: 16_384) }) ?? true else { return nil }
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.expirySeconds = expirySeconds
    }

    private static func fits(_ text: String, max: Int) -> Bool {
        (1...max).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The access key's id alone.
    public var description: String { "credentials of \(accessKeyID)" }
    /// The access key's id alone.
    public var debugDescription: String { description }
    /// No children: a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
