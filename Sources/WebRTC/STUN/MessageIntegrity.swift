internal import CGnuTLS

/// HMAC-SHA1 with a short-term credential (RFC 8489, 14.5).
enum MessageIntegrity {
    /// The size of a sum, in bytes.
    static let bytes = 20

    /// A sum: 20 bytes.
    typealias Sum = (UInt64, UInt64, UInt32)

    /// The sum of `message` under `key`; all zero bits, which no key gives, where it cannot be made.
    static func sum(_ message: UnsafeRawBufferPointer, _ key: [UInt8]) -> Sum {
        var sum: Sum = (0, 0, 0)
        withUnsafeMutableBytes(of: &sum) { out in
            // The tuple is 20 bytes and perhaps some to fill it up.
            _ = gnutls_hmac_fast(
                GNUTLS_MAC_SHA1, key, key.count, message.baseAddress, message.count, out.baseAddress)
        }
        return sum
    }

    /// Whether `told` is the sum, found in a time that does not depend on where they differ.
    static func isEqual(_ sum: Sum, _ told: UnsafeRawBufferPointer) -> Bool {
        guard told.count == bytes, sum != (0, 0, 0) else { return false }
        return withUnsafeBytes(of: sum) { sum in
            zip(sum.prefix(bytes), told).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }
}
