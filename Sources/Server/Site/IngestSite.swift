/// What cameras push (docs/design/ingest-in.md).
public protocol IngestSite: Sendable {
    /// Whether some camera may be pushed to with a certificate of the pusher: listeners ask for one only then.
    var asksForCertificates: Bool { get }
    /// Whether the claim may push at all. Throws `unauthenticated` or `notFound` where nobody may push there so.
    func admit(_ claim: IngestClaim) throws(SiteError)
    /// A request to push an object begins. Throws where nobody may push there so (`unauthenticated`, `notFound`), or it is refused.
    func ingest(_ claim: IngestClaim) async throws -> any IngestBody
    /// Whether anything may be pushed to where the claim would.
    func isPublishingPoint(_ claim: IngestClaim) -> Bool
    /// So many wrong logins came of an address for a camera that no more is looked at for a while. Told once.
    func triesRefused(_ claim: IngestClaim)
}

/// What a pusher says of itself and of what it pushes; believed by nobody yet.
public struct IngestClaim: Sendable {
    /// How a pusher says who it is.
    public enum Login: Sendable {
        /// A user and a password (RFC 7617).
        case basic(user: String, password: String)
        /// A password alone, as a token (RFC 6750).
        case bearer(String)
    }

    /// The camera that is named.
    public let camera: String
    /// `main` or `sub`.
    public let stream: String
    /// The path below the publishing point; may be empty.
    public let path: String
    /// What the object is said to be.
    public let contentType: String?
    /// The address at the other end.
    public let address: String
    /// The login that is shown; nil for none.
    public var login: Login?
    /// The SHA-256 of the certificate of which the other end has the key, in hexadecimal digits; nil for none.
    public let fingerprint: String?

    /// A claim.
    public init(
        camera: String, stream: String, path: String, contentType: String?, address: String, login: Login?,
        fingerprint: String?
    ) {
        (self.camera, self.stream, self.path, self.contentType) = (camera, stream, path, contentType)
        (self.address, self.login, self.fingerprint) = (address, login, fingerprint)
    }
}

/// Takes the body of one request.
public protocol IngestBody: Sendable {
    /// Bytes of it, as they come. Throws a `SiteError` where they are refused.
    func take(_ bytes: [UInt8]) async throws
    /// It has ended.
    func end() async throws
}
