internal import CGnuTLS

/// The key and the certificate with which this end proves to viewers that it is who answered their offer.
final class DTLSIdentity: @unchecked Sendable {
    // Set once in `init`, and only read by GnuTLS afterwards.
    let credentials: gnutls_certificate_credentials_t
    /// The sum of the certificate, which answers name.
    let fingerprint: Fingerprint

    /// Reads a certificate and its key, in PEM.
    init(certificate: [UInt8], key: [UInt8]) throws(TransportProblem) {
        var made: gnutls_certificate_credentials_t?
        guard gnutls_certificate_allocate_credentials(&made) >= 0, let credentials = made else {
            throw TransportProblem(description: "cannot hold a certificate")
        }
        let code = Self.read(certificate, key, into: credentials)
        var der = gnutls_datum_t()
        guard code >= 0, gnutls_certificate_get_crt_raw(credentials, 0, 0, &der) >= 0,
            let sum = Fingerprint.of(UnsafeRawBufferPointer(start: der.data, count: Int(der.size)), .sha256)
        else {
            gnutls_certificate_free_credentials(credentials)
            let why = gnutls_strerror(code).map { String(cString: $0) } ?? "\(code)"
            throw TransportProblem(description: "cannot read a certificate and its key: \(why)")
        }
        (self.credentials, fingerprint) = (credentials, sum)
    }

    deinit { gnutls_certificate_free_credentials(credentials) }

    private static func read(
        _ certificate: [UInt8], _ key: [UInt8], into credentials: gnutls_certificate_credentials_t
    ) -> Int32 {
        // GnuTLS reads them only.
        certificate.withUnsafeBufferPointer { certificate in
            key.withUnsafeBufferPointer { key in
                var (certificate, key) = (datum(certificate), datum(key))
                return gnutls_certificate_set_x509_key_mem(credentials, &certificate, &key, GNUTLS_X509_FMT_PEM)
            }
        }
    }

    private static func datum(_ bytes: UnsafeBufferPointer<UInt8>) -> gnutls_datum_t {
        gnutls_datum_t(data: UnsafeMutablePointer(mutating: bytes.baseAddress), size: UInt32(clamping: bytes.count))
    }
}

extension Fingerprint {
    /// The sum of a certificate in DER.
    static func of(_ certificate: UnsafeRawBufferPointer, _ hash: Hash) -> Fingerprint? {
        let algorithm =
            switch hash {
            case .sha256: GNUTLS_DIG_SHA256
            case .sha384: GNUTLS_DIG_SHA384
            case .sha512: GNUTLS_DIG_SHA512
            }
        var sum = [UInt8](repeating: 0, count: hash.bytes)
        guard gnutls_hash_fast(algorithm, certificate.baseAddress, certificate.count, &sum) >= 0 else { return nil }
        return Fingerprint(hash, sum)
    }
}
