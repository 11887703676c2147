/// The body of `POST /v1/login`: exactly one of both.
public struct LoginCommand: Hashable, Sendable, Codable {
    /// A token.
    public var token: String?
    /// A code out of a link, which is good once.
    public var code: String?

    /// A login.
    public init(token: String? = nil, code: String? = nil) {
        self.token = token
        self.code = code
    }
}

/// The body of `POST /v1/links`.
public struct LinkCommand: Hashable, Sendable, Codable {
    /// As which token the page is to be logged in; absent for the owner's.
    public var token: String?

    /// A wish for a link.
    public init(token: String? = nil) { self.token = token }
}

/// The answer of `POST /v1/links`.
public struct LoginLink: Hashable, Sendable, Codable {
    /// The page's address with the code in it; absent where no HTTP is served.
    public var url: String?
    /// The code, which is good once.
    public var code: String
    /// The name of the token as which it logs in.
    public var token: String
    /// Until when.
    public var expires: WallTime

    /// A link.
    public init(url: String?, code: String, token: String, expires: WallTime) {
        self.url = url
        self.code = code
        self.token = token
        self.expires = expires
    }
}
