internal import Server

extension SiteStatus {
    /// Tells the fingerprint of the page's certificate, so that whoever opens the page can compare it; nothing without TLS.
    func noteCertificate() {
        guard let certificate else { return }
        let why =
            certificate.selfMade
            ? "Vigil has made it itself, so the browser warns once: compare this with what it shows" : "for comparison"
        Output.note("certificate SHA-256 \(certificate.fingerprint) (\(why))")
    }
}
