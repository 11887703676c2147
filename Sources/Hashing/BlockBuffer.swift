/// Hands bytes on by whole blocks of 64, one or more at a time, as MD5 and SHA-256 take them in, and keeps what is not a whole block
/// yet.
struct BlockBuffer: Sendable {
    /// How many bytes there were.
    private var count: UInt64 = 0
    private var block = [UInt8](repeating: 0, count: 64)

    /// Whether nothing is kept: the next byte begins a block.
    var isAtBlock: Bool { count % 64 == 0 }

    /// Counts whole blocks that somebody else has taken in.
    mutating func skip(_ bytes: Int) { count &+= UInt64(bytes) }

    /// Takes bytes in; `compress` is given all whole blocks.
    mutating func take(_ more: some Collection<UInt8>, _ compress: (UnsafeBufferPointer<UInt8>) -> Void) {
        if more.withContiguousStorageIfAvailable({ take(contiguous: $0, compress) }) == nil {
            Array(more).withUnsafeBufferPointer { take(contiguous: $0, compress) }
        }
    }

    /// Takes in what ends a sum: a bit, zeros, and the number of bits in eight bytes.
    mutating func end(isBigEndian: Bool, _ compress: (UnsafeBufferPointer<UInt8>) -> Void) {
        let bits = count &* 8
        let used = Int(count % 64) + 1
        var end: [UInt8] = [0x80] + [UInt8](repeating: 0, count: (used <= 56 ? 56 : 120) - used)
        for place in 0..<UInt64(8) {
            end.append(UInt8(truncatingIfNeeded: bits >> (8 * (isBigEndian ? 7 - place : place))))
        }
        take(end, compress)
    }

    private mutating func take(
        contiguous more: UnsafeBufferPointer<UInt8>, _ compress: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var (filled, index) = (Int(count % 64), 0)
        count &+= UInt64(more.count)
        while index < more.count {
            if filled == 0, more.count - index >= 64 {
                // Whole blocks are taken in where they lie.
                let end = more.count - (more.count - index) % 64
                compress(UnsafeBufferPointer(rebasing: more[index..<end]))
                index = end
                continue
            }
            let taken = min(64 - filled, more.count - index)
            for offset in 0..<taken { block[filled + offset] = more[index + offset] }
            filled += taken
            index += taken
            if filled == 64 {
                block.withUnsafeBufferPointer { compress($0) }
                filled = 0
            }
        }
    }
}
