internal import CGnuTLS

/// A certificate for a server that nobody but itself has signed, and its key: EC P-256, signed with SHA-256. A browser warns of
/// it; what makes it worth something is that a person compares its fingerprint.
public struct SelfSignedCertificate: Hashable, Sendable {
    /// What GnuTLS did not do.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// Step and cause.
        public let description: String
    }

    /// The certificate in PEM.
    public let certificate: [UInt8]
    /// Its private key in PEM, without a password: a secret.
    public let key: [UInt8]

    /// Makes a new key and its certificate, for a host of this name and these numeric addresses (4 or 16 bytes each), good
    /// between two times in seconds since 1970. Takes some milliseconds of a processor.
    public init(name: String, addresses: [[UInt8]], from: Int64, to: Int64) throws(Problem) {
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
        let common = String(name.prefix(64))
        try Self.check(
            "name it", gnutls_x509_crt_set_dn_by_oid(crt, "2.5.4.3", 0, common, UInt32(clamping: common.utf8.count)))
        try Self.check("set its key", gnutls_x509_crt_set_key(crt, key))
        try Self.check("set its begin", gnutls_x509_crt_set_activation_time(crt, time_t(from)))
        try Self.check("set its end", gnutls_x509_crt_set_expiration_time(crt, time_t(to)))
        // No authority for others, whoever comes to trust it.
        try Self.check("say what it is for", gnutls_x509_crt_set_basic_constraints(crt, 0, -1))
        try Self.check(
            "say what it is for", gnutls_x509_crt_set_key_usage(crt, UInt32(GNUTLS_KEY_DIGITAL_SIGNATURE)))
        try Self.check("say what it is for", gnutls_x509_crt_set_key_purpose_oid(crt, "1.3.6.1.5.5.7.3.1", 0))
        try Self.names(crt, name, addresses)
        try Self.check("sign it", gnutls_x509_crt_sign2(crt, crt, key, GNUTLS_DIG_SHA256, 0))
        certificate = try Self.bytes("write it") { gnutls_x509_crt_export2(crt, GNUTLS_X509_FMT_PEM, $0) }
        self.key = try Self.bytes("write its key") { gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, $0) }
    }

    /// The names under which it is looked for.
    private static func names(_ crt: gnutls_x509_crt_t?, _ name: String, _ addresses: [[UInt8]]) throws(Problem) {
        let names = [(GNUTLS_SAN_DNSNAME, Array(name.utf8)), (GNUTLS_SAN_DNSNAME, Array("localhost".utf8))]
        for (index, (kind, bytes)) in (names + addresses.map { (GNUTLS_SAN_IPADDRESS, $0) }).enumerated() {
            // The first begins the list, the others are appended.
            let code = gnutls_x509_crt_set_subject_alt_name(
                crt, kind, bytes, UInt32(clamping: bytes.count), index == 0 ? 0 : 1)
            try check("name it", code)
        }
    }

    private static func check(_ step: String, _ code: Int32) throws(Problem) {
        guard code < 0 else { return }
        throw Problem(description: "cannot \(step): \(gnutls_strerror(code).map { String(cString: $0) } ?? "\(code)")")
    }

    private static func bytes(
        _ step: String, _ export: (UnsafeMutablePointer<gnutls_datum_t>) -> Int32
    ) throws(Problem) -> [UInt8] {
        var datum = gnutls_datum_t()
        try check(step, export(&datum))
        defer { gnutls_free(datum.data) }
        return Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
    }
}
