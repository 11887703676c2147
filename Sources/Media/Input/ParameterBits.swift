/// Reads the bits of an H.264 or H.265 NAL unit's payload, skipping emulation prevention bytes. Every read past the end
/// gives nil.
struct ParameterBits {
    private let bytes: [UInt8]
    private var position = 0

    /// Reads `nal` after its `headerBytes`, at most the first 512 bytes: no parameter set's head is longer.
    init(nal: some Sequence<UInt8>, headerBytes: Int) {
        var plain: [UInt8] = []
        var zeros = 0
        for byte in nal.dropFirst(headerBytes).prefix(512) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            plain.append(byte)
        }
        bytes = plain
    }

    /// One bit.
    mutating func bit() -> Bool? { bits(1).map { $0 == 1 } }

    /// `count` bits, 0…32.
    mutating func bits(_ count: Int) -> UInt32? {
        guard count >= 0, count <= 32, position + count <= bytes.count * 8 else { return nil }
        var value: UInt32 = 0
        for _ in 0..<count {
            value = value << 1 | UInt32(bytes[position >> 3] >> UInt8(7 - position & 7) & 1)
            position += 1
        }
        return value
    }

    /// Passes over `count` bits.
    mutating func skip(_ count: Int) -> Void? {
        guard count >= 0, position + count <= bytes.count * 8 else { return nil }
        position += count
        return ()
    }

    /// An unsigned Exp-Golomb code, up to 2^31.
    mutating func unsigned() -> UInt32? {
        var zeros = 0
        while let bit = bit(), !bit {
            zeros += 1
            guard zeros < 32 else { return nil }
        }
        guard let rest = bits(zeros), zeros < 32 else { return nil }
        return UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(zeros)) - 1 + UInt64(rest))
    }

    /// A signed Exp-Golomb code.
    mutating func signed() -> Int32? {
        guard let code = unsigned() else { return nil }
        let half = Int32(truncatingIfNeeded: (UInt64(code) + 1) / 2)
        return code & 1 == 1 ? half : -half
    }
}
