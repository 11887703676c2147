/// HMAC with SHA-256 (RFC 2104, FIPS 198-1), for signing what is sent. The mark is made and never compared with a foreign one,
/// so no time tells an attacker how much of a guess was right.
package enum HMAC {
    /// The mark of `message` under `key`, which may have any length.
    package static func value(of message: some Collection<UInt8>, key: some Collection<UInt8>) -> SHA256.Value {
        var block = key.count > 64 ? SHA256.value(of: key).bytes : Array(key)
        block += [UInt8](repeating: 0, count: 64 - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5c })
        outer.update(inner.finish().bytes)
        return outer.finish()
    }
}

extension SHA256.Value {
    /// The 32 bytes of the digest.
    package var bytes: [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 4] >> UInt32(24 - 8 * ($0 % 4))) }
    }
}
