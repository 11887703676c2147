internal import CHashing

/// SHA-256 (FIPS 180-4), taken in piece by piece. For revisions, chains, tokens that are drawn at random, and signatures that are
/// made here and checked elsewhere. Its time depends on nothing but the length, but nobody has shown that of the machine code.
package struct SHA256: Sendable {
    /// A digest: 256 bits.
    package struct Value: Hashable, Sendable, CustomStringConvertible {
        let words: SIMD8<UInt32>

        /// All bits are zero: the digest of nothing that was ever hashed.
        package static let zero = Value(words: SIMD8(repeating: 0))

        init(words: SIMD8<UInt32>) { self.words = words }

        /// Reads 64 lower-case hexadecimal digits; nil for anything else.
        package init?(hex digits: some Collection<UInt8>) {
            guard digits.count == 64 else { return nil }
            let words =
                digits.withContiguousStorageIfAvailable(Self.read) ?? Array(digits).withUnsafeBufferPointer(Self.read)
            guard let words else { return nil }
            self.words = words
        }

        private static func read(_ digits: UnsafeBufferPointer<UInt8>) -> SIMD8<UInt32>? {
            var words = SIMD8<UInt32>(repeating: 0)
            for (index, digit) in digits.enumerated() {
                guard let nibble = Hex.value(of: digit), !(0x41...0x46).contains(digit) else { return nil }
                words[index / 8] = words[index / 8] << 4 | UInt32(nibble)
            }
            return words
        }

        /// 64 lower-case hexadecimal digits, as bytes.
        package var hex: [UInt8] {
            [UInt8](unsafeUninitializedCapacity: 64) { digits, count in
                for index in 0..<64 {
                    digits[index] = Hex.digit(UInt8(words[index / 8] >> UInt32(28 - 4 * (index % 8)) & 15))
                }
                count = 64
            }
        }

        /// 64 lower-case hexadecimal digits.
        package var description: String { String(decoding: hex, as: UTF8.self) }
    }

    var hash = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
    var buffer = BlockBuffer()
    private let isPlain: Bool

    /// Nothing taken in. `isPlain` leaves the processor's own instructions aside, which changes nothing but the time.
    package init(isPlain: Bool = false) { self.isPlain = isPlain }

    /// Takes bytes in.
    package mutating func update(_ more: some Collection<UInt8>) {
        buffer.take(more) { [isPlain] in Self.compress($0, &hash, isPlain) }
    }

    /// The digest of what was taken in.
    package consuming func finish() -> Value {
        buffer.end(isBigEndian: true) { [isPlain] in Self.compress($0, &hash, isPlain) }
        return Value(words: hash)
    }

    /// The digest of `bytes`.
    package static func value(of bytes: some Collection<UInt8>) -> Value {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// The digest as 64 hexadecimal digits.
    package static func hex(_ bytes: some Collection<UInt8>) -> String { value(of: bytes).description }

    /// The first 12 digits: enough to tell the revisions of one installation apart.
    package static func revision(_ bytes: some Collection<UInt8>) -> String { String(hex(bytes).prefix(12)) }

    /// Takes in whole blocks of 64 bytes.
    private static func compress(
        _ blocks: UnsafeBufferPointer<UInt8>, _ hash: inout SIMD8<UInt32>, _ isPlain: Bool
    ) {
        let isDone =
            !isPlain
            && withUnsafeMutableBytes(of: &hash) { words in
                Self.constants.withUnsafeBufferPointer { constants in
                    vigil_sha256(
                        words.assumingMemoryBound(to: UInt32.self).baseAddress, constants.baseAddress,
                        blocks.baseAddress, blocks.count / 64)
                }
            }
        if isDone { return }
        for start in stride(from: 0, to: blocks.count, by: 64) {
            compress(block: UnsafeBufferPointer(rebasing: blocks[start..<start + 64]), &hash)
        }
    }

    private static func compress(block: UnsafeBufferPointer<UInt8>, _ hash: inout SIMD8<UInt32>) {
        var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
        var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
            for i in 0..<16 {
                w[i] =
                    UInt32(block[4 * i]) << 24 | UInt32(block[4 * i + 1]) << 16 | UInt32(block[4 * i + 2]) << 8
                    | UInt32(block[4 * i + 3])
            }
            for i in 16..<64 {
                let s0 = Self.rotate(w[i - 15], 7) ^ Self.rotate(w[i - 15], 18) ^ (w[i - 15] >> 3)
                let s1 = Self.rotate(w[i - 2], 17) ^ Self.rotate(w[i - 2], 19) ^ (w[i - 2] >> 10)
                w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
            }
            Self.constants.withUnsafeBufferPointer { constants in
                for i in 0..<64 {
                    let s1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
                    let first = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ constants[i] &+ w[i]
                    let s0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
                    let second = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
                    (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
                }
            }
        }
        hash &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

    /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
    static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
