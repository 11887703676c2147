internal import CGnuTLS
import Glibc
import Machines

/// Why a certificate is not believed.
struct CertificateFlaw {
    /// In one sentence, with the remedy.
    let text: String

    /// What the flags of GnuTLS's verification mean; `expiry` in seconds since 1970, negative where it is unknown.
    init(_ status: UInt32, expiry: Int64) {
        func has(_ flag: gnutls_certificate_status_t) -> Bool { status & flag.rawValue != 0 }
        text =
            if has(GNUTLS_CERT_EXPIRED) {
                "the camera's certificate has expired\(Self.day(expiry)): renew it in the camera, and check this machine's clock"
            } else if has(GNUTLS_CERT_NOT_ACTIVATED) {
                "the camera's certificate is not valid yet: check the clocks of the camera and of this machine"
            } else if has(GNUTLS_CERT_REVOKED) {
                "the camera's certificate has been revoked: give the camera another one"
            } else if has(GNUTLS_CERT_SIGNER_NOT_FOUND) {
                "no authority that is trusted has signed the camera's certificate: name its authority, or the certificate, in tls.ca"
            } else if has(GNUTLS_CERT_UNEXPECTED_OWNER) {
                "the camera's certificate names another host: give it one for this address, or set tls.verify: chain"
            } else {
                "the camera's certificate is not believed: \(Self.words(status))"
            }
    }

    /// GnuTLS's own words.
    private static func words(_ status: UInt32) -> String {
        var words = gnutls_datum_t()
        guard gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &words, 0) >= 0 else {
            return "status \(status)"
        }
        defer { free(words.data) }
        return RTSPClient.printable(
            String(decoding: UnsafeBufferPointer(start: words.data, count: Int(words.size)), as: UTF8.self), most: 400)
    }

    /// ` on 2026-01-31`; nothing where the day is unknown.
    private static func day(_ seconds: Int64) -> String {
        seconds < 0 ? "" : " on \(CivilDate(daysSince1970: seconds / 86_400))"
    }
}
