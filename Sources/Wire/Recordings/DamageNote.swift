/// What of an export is zeros because it could not be read, as a box behind the movie: players pass over it (`free`, ISO/IEC
/// 14496-12, 8.1.2), whoever keeps the file can look it up, and a client finds it whose HTTP library hides trailers.
public enum DamageNote {
    /// The most bytes of a note with its box.
    public static let bytesMax = 4_096

    private static let mark = Array("freeVigil-Damaged: ".utf8)

    /// The box with a note; text beyond `bytesMax` is left out.
    package static func box(_ note: String) -> [UInt8] {
        let contents = mark + Array(note.utf8).prefix(bytesMax - mark.count - 4)
        let size = UInt32(clamping: contents.count + 4)
        return withUnsafeBytes(of: size.bigEndian) { Array($0) } + contents
    }

    /// The note at the end of a movie, of which `tail` is the last `bytesMax` bytes, or all of it; nil where there is none.
    public static func read(_ tail: [UInt8]) -> String? {
        let tail = tail.suffix(bytesMax)
        guard
            let start = tail.indices.first(where: { index in
                guard tail.endIndex - index > mark.count + 4, tail[(index + 4)...].starts(with: mark) else {
                    return false
                }
                // It ends with the movie.
                return tail[index..<index + 4].reduce(0) { $0 << 8 | Int($1) } == tail.endIndex - index
            })
        else { return nil }
        return String(decoding: tail[(start + 4 + mark.count)...], as: UTF8.self)
    }
}
