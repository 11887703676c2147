/// MD5 (RFC 1321), taken in piece by piece. Only for what others ask it for, such as Content-MD5 and the ETags of object stores:
/// it finds damage, and no forger.
package struct MD5: Sendable {
    private var state = SIMD4<UInt32>(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)
    private var buffer = BlockBuffer()

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

    /// Takes in 64 bytes.
    private static func compress(_ block: UnsafeBufferPointer<UInt8>, _ state: inout SIMD4<UInt32>) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        Self.constants.withUnsafeBufferPointer { constants in
            /// One step: what was mixed of three words, the message's word, the turn.
            func turn(_ mixed: UInt32, _ step: Int, _ word: Int, _ turns: SIMD4<UInt32>) {
                let at = 4 * (word & 15)
                let taken =
                    UInt32(block[at]) | UInt32(block[at + 1]) << 8 | UInt32(block[at + 2]) << 16
                    | UInt32(block[at + 3]) << 24
                let (sum, by) = (a &+ mixed &+ constants[step] &+ taken, turns[step & 3])
                (a, d, c, b) = (d, c, b, b &+ (sum &<< by | sum &>> (32 &- by)))
            }
            for step in 0..<16 { turn(d ^ (b & (c ^ d)), step, step, SIMD4(7, 12, 17, 22)) }
            for step in 16..<32 { turn(c ^ (d & (b ^ c)), step, 5 * step + 1, SIMD4(5, 9, 14, 20)) }
            for step in 32..<48 { turn(b ^ c ^ d, step, 3 * step + 5, SIMD4(4, 11, 16, 23)) }
            for step in 48..<64 { turn(c ^ (b | ~d), step, 7 * step, SIMD4(6, 10, 15, 21)) }
        }
        state &+= SIMD4(a, b, c, d)
    }

    /// The first 32 bits of the fractions of the sines of 1 to 64, as the RFC lists them.
    private static let constants: [UInt32] = [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
        0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
        0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
        0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
        0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
        0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
        0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
        0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
    ]
}
