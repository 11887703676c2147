/// A token, without its secret.
public struct TokenInfo: Hashable, Sendable, Codable {
    /// Its name, which is in the journal beside all that its holder does.
    public var name: String
    /// What its holder may do.
    public var role: TokenRole
    /// On which cameras, by name; absent for all.
    public var cameras: [String]?
    /// When it was made.
    public var created: WallTime
    /// Who made it.
    public var createdBy: String
    /// From when on it is not good any more; absent for never.
    public var expires: WallTime?
    /// When it was last used, absent for never.
    public var lastUsed: WallTime?
    /// The address from which it was last used; absent for never.
    public var lastAddress: String?

    /// A token.
    public init(
        name: String, role: TokenRole, cameras: [String]?, created: WallTime, createdBy: String, expires: WallTime?,
        lastUsed: WallTime? = nil, lastAddress: String? = nil
    ) {
        self.name = name
        self.role = role
        self.cameras = cameras
        self.created = created
        self.createdBy = createdBy
        self.expires = expires
        self.lastUsed = lastUsed
        self.lastAddress = lastAddress
    }
}

/// The body of `POST /v1/tokens`.
public struct CreateTokenCommand: Hashable, Sendable, Codable {
    /// Most cameras that a token may name.
    public static let camerasMax = 1_000

    /// Its name: 1 to 64 small letters, digits, `-` and `_`, beginning with a letter or digit.
    public var name: String
    /// What its holder may do.
    public var role: TokenRole
    /// On which cameras, by name, which need not exist yet; absent for all.
    public var cameras: [String]?
    /// From when on it is not good any more; absent for never.
    public var expires: WallTime?

    /// A wish for a token.
    public init(name: String, role: TokenRole, cameras: [String]? = nil, expires: WallTime? = nil) {
        self.name = name
        self.role = role
        self.cameras = cameras
        self.expires = expires
    }

    /// What is wrong with it; nil where nothing is.
    package var flaw: (why: String, remedy: String)? {
        guard SiteName.isOne(name) else {
            return (
                "\"\(name.prefix(80))\" is no name of a token",
                "give 1 to 64 small letters, digits, - and _, beginning with a letter or digit"
            )
        }
        guard let cameras else { return nil }
        guard !cameras.isEmpty else { return ("no camera is named", "name some, or leave cameras out for all") }
        guard cameras.count <= Self.camerasMax else {
            return ("\(cameras.count) cameras are named", "name \(Self.camerasMax) at most, or none for all")
        }
        if let camera = cameras.first(where: { !SiteName.isOne($0) }) {
            return ("\"\(camera.prefix(80))\" is no name of a camera", "`vigil cameras` lists the cameras")
        }
        return nil
    }
}

/// The answer of `POST /v1/tokens`: the only time that the secret is told.
public struct CreatedToken: Hashable, Sendable, Codable {
    /// The token, to be sent as `Authorization: Bearer …`.
    public var token: String
    /// What it is.
    public var info: TokenInfo

    /// A new token.
    public init(token: String, info: TokenInfo) {
        self.token = token
        self.info = info
    }
}

/// Names of cameras, policies and tokens.
package enum SiteName {
    /// Whether the text is one: 1 to 64 small letters, digits, `-` and `_`, beginning with a letter or digit.
    package static func isOne(_ text: String) -> Bool {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first else { return false }
        func isLetterOrDigit(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) }
        return isLetterOrDigit(first)
            && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}
