internal import CHashing

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4), by the processor's own instructions where it has them, else eight bytes at a time
/// over tables ("slicing by eight"). It finds damage on the
/// way, and no forger.
package struct CRC32C: Hashable, Sendable {
    var state: UInt32 = 0xffff_ffff
    private let isPlain: Bool

    /// Nothing taken in. `isPlain` leaves the processor's own instructions aside, which changes nothing but the time.
    package init(isPlain: Bool = false) { self.isPlain = isPlain }

    /// The checksum of what was taken in so far.
    package var value: UInt32 { ~state }

    /// Takes bytes in.
    package mutating func update(_ more: some Collection<UInt8>) {
        if more.withContiguousStorageIfAvailable({ take($0) }) == nil {
            Array(more).withUnsafeBufferPointer { take($0) }
        }
    }

    /// The checksum of `bytes`.
    package static func value(of bytes: some Collection<UInt8>) -> UInt32 {
        var sum = CRC32C()
        sum.update(bytes)
        return sum.value
    }

    /// The checksum of two stretches one after the other, from the checksum of each and the length of the second in bytes.
    package static func joined(_ first: UInt32, _ second: UInt32, secondBytes: UInt64) -> UInt32 {
        // Appending zero bytes multiplies the remainder by a power of x; squaring gives the power for twice as many.
        var (power, zeros, count) = (UInt32(0x0080_0000), first, secondBytes)
        while count > 0 {
            if count & 1 == 1 { zeros = product(power, zeros) }
            power = product(power, power)
            count >>= 1
        }
        return zeros ^ second
    }

    /// The product of two polynomials modulo Castagnoli's; the highest bit is the lowest power of x.
    private static func product(_ a: UInt32, _ b: UInt32) -> UInt32 {
        var (b, sum) = (b, UInt32(0))
        for bit in 0..<32 {
            if a & (0x8000_0000 >> UInt32(bit)) != 0 { sum ^= b }
            b = b >> 1 ^ (b & 1 == 1 ? polynomial : 0)
        }
        return sum
    }

    private mutating func take(_ more: UnsafeBufferPointer<UInt8>) {
        if !isPlain, vigil_crc32c(&state, more.baseAddress, more.count) { return }
        var (crc, index) = (state, 0)
        Self.tables.withUnsafeBufferPointer { table in
            while index + 8 <= more.count {
                let low =
                    crc ^ UInt32(more[index]) ^ UInt32(more[index + 1]) << 8 ^ UInt32(more[index + 2]) << 16
                    ^ UInt32(more[index + 3]) << 24
                crc =
                    table[0x700 + Int(low & 255)] ^ table[0x600 + Int(low >> 8 & 255)]
                    ^ table[0x500 + Int(low >> 16 & 255)] ^ table[0x400 + Int(low >> 24)]
                    ^ table[0x300 + Int(more[index + 4])] ^ table[0x200 + Int(more[index + 5])]
                    ^ table[0x100 + Int(more[index + 6])] ^ table[Int(more[index + 7])]
                index += 8
            }
            while index < more.count {
                crc = crc >> 8 ^ table[Int(crc & 255) ^ Int(more[index])]
                index += 1
            }
        }
        state = crc
    }

    private static let polynomial: UInt32 = 0x82f6_3b78

    /// Eight tables of 256 words: what a byte adds that 0 to 7 bytes follow.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 2048)
        for byte in 0..<256 {
            var word = UInt32(byte)
            for _ in 0..<8 { word = word >> 1 ^ (word & 1 == 1 ? polynomial : 0) }
            tables[byte] = word
        }
        for index in 256..<2048 { tables[index] = tables[index - 256] >> 8 ^ tables[Int(tables[index - 256] & 255)] }
        return tables
    }()
}
