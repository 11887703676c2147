/// Bits of a parameter set or a slice header, most significant first, and the Exp-Golomb codes in them (H.264 clause 9.1, H.265
/// clause 9.2). Whoever reads foreign bytes so is told by a thrown error where they end, and never traps.
protocol BitSource {
    /// What is being read, for errors.
    var subject: String { get }
    /// The next `count` bits, 0…32.
    mutating func bits(_ count: Int) throws(BitstreamError) -> UInt32
    /// Steps over `count` bits.
    mutating func skip(_ count: Int) throws(BitstreamError)
}

extension BitSource {
    /// One bit as a truth value.
    mutating func flag() throws(BitstreamError) -> Bool { try bits(1) != 0 }

    /// ue(v), at most 2^32 - 2.
    mutating func unsigned() throws(BitstreamError) -> UInt32 {
        var zeros = 0
        while try !flag() {
            zeros += 1
            guard zeros < 32 else { throw BitstreamError(subject, .outOfRange(field: "Exp-Golomb code", value: 32)) }
        }
        return UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(zeros)) - 1 + UInt64(try bits(zeros)))
    }

    /// ue(v) that must not exceed `limit`; `field` is its name in the standard, for errors.
    mutating func unsigned(_ field: String, max limit: Int) throws(BitstreamError) -> Int {
        let value = Int(try unsigned())
        guard value <= limit else { throw BitstreamError(subject, .outOfRange(field: field, value: Int64(value))) }
        return value
    }

    /// se(v).
    mutating func signed() throws(BitstreamError) -> Int64 {
        let code = Int64(try unsigned())
        return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
    }

    /// Steps over `count` codes, ue(v) or se(v).
    mutating func skipCodes(_ count: Int) throws(BitstreamError) {
        for _ in 0..<max(0, count) { _ = try unsigned() }
    }
}

extension Int {
    /// Bits that hold any of this many values: Ceil(Log2(self)), 0 for 0 and 1.
    var bitsOfValues: Int { self < 2 ? 0 : Int.bitWidth - (self - 1).leadingZeroBitCount }
}
