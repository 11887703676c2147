internal import Journal
internal import Server
internal import ServiceLifecycle
internal import Synchronization

/// Reads the certificate of HTTP again when its files change, makes Vigil's own anew before it ends, and tells what is in use.
final class CertificateService: Service {
    /// How often it looks at the files, in milliseconds.
    static let intervalMs: Int64 = 10_000

    let certificate: WebCertificate
    /// How it was made, where Vigil has made it.
    let own: OwnCertificate?
    let journal: Journal

    /// Why there was no new one, as it was told last.
    private let told = Mutex<String?>(nil)

    init(certificate: WebCertificate, own: OwnCertificate?, journal: Journal) {
        (self.certificate, self.own, self.journal) = (certificate, own, journal)
    }

    func run() async throws {
        tell()
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(Self.intervalMs))
                do {
                    let isNew = try await Blocking.always { [certificate = self.certificate, own = self.own] in
                        let now = MachineClock().wallMs()
                        if let own, OwnCertificate.isDue(certificate.facts, wallMs: now) { try own.make(wallMs: now) }
                        return try certificate.reload()
                    }
                    if isNew { self.tell() }
                } catch is CancellationError {
                    break
                } catch {
                    self.refuse("\(error)")
                }
            }
        }
    }

    /// Tells why there is no new one, once for each reason.
    private func refuse(_ why: String) {
        let isNew = told.withLock { told in
            defer { told = why }
            return told != why
        }
        if isNew { journal.send(.certificateRefused, fields: [(.detail, why)]) }
    }

    private func tell() {
        told.withLock { $0 = nil }
        let facts = certificate.facts
        let maker = own == nil ? "" : ", made by Vigil itself"
        journal.send(
            .certificateLoaded,
            fields: [(.detail, "SHA-256 \(facts.fingerprint), good until \(facts.ends.rfc3339)\(maker)")])
    }
}
