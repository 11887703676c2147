internal import Foundation
internal import Glibc
internal import Journal
internal import Machines
internal import Policies
internal import Server

extension ListenAddress {
    /// Where the web page is, without a slash at the end.
    func pageAddress(isSecure: Bool) -> String {
        let place = isAny ? "\(ProcessInfo.processInfo.hostName):\(port)" : "\(self)"
        return "\(isSecure ? "https" : "http")://\(place)"
    }
}

extension CertificateInfo {
    /// What is known of a certificate in use.
    init(_ facts: WebCertificate.Facts, selfMade: Bool) {
        self.init(fingerprint: facts.fingerprint, ends: facts.ends, selfMade: selfMade)
    }
}

extension DaemonSite {
    /// An address of the web page that logs in once as the site's owner, for whoever started the daemon; nil where no HTTP is
    /// served.
    func ownLink() async -> String? {
        let caller = Caller(uid: geteuid(), gid: getegid(), pid: getpid())
        guard let pageAddress, let made = try? accounts.code(for: nil, by: caller) else { return nil }
        try? await keepAccounts()
        return "\(pageAddress)/#login=\(made.code)"
    }

    var accounts: Accounts { tokens.accounts }

    func note(_ note: AuditNote) async { tokens.notes.take(note, now: clock.now().ms) }

    func keepAccounts() async throws {
        do { try await tokens.keep() } catch {
            throw SiteError(
                .unavailable, what: "the change of tokens", why: "it cannot be kept: \(error)",
                remedy: "it holds until the daemon restarts; look at the storage")
        }
    }
}
