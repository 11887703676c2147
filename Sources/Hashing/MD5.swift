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

    /// Takes in whole blocks of 64 bytes.
    private static func compress(_ blocks: UnsafeBufferPointer<UInt8>, _ state: inout SIMD4<UInt32>) {
        let bytes = UnsafeRawBufferPointer(blocks)
        var sum = state
        Self.constants.withUnsafeBufferPointer { constants in
            for start in stride(from: 0, to: bytes.count, by: 64) {
                var (a, b, c, d) = (sum[0], sum[1], sum[2], sum[3])
                /// The message's word of a step, with the step's constant.
                func word(_ step: Int, _ index: Int) -> UInt32 {
                    let taken = bytes.loadUnaligned(fromByteOffset: start + 4 * (index & 15), as: UInt32.self)
                    return UInt32(littleEndian: taken) &+ constants[step]
                }
                for step in stride(from: 0, to: 16, by: 4) {
                    a = b &+ rotate(a &+ (d ^ (b & (c ^ d))) &+ word(step, step), 7)
                    d = a &+ rotate(d &+ (c ^ (a & (b ^ c))) &+ word(step + 1, step + 1), 12)
                    c = d &+ rotate(c &+ (b ^ (d & (a ^ b))) &+ word(step + 2, step + 2), 17)
                    b = c &+ rotate(b &+ (a ^ (c & (d ^ a))) &+ word(step + 3, step + 3), 22)
                }
                for step in stride(from: 16, to: 32, by: 4) {
                    a = b &+ rotate(a &+ (c ^ (d & (b ^ c))) &+ word(step, 5 * step + 1), 5)
                    d = a &+ rotate(d &+ (b ^ (c & (a ^ b))) &+ word(step + 1, 5 * step + 6), 9)
                    c = d &+ rotate(c &+ (a ^ (b & (d ^ a))) &+ word(step + 2, 5 * step + 11), 14)
                    b = c &+ rotate(b &+ (d ^ (a & (c ^ d))) &+ word(step + 3, 5 * step + 16), 20)
                }
                for step in stride(from: 32, to: 48, by: 4) {
                    a = b &+ rotate(a &+ (b ^ c ^ d) &+ word(step, 3 * step + 5), 4)
                    d = a &+ rotate(d &+ (a ^ b ^ c) &+ word(step + 1, 3 * step + 8), 11)
                    c = d &+ rotate(c &+ (d ^ a ^ b) &+ word(step + 2, 3 * step + 11), 16)
                    b = c &+ rotate(b &+ (c ^ d ^ a) &+ word(step + 3, 3 * step + 14), 23)
                }
                for step in stride(from: 48, to: 64, by: 4) {
                    a = b &+ rotate(a &+ (c ^ (b | ~d)) &+ word(step, 7 * step), 6)
                    d = a &+ rotate(d &+ (b ^ (a | ~c)) &+ word(step + 1, 7 * step + 7), 10)
                    c = d &+ rotate(c &+ (a ^ (d | ~b)) &+ word(step + 2, 7 * step + 14), 15)
                    b = c &+ rotate(b &+ (d ^ (c | ~a)) &+ word(step + 3, 7 * step + 21), 21)
                }
                sum &+= SIMD4(a, b, c, d)
            }
        }
        state = sum
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word &<< count | word &>> (32 &- count) }

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
