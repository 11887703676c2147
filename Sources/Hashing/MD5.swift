internal import CHashing

/// MD5 (RFC 1321), taken in piece by piece. Only for what others ask it for, such as Content-MD5 and the ETags of object stores:
/// it finds damage, and no forger.
package struct MD5: Sendable {
    var state = SIMD4<UInt32>(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)
    var buffer = BlockBuffer()

    /// Nothing taken in.
    package init() {}

    /// Takes bytes in.
    package mutating func update(_ more: some Collection<UInt8>) { buffer.take(more) { Self.compress($0, &state) } }

    /// The 16 bytes of the digest of what was taken in.
    package consuming func finish() -> [UInt8] {
        buffer.end(isBigEndian: false) { Self.compress($0, &state) }
        return (0..<16).map { UInt8(truncatingIfNeeded: state[$0 / 4] >> UInt32(8 * ($0 % 4))) }
    }

    /// The 16 bytes of the digest of `bytes`.
    package static func value(of bytes: some Collection<UInt8>) -> [UInt8] {
        var hash = MD5()
        hash.update(bytes)
        return hash.finish()
    }

    /// Takes in whole blocks of 64 bytes.
    private static func compress(_ blocks: UnsafeBufferPointer<UInt8>, _ state: inout SIMD4<UInt32>) {
        withUnsafeMutableBytes(of: &state) {
            vigil_md5($0.assumingMemoryBound(to: UInt32.self).baseAddress, blocks.baseAddress, blocks.count / 64)
        }
    }
}
