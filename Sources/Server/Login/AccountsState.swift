/// The tokens and the logins of the page, as they are kept: without any secret.
public struct AccountsState: Hashable, Sendable, Codable {
    /// A token.
    struct Token: Hashable, Sendable, Codable {
        var id: String
        var digest: Secret.Digest
        var info: TokenInfo
    }

    /// A login of the page, which is that of a token.
    struct Login: Hashable, Sendable, Codable {
        var digest: Secret.Digest
        /// The token's ID.
        var token: String
        /// From when on it is over, unless it is renewed before.
        var ends: WallTime
    }

    /// In the order in which they were made.
    var tokens: [Token] = []
    /// In the order in which they began.
    var logins: [Login] = []

    /// No token.
    public init() {}
}
