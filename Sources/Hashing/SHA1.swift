/// SHA-1 (FIPS 180-4), of what is short. Only for what others ask it for, such as the password digest of WS-Security: it stops no
/// forger who may choose both of two texts.
package enum SHA1 {
    /// The 20 bytes of the digest of `bytes`.
    package static func value(of bytes: some Collection<UInt8>) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        var buffer = BlockBuffer()
        buffer.take(bytes) { compress($0, &state) }
        buffer.end(isBigEndian: true) { compress($0, &state) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    /// Takes in whole blocks of 64 bytes.
    private static func compress(_ blocks: UnsafeBufferPointer<UInt8>, _ state: inout [UInt32]) {
        for begin in stride(from: 0, to: blocks.count, by: 64) {
            var words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(blocks[begin + 4 * word + $1]) }
            }
            for index in 16..<80 {
                words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
            }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for index in 0..<80 {
                let (mixed, constant): (UInt32, UInt32) =
                    switch index {
                    case 0..<20: (b & c | ~b & d, 0x5a82_7999)
                    case 20..<40: (b ^ c ^ d, 0x6ed9_eba1)
                    case 40..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
                    default: (b ^ c ^ d, 0xca62_c1d6)
                    }
                (a, b, c, d, e) = (rotate(a, 5) &+ mixed &+ e &+ constant &+ words[index], a, rotate(b, 30), c, d)
            }
            for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
        }
    }

    private static func rotate(_ word: UInt32, _ by: UInt32) -> UInt32 { word << by | word >> (32 - by) }
}
