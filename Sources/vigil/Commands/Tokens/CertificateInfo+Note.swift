internal import Wire

extension CertificateInfo {
    /// Tells its fingerprint, so that whoever opens the page can compare it.
    func note() {
        let why =
            selfMade
            ? "Vigil has made it itself, so the browser warns once: compare this with what it shows" : "for comparison"
        Output.note("certificate SHA-256 \(fingerprint) (\(why))")
    }
}
