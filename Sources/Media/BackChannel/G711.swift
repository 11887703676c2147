/// G.711: eight bits for a sample. Decoding and encoding again gives the same bytes, but for the second zero of the µ-law.
enum G711 {
    /// Which of both laws.
    enum Law: Hashable, Sendable {
        case mu
        case a

        /// A sample of silence.
        var silence: UInt8 { self == .mu ? 0xFF : 0xD5 }
    }

    /// The sample that a byte codes (ITU-T G.711, tables 1 and 2), over 16 bits.
    static func decode(_ byte: UInt8, _ law: Law) -> Int16 {
        switch law {
        case .mu:
            let value = ~byte
            let magnitude = (step(value) << 3 + 0x84) << segment(value) - 0x84
            return value & 0x80 != 0 ? -magnitude : magnitude
        case .a:
            let value = byte ^ 0x55
            let (step, segment) = (step(value) << 4, segment(value))
            let magnitude = segment == 0 ? step + 8 : (step + 0x108) << (segment - 1)
            return value & 0x80 != 0 ? magnitude : -magnitude
        }
    }

    private static func step(_ value: UInt8) -> Int16 { Int16(truncatingIfNeeded: value & 0x0F) }
    private static func segment(_ value: UInt8) -> Int16 { Int16(truncatingIfNeeded: value >> 4 & 7) }

    /// In which power of two a magnitude lies, counted from 128 … 255.
    private static func segment(ofMagnitude magnitude: Int32) -> Int32 {
        max(0, 24 - Int32(truncatingIfNeeded: magnitude.leadingZeroBitCount))
    }

    /// The byte that is nearest to a sample.
    static func encode(_ sample: Int16, _ law: Law) -> UInt8 {
        let sample = Int32(truncatingIfNeeded: sample)
        switch law {
        case .mu:
            let magnitude = min(sample < 0 ? -sample : sample, 32_635) + 0x84
            let segment = segment(ofMagnitude: magnitude)
            let byte = UInt8(truncatingIfNeeded: segment << 4 | magnitude >> (segment + 3) & 0x0F)
            return ~(sample < 0 ? byte | 0x80 : byte)
        case .a:
            // The negative values are those below 0, of which the smallest is -1.
            let magnitude = sample < 0 ? ~sample : sample
            let segment = segment(ofMagnitude: magnitude)
            let step = segment < 2 ? magnitude >> 4 : magnitude >> (segment + 3)
            let byte = UInt8(truncatingIfNeeded: segment << 4 | step & 0x0F)
            return (sample < 0 ? byte : byte | 0x80) ^ 0x55
        }
    }
}
