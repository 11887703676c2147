/// Finds fragments that a power cut has taken the media of. A file system may keep a file's length and its last blocks, and
/// lose blocks before them that were not synced: they read as zeros, and the boxes around them are whole.
enum LostBlocks {
    /// Every file system keeps or loses multiples of this many bytes.
    static let blockBytes: UInt64 = 512
    /// What a block that the file ends in must have of zeros at least: some sound ends in a few.
    static let tailBytes = 8
    /// What may not have been synced yet, in milliseconds of media: the longest interval, and the fragments around it.
    static let unsyncedMs: UInt64 = 90_000

    /// The first fragment near the end of a file that a block of zeros lies in; nil if there is none. No coded picture and no
    /// sound holds one. `end` is the end of the last fragment. Blocking.
    static func first(in index: FragmentIndex, upTo end: UInt64, of file: any TrackBytes) throws(TrackFileError) -> Int?
    {
        let ticks = unsyncedMs.multipliedFullWidth(by: UInt64(index.timescale))
        let window = ticks.high == 0 ? ticks.low / 1_000 : .max
        guard let last = index.entries.last?.endTime,
            let from = index.entries.firstIndex(where: { last < $0.decodeTime || last - $0.decodeTime <= window })
        else { return nil }
        let size = try file.size()
        var offset = index.entries[from].offset / blockBytes * blockBytes
        while offset < end {
            let bytes = try file.read(Int(min(1 << 20, size - min(size, offset))), at: offset)
            guard !bytes.isEmpty else { return nil }
            if let zeros = firstBlock(of: bytes) {
                let lost = offset + UInt64(zeros)
                // A block that begins before a fragment may end in it.
                return index.entries.indices.first {
                    $0 >= from && index.entries[$0].offset + index.entries[$0].size > lost
                }
            }
            offset += UInt64(bytes.count)
        }
        return nil
    }

    /// Where in `bytes`, which begin with a block, the first block of zeros begins.
    static func firstBlock(of bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: Int(blockBytes)).first { start in
                let block = bytes[start..<min(start + Int(blockBytes), bytes.count)]
                return block.count >= tailBytes && block.allSatisfy { $0 == 0 }
            }
        }
    }
}
