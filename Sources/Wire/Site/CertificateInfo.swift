/// The certificate with which HTTP speaks TLS.
public struct CertificateInfo: Hashable, Sendable, Codable {
    /// Its SHA-256, 32 bytes in hexadecimal digits with colons, as browsers show it.
    public var fingerprint: String
    /// Until when it is good.
    public var ends: WallTime
    /// Whether Vigil has made it itself: then browsers warn, and the fingerprint is to be compared.
    public var selfMade: Bool

    /// A certificate.
    public init(fingerprint: String, ends: WallTime, selfMade: Bool) {
        self.fingerprint = fingerprint
        self.ends = ends
        self.selfMade = selfMade
    }
}
