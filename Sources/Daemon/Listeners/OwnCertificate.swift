internal import Foundation
internal import Glibc
internal import Media
internal import Policies
internal import Server

/// The certificate that Vigil makes itself where HTTP is served to other machines and none is configured. It lies in the storage
/// root, for nobody but the daemon (mode 0600), and stays the same until it is about to end, so that its fingerprint is compared
/// once and not after each start.
struct OwnCertificate: Sendable {
    /// How long one is good, in milliseconds: 825 days, the most that Apple's systems take.
    static let lengthMs: Int64 = 825 * 86_400_000
    /// How long before its end another one is made, in milliseconds.
    static let renewalMs: Int64 = 30 * 86_400_000
    /// So much before now it begins, in milliseconds: clocks of other machines may be behind.
    private static let leadMs: Int64 = 86_400_000

    private let root: String
    private let listen: ListenAddress

    /// For an address, kept in a storage root.
    init(root: String, listen: ListenAddress) { (self.root, self.listen) = (root, listen) }

    private var certificateFile: String { root + "/http-certificate.pem" }
    private var keyFile: String { root + "/http-key.pem" }

    /// Whether another one is due.
    static func isDue(_ facts: WebCertificate.Facts, wallMs: Int64) -> Bool { facts.ends.ms - wallMs < renewalMs }

    /// The certificate that was made before, or a new one where there is none that can be used for a while. Blocking. Throws
    /// `DaemonFailure`.
    func prepare(wallMs: Int64) throws -> WebCertificate {
        if let kept = try? load(), !Self.isDue(kept.facts, wallMs: wallMs) { return kept }
        try make(wallMs: wallMs)
        do { return try load() } catch {
            throw DaemonFailure("the certificate that Vigil has made for HTTP cannot be used: \(error)")
        }
    }

    /// Makes a new one and puts it in the place of the one before. Blocking. Throws `DaemonFailure`.
    func make(wallMs: Int64) throws {
        do {
            let made = try SelfSignedCertificate(
                name: ProcessInfo.processInfo.hostName, addresses: addresses, from: (wallMs - Self.leadMs) / 1_000,
                to: (wallMs + Self.lengthMs) / 1_000)
            try AtomicFile.put(keyFile, bytes: made.key)
            try AtomicFile.put(certificateFile, bytes: made.certificate)
        } catch {
            throw DaemonFailure(
                "a certificate for HTTP cannot be made in \(root): \(error); name one of yours in http.tls, or listen at "
                    + "127.0.0.1")
        }
    }

    private func load() throws(WebCertificate.Problem) -> WebCertificate {
        try WebCertificate(certificateFile: certificateFile, keyFile: keyFile)
    }

    /// The numeric addresses under which it is asked for: that of the listener, where it is one, and this machine's own.
    private var addresses: [[UInt8]] {
        let own: [[UInt8]] = [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]]
        guard !listen.isAny else { return own }
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, listen.host, &four) == 1 { return [withUnsafeBytes(of: &four) { Array($0) }] + own }
        if inet_pton(AF_INET6, listen.host, &six) == 1 { return [withUnsafeBytes(of: &six) { Array($0) }] + own }
        return own
    }
}
