@testable import Media

/// Parameter sets of H.264 that say what a test wants.
enum TestParameterSets {
    /// Writes bits, most significant first.
    private struct Bits {
        private(set) var bytes: [UInt8] = []
        private var used = 8

        mutating func bit(_ value: Bool) {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            if value { bytes[bytes.count - 1] |= 0x80 >> UInt8(used) }
            used += 1
        }

        /// ue(v).
        mutating func unsigned(_ value: Int) {
            let width = Int.bitWidth - (value + 1).leadingZeroBitCount
            for _ in 1..<width { bit(false) }
            for place in (0..<width).reversed() { bit((value + 1) >> place & 1 == 1) }
        }
    }

    /// A sequence parameter set of baseline profile, level 5.1; sizes in macroblocks of 16 by 16, `crop` from the right and
    /// from below in pixels.
    static func sps(id: Int = 0, columns: Int = 20, rows: Int = 15, references: Int = 1, crop: Int = 0) -> [UInt8] {
        var bits = Bits()
        for number in [id, 0, 2, references] { bits.unsigned(number) }
        bits.bit(false)
        bits.unsigned(columns - 1)
        bits.unsigned(rows - 1)
        for flag in [true, true, crop > 0] { bits.bit(flag) }
        if crop > 0 { for side in [0, crop / 2, 0, crop / 2] { bits.unsigned(side) } }
        for flag in [false, true] { bits.bit(flag) }
        return escaped([0x67, 66, 0xC0, 51] + bits.bytes)
    }

    /// A picture parameter set; the first fields only, which is what a recorder reads.
    static func pps(id: Int = 0, fill: UInt8 = 0x38) -> [UInt8] {
        var bits = Bits()
        for number in [id, 0] { bits.unsigned(number) }
        for flag in [false, false, true] { bits.bit(flag) }
        return escaped([0x68] + bits.bytes + [fill, 0x80])
    }

    /// With emulation prevention bytes.
    private static func escaped(_ unit: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        for byte in unit {
            if byte <= 3, out.suffix(2) == [0, 0] { out.append(3) }
            out.append(byte)
        }
        return out
    }
}
