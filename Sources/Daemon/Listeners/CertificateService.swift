internal import Journal
internal import Server
internal import ServiceLifecycle

/// Reads the certificate of HTTP again when its files change, and tells what is in use.
struct CertificateService: Service {
    /// How often it looks at the files, in milliseconds.
    static let intervalMs: Int64 = 10_000

    let certificate: WebCertificate
    let journal: Journal

    func run() async throws {
        tell()
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(Self.intervalMs))
                do {
                    let isNew = try await Blocking.always { [certificate] in try certificate.reload() }
                    if isNew { tell() }
                } catch let problem as WebCertificate.Problem {
                    journal.send(.certificateRefused, fields: [(.detail, "\(problem)")])
                } catch {}
            }
        }
    }

    private func tell() {
        let facts = certificate.facts
        journal.send(
            .certificateLoaded, fields: [(.detail, "SHA-256 \(facts.fingerprint), good until \(facts.ends.rfc3339)")])
    }
}
