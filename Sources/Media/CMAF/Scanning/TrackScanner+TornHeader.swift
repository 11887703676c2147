import Glibc

extension TrackScanner {
    /// A header is never this long, in bytes.
    private static let headerBytesMax: UInt64 = 64 << 10

    /// Whether the file at `path` is what a crash leaves of a track file that had just been made: a header that was never
    /// whole, or zeros in its place. No media can be in it that a sync has kept. Anything else, also a track file, is false.
    /// Blocking.
    public static func isTornHeader(path: String) throws(TrackFileError) -> Bool {
        let file = try RawFile(path, flags: O_RDONLY | O_NONBLOCK, as: .open)
        let size = try file.size()
        let bytes = try file.read(Int(min(size, headerBytesMax)), at: 0)
        // A power cut may lose the header's blocks and keep media behind them.
        if LostBlocks.firstBlock(of: Array(bytes.prefix(Int(LostBlocks.blockBytes)))) != nil { return true }
        // Boxes are `ftyp` and `moov`, in this order; the last of what is there ends after the file.
        var expected = ["ftyp", "moov"][...]
        var offset = 0
        while let type = expected.popFirst() {
            let rest = bytes[offset...]
            if rest.allSatisfy({ $0 == 0 }) { return true }
            guard rest.count >= 8 else { return true }
            guard Array(rest.dropFirst(4).prefix(4)) == Array(type.utf8) else { return false }
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length >= 8 else { return false }
            if length > rest.count { return size < headerBytesMax }
            offset += length
        }
        let lost = LostBlocks.firstBlock(of: bytes).map { $0 < offset }
        return lost ?? false
    }
}
