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

/// The answer of `GET /v1/me` and `POST /v1/login`: who the caller is for the daemon.
public struct CallerInfo: Hashable, Sendable, Codable {
    /// Who: the name of a token, or user and process.
    public var name: String
    /// What it may do.
    public var right: Right
    /// On which cameras, by name; absent for all.
    public var cameras: [String]?

    /// What `principal` may.
    init(_ principal: Principal) {
        switch principal.caller {
        case .token(let name, _): self.name = name
        case .process: name = "\(principal.caller)"
        }
        right = principal.right
        cameras = principal.cameras.names
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
