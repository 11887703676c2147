/// Reads the bits of a NAL unit and knows how many of the unit's own bytes they take, emulation prevention bytes (00 00 03)
/// included. Nothing is copied, so reading a slice header costs nothing but the header. Total: it throws where the unit, or
/// `bytesMax`, ends.
struct SliceBits: BitSource {
    /// The longest header that is read, in bytes: with an entry point for each row of blocks it may take some thousand.
    static let bytesMax = 16 << 10

    let subject = "slice header"
    private let unit: UnsafeRawBufferPointer
    private var current: UInt8 = 0
    private var bitsLeft = 0
    private var zeros = 0
    /// Bytes of the unit that were begun.
    private(set) var bytesRead: Int

    /// Reads `unit`, a NAL unit, after its header of `headerBytes`.
    init(_ unit: UnsafeRawBufferPointer, headerBytes: Int) {
        self.unit = UnsafeRawBufferPointer(rebasing: unit.prefix(Self.bytesMax))
        bytesRead = headerBytes
    }

    /// One bit as a truth value.
    mutating func flag() throws(BitstreamError) -> Bool {
        if bitsLeft == 0 { try begin() }
        bitsLeft -= 1
        return current >> UInt8(truncatingIfNeeded: bitsLeft) & 1 != 0
    }

    /// The next `count` bits, 0…32.
    mutating func bits(_ count: Int) throws(BitstreamError) -> UInt32 {
        var value: UInt32 = 0
        var wanted = count
        while wanted > 0 {
            if bitsLeft == 0 { try begin() }
            let take = min(bitsLeft, wanted)
            bitsLeft -= take
            let part = current >> UInt8(truncatingIfNeeded: bitsLeft) & UInt8(truncatingIfNeeded: (1 << take) - 1)
            // Widens a byte; `take` is 1…8.
            value = value << UInt32(truncatingIfNeeded: take) | UInt32(part)
            wanted -= take
        }
        return value
    }

    /// Steps over `count` bits.
    mutating func skip(_ count: Int) throws(BitstreamError) {
        var left = count
        while left > 0 {
            _ = try bits(min(32, left))
            left -= 32
        }
    }

    private mutating func begin() throws(BitstreamError) {
        guard bytesRead < unit.count else { throw BitstreamError(subject, .truncated) }
        if zeros >= 2, unit[bytesRead] == 3 {
            zeros = 0
            bytesRead += 1
            guard bytesRead < unit.count else { throw BitstreamError(subject, .truncated) }
        }
        current = unit[bytesRead]
        zeros = current == 0 ? zeros + 1 : 0
        bytesRead += 1
        bitsLeft = 8
    }

    /// A code that must not exceed `limit`.
    mutating func unsigned(max limit: Int) throws(BitstreamError) -> Int { try unsigned("code", max: limit) }
}
