internal import CGnuTLS

/// The key with which this end proves to viewers that it is who answered their offer: EC P-256, with a certificate that nobody
/// else has signed. It is made anew at each start, and no file has it.
final class DTLSIdentity: @unchecked Sendable {
    // Set once in `init`, and only read by GnuTLS afterwards.
    let credentials: gnutls_certificate_credentials_t
    /// The sum of the certificate, which answers name.
    let fingerprint: Fingerprint

    /// Makes a key and its certificate, good from `nowSeconds` since 1970 on. Takes some milliseconds of a processor.
    init(nowSeconds: Int64) throws(TransportProblem) {
        var (crt, key): (gnutls_x509_crt_t?, gnutls_x509_privkey_t?) = (nil, nil)
        try Self.check("make a key", gnutls_x509_privkey_init(&key))
        defer { gnutls_x509_privkey_deinit(key) }
        try Self.check("make a certificate", gnutls_x509_crt_init(&crt))
        defer { gnutls_x509_crt_deinit(crt) }
        // The macro GNUTLS_CURVE_TO_BITS is not seen from here.
        let bits = UInt32(1) << 31 | GNUTLS_ECC_CURVE_SECP256R1.rawValue
        try Self.check("make a key", gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA, bits, 0))
        try Self.check("set the version", gnutls_x509_crt_set_version(crt, 3))
        // Positive, and not zero.
        let serial = [UInt8.random(in: 1...127)] + (0..<15).map { _ in UInt8.random(in: .min ... .max) }
        try Self.check("set the serial number", gnutls_x509_crt_set_serial(crt, serial, serial.count))
        // Nothing in it tells viewers about this machine.
        try Self.check("name it", gnutls_x509_crt_set_dn_by_oid(crt, "2.5.4.3", 0, "webrtc", 6))
        try Self.check("set its key", gnutls_x509_crt_set_key(crt, key))
        try Self.check("set its begin", gnutls_x509_crt_set_activation_time(crt, time_t(nowSeconds - 86_400)))
        try Self.check("set its end", gnutls_x509_crt_set_expiration_time(crt, time_t(nowSeconds + 3_650 * 86_400)))
        try Self.check("sign it", gnutls_x509_crt_sign2(crt, crt, key, GNUTLS_DIG_SHA256, 0))
        var der = gnutls_datum_t()
        try Self.check("write it", gnutls_x509_crt_export2(crt, GNUTLS_X509_FMT_DER, &der))
        defer { vigil_tls_free(der.data) }
        guard let sum = Fingerprint.of(UnsafeRawBufferPointer(start: der.data, count: Int(der.size)), .sha256) else {
            throw TransportProblem(description: "cannot make the sum of a certificate")
        }
        fingerprint = sum
        var credentials: gnutls_certificate_credentials_t?
        try Self.check("hold it", gnutls_certificate_allocate_credentials(&credentials))
        guard let credentials else { throw TransportProblem(description: "cannot hold a certificate") }
        self.credentials = credentials
        try Self.check("hold it", gnutls_certificate_set_x509_key(credentials, &crt, 1, key))
    }

    deinit { gnutls_certificate_free_credentials(credentials) }

    private static func check(_ step: String, _ code: Int32) throws(TransportProblem) {
        guard code < 0 else { return }
        throw TransportProblem(
            description: "cannot \(step): \(gnutls_strerror(code).map { String(cString: $0) } ?? "\(code)")")
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
