/// Walks a track file from fragment to fragment. Reads box headers and `moof` boxes only, never the media, so the cost is a
/// few kilobytes per fragment and the memory that of one `moof`. Stops at the first thing that is no whole fragment.
struct TrackWalker {
    /// The largest `moov` or `moof` that is read into memory.
    private static let maxBox: UInt64 = 4 << 20
    /// One read of this size usually holds all of a fragment that is of interest.
    private static let readAhead = 4096

    /// A whole fragment.
    struct Found {
        let offset: UInt64
        let end: UInt64
        let movie: ParsedFragment
        /// The payload of `mdat`.
        let media: Range<UInt64>
    }

    let file: any TrackBytes
    let size: UInt64
    let layout: TrackLayout
    let headerBytes: UInt64
    /// The end of the last whole fragment, or of the header.
    private(set) var position: UInt64
    /// Why the walk ended before the end of the file; nil when it did not, or goes on.
    private(set) var damage: String?

    private var window: [UInt8] = []
    private var windowStart: UInt64 = 0

    /// Reads the header of a file.
    init(_ file: any TrackBytes) throws(TrackFileError) {
        self.file = file
        size = try file.size()
        var reading = Reading(file: file, size: size)
        (layout, headerBytes) = try reading.header()
        position = headerBytes
    }

    /// Walks through a part of a file whose header is known: from byte `start`, where a fragment begins, to `end`.
    init(file: any TrackBytes, layout: TrackLayout, headerBytes: UInt64, from start: UInt64, to end: UInt64) {
        self.file = file
        self.layout = layout
        self.headerBytes = headerBytes
        size = end
        position = start
    }

    /// The next whole fragment; nil at the end, be it of the file or of what is sound.
    mutating func next() throws(TrackFileError) -> Found? {
        guard damage == nil, position < size else { return nil }
        var reading = Reading(file: file, size: size, window: window, windowStart: windowStart)
        defer {
            window = reading.window
            windowStart = reading.windowStart
        }
        var cursor = position
        while cursor < size {
            guard let box = try reading.boxHeader(at: cursor) else { return stop("a box that ends after the file") }
            switch box.type {
            case "moof": return try fragment(moof: box, &reading)
            case "mfra":
                guard box.end == size else { return stop("data after the last fragment") }
                position = box.end
                return nil
            case "prft", "styp", "sidx", "ssix", "emsg", "free", "skip", "uuid": cursor = box.end
            default: return stop("an unexpected box at byte \(cursor)")
            }
        }
        return stop("no fragment at the end")
    }

    private mutating func fragment(moof: Reading.Header, _ reading: inout Reading) throws(TrackFileError) -> Found? {
        guard moof.contents.count <= Self.maxBox else { return stop("a moof of \(moof.contents.count) bytes") }
        let bytes = try reading.bytes(moof.contents)
        guard let movie = ParsedFragment(bytes[...], position: moof.start, layout: layout) else {
            return stop("a damaged moof at byte \(moof.start)")
        }
        guard let media = try reading.boxHeader(at: moof.end), media.type == "mdat" else {
            return stop("a moof without its mdat at byte \(moof.start)")
        }
        for run in movie.runs {
            let (end, overflow) = run.dataOffset.addingReportingOverflow(run.bytes)
            guard !overflow, run.dataOffset >= media.contents.lowerBound, end <= media.end else {
                return stop("samples outside of their mdat at byte \(moof.start)")
            }
        }
        let found = Found(offset: position, end: media.end, movie: movie, media: media.contents)
        position = media.end
        return found
    }

    private mutating func stop(_ why: String) -> Found? {
        damage = why
        return nil
    }

    /// Reads through a small window.
    struct Reading {
        struct Header {
            let type: FourCC
            let start: UInt64
            let contents: Range<UInt64>
            var end: UInt64 { contents.upperBound }
        }

        let file: any TrackBytes
        let size: UInt64
        var window: [UInt8] = []
        var windowStart: UInt64 = 0

        /// The header of the box at `offset`; nil when the box does not fit into the file.
        mutating func boxHeader(at offset: UInt64) throws(TrackFileError) -> Header? {
            guard offset < size else { return nil }
            var reader = ByteReader(try bytes(offset..<min(size, offset + 16))[...])
            guard let size32 = reader.u32(), let type = reader.u32() else { return nil }
            var header: UInt64 = 8
            var length = UInt64(size32)
            if size32 == 1 {
                guard let large = reader.u64() else { return nil }
                header = 16
                length = large
            }
            guard length >= header, length <= size - offset else { return nil }
            return Header(type: FourCC(type), start: offset, contents: offset + header..<offset + length)
        }

        /// The bytes in `range`, which lies in the file; fewer when the file shrank meanwhile.
        mutating func bytes(_ range: Range<UInt64>) throws(TrackFileError) -> [UInt8] {
            if range.lowerBound < windowStart || range.upperBound > windowStart + UInt64(window.count) {
                windowStart = range.lowerBound
                let count = min(UInt64(max(range.count, TrackWalker.readAhead)), size - range.lowerBound)
                window = try file.read(Int(count), at: range.lowerBound)
            }
            let start = Int(range.lowerBound - windowStart)
            let end = min(window.count, start + range.count)
            return start < end ? Array(window[start..<end]) : []
        }

        /// Reads `ftyp` and `moov`.
        mutating func header() throws(TrackFileError) -> (TrackLayout, UInt64) {
            var fileType: [UInt8]?
            var cursor: UInt64 = 0
            while let box = try boxHeader(at: cursor) {
                switch box.type {
                case "ftyp" where box.contents.count <= 4096: fileType = try bytes(box.contents)
                case "moov":
                    guard let fileType, box.contents.count <= TrackWalker.maxBox else { break }
                    let movie = try bytes(box.contents)
                    guard let layout = TrackLayout(fileType: fileType[...], movie: movie[...]) else {
                        throw TrackFileError(.read, file.path, .malformed("the header (moov) is damaged"))
                    }
                    return (layout, box.end)
                case "free", "skip", "styp", "uuid", "sidx": break
                default: throw TrackFileError(.read, file.path, .malformed("no track file: no header at its start"))
                }
                cursor = box.end
            }
            throw TrackFileError(.read, file.path, .malformed("the header (ftyp, moov) is missing or cut off"))
        }
    }
}
