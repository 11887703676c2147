import Machines

/// Where the parts of a track file's header lie that encryption changes; read from foreign bytes.
struct HeaderParts {
    private static let before: Set<FourCC> = ["ftyp", "free", "skip", "styp", "uuid"]
    /// Bytes of a sample entry before its boxes.
    private static let entryBytes: [TrackKind: Int] = [.video: 78, .audio: 28]

    let layout: TrackLayout
    /// `moov`, `trak`, `mdia`, `minf`, `stbl`, `stsd` and the sample entry, whole, as places in the header.
    let ancestors: [Range<Int>]
    /// The sample entry's boxes.
    let inEntry: [Box]
    /// The boxes of `moov`.
    let inMovie: [Box]
    let entryType: FourCC

    /// Nil where the bytes are no header of one track with one sample entry.
    init?(_ bytes: [UInt8]) {
        guard let boxes = Box.list(bytes[...]), let movie = boxes.last, movie.type == "moov",
            boxes.dropLast().allSatisfy({ Self.before.contains($0.type) }), let fileType = boxes.first("ftyp"),
            let layout = TrackLayout(fileType: fileType.contents, movie: movie.contents), layout.trackCount == 1,
            !layout.hasSamplesInHeader, let entryBytes = Self.entryBytes[layout.kind]
        else { return nil }
        var path = [movie]
        for type: FourCC in ["trak", "mdia", "minf", "stbl", "stsd"] {
            guard let next = path.last?.children()?.first(type) else { return nil }
            path.append(next)
        }
        guard let entries = path.last?.children(skipping: 8), entries.count == 1, let entry = entries.first,
            let inEntry = entry.children(skipping: entryBytes), let inMovie = movie.children()
        else { return nil }
        path.append(entry)
        let ranges = path.compactMap { $0.range(in: bytes) }
        guard ranges.count == path.count, (inEntry + inMovie).allSatisfy({ $0.range(in: bytes) != nil }) else {
            return nil
        }
        self.layout = layout
        ancestors = ranges
        self.inEntry = inEntry
        self.inMovie = inMovie
        entryType = entry.type
    }

    /// Where the sample entry ends.
    var entryEnd: Int { ancestors.last?.upperBound ?? 0 }
    /// Where the sample entry's type stands.
    var entryTypePlace: Int { (ancestors.last?.lowerBound ?? 0) + 4 }
}
