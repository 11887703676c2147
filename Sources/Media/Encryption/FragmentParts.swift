/// Where the parts of a fragment lie that encryption changes; read from foreign bytes. What it takes is what Vigil writes: one
/// track, addressed from its `moof`, whose samples fill the `mdat` right behind it.
struct FragmentParts {
    /// The largest fragment, in bytes: places in it fit into the signed 32 bits of `trun`.
    static let bytesMax = 1 << 30

    /// The boxes whole, as places in the fragment.
    let movie: Range<Int>
    let track: Range<Int>
    /// Where the data offsets of the runs stand, four bytes each.
    let dataOffsets: [Int]
    /// What the encryption added at the end of `traf`: `saiz`, `saio`, `senc`. Empty in a plain fragment.
    let added: Range<Int>
    /// The contents of `senc`; nil in a plain fragment.
    let encryption: ArraySlice<UInt8>?
    /// The samples' bytes.
    let media: Range<Int>
    let sizes: [UInt32]

    /// The largest `moof`, in bytes: one that `TrackWalker` reads, and what the encryption adds.
    private static let movieBytesMax = 16 << 20
    /// The most boxes of a fragment.
    private static let boxesMax = 16
    private static let before: Set<FourCC> = ["prft", "styp", "emsg", "free", "skip", "uuid"]

    /// Finds the parts of a whole fragment.
    init(
        _ bytes: [UInt8], _ layout: TrackLayout, _ operation: EncryptionError.Operation
    ) throws(EncryptionError) {
        func error(_ cause: EncryptionError.Cause) -> EncryptionError {
            EncryptionError(operation, "a fragment", cause)
        }
        guard bytes.count <= Self.bytesMax else { throw error(.unsupported("it has \(bytes.count) bytes")) }
        guard let boxes = Self.boxes(bytes), boxes.count >= 2 else {
            throw error(.malformed("it is no run of whole boxes"))
        }
        let (moof, mdat) = (boxes[boxes.count - 2], boxes[boxes.count - 1])
        guard moof.type == "moof", mdat.type == "mdat", let movie = moof.range(in: bytes),
            movie.count <= Self.movieBytesMax
        else {
            throw error(.malformed("it does not end with moof and mdat"))
        }
        if let other = boxes.dropLast(2).first(where: { !Self.before.contains($0.type) }) {
            throw error(.unsupported("it has a box \(other.type)"))
        }
        guard let children = moof.children(), children.count(where: { $0.type == "traf" }) == 1,
            let track = children.first("traf"), let place = track.range(in: bytes), let inTrack = track.children(),
            inTrack.allSatisfy({ $0.range(in: bytes) != nil }),
            let parsed = ParsedFragment(
                moof.contents, position: UInt64(movie.lowerBound), layout: layout)
        else { throw error(.malformed("its moof is damaged, or of another track")) }
        guard let offsets = Self.dataOffsets(inTrack), Self.fills(mdat.contents, parsed) else {
            throw error(.unsupported("its samples do not fill its mdat in order"))
        }
        guard let added = Self.added(inTrack, endingAt: place.upperBound) else {
            throw error(.unsupported("it is encrypted otherwise"))
        }
        self.movie = movie
        self.track = place
        dataOffsets = offsets
        self.added = added
        encryption = inTrack.last.flatMap { $0.type == "senc" ? $0.contents : nil }
        media = mdat.contents.startIndex..<mdat.contents.endIndex
        sizes = parsed.samples.map(\.size)
    }

    /// Whether it may become so many bytes longer.
    func canGrow(by count: Int) -> Bool {
        media.upperBound <= Self.bytesMax - count && movie.count <= Self.movieBytesMax - count
    }

    /// The fragment with `boxes` in the place of `added`, its sizes and places moved by the difference.
    func replacing(_ bytes: [UInt8], with boxes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count - added.count + boxes.count)
        out += bytes[..<added.lowerBound]
        out += boxes
        out += bytes[added.upperBound...]
        let change = UInt32(truncatingIfNeeded: boxes.count - added.count)
        for place in [movie.lowerBound, track.lowerBound] + dataOffsets { out.add(change, at: place) }
        return out
    }

    /// The boxes of a fragment; nil where one does not fit, has its size elsewhere than in 32 bits, or there are too many.
    private static func boxes(_ bytes: [UInt8]) -> [Box]? {
        var (boxes, place) = ([Box](), 0)
        while place < bytes.count {
            guard boxes.count < boxesMax, let size = bytes.number32(at: place),
                let type = bytes.number32(at: place + 4),
                size >= 8, UInt64(size) <= UInt64(bytes.count - place)
            else { return nil }
            let end = place + Int(size)
            boxes.append(Box(type: FourCC(type), contents: bytes[place + 8..<end]))
            place = end
        }
        return boxes
    }

    /// Where the data offsets stand; nil where samples are addressed otherwise than from their `moof`.
    private static func dataOffsets(_ track: [Box]) -> [Int]? {
        guard let header = track.first("tfhd") else { return nil }
        var reader = ByteReader(header.contents)
        guard let flags = reader.u32(), flags & 0x01 == 0 else { return nil }
        var places: [Int] = []
        for run in track where run.type == "trun" {
            var reader = ByteReader(run.contents)
            guard let flags = reader.u32(), flags & 0x01 != 0, reader.skip(8) else { return nil }
            places.append(run.contents.startIndex + 8)
        }
        return places
    }

    private static func fills(_ media: ArraySlice<UInt8>, _ parsed: ParsedFragment) -> Bool {
        var end = UInt64(media.startIndex)
        for run in parsed.runs {
            guard run.dataOffset == end else { return false }
            // Both are bounded: the runs before ended in the fragment, and a run has at most 2^16 samples of 32 bits.
            end += run.bytes
            guard end <= UInt64(media.endIndex) else { return false }
        }
        return end == UInt64(media.endIndex)
    }

    /// The place of `saiz`, `saio` and `senc`, or of `senc` alone, at the end of `traf`; empty where there is none of them. Nil
    /// where one of them stands elsewhere.
    private static func added(_ track: [Box], endingAt end: Int) -> Range<Int>? {
        let types = track.map(\.type)
        let own: [FourCC] = ["saiz", "saio", "senc"]
        let count = types.suffix(3) == own[...] ? 3 : types.last == "senc" ? 1 : 0
        guard !types.dropLast(count).contains(where: { own.contains($0) }) else { return nil }
        let start = count == 0 ? end : track[track.count - count].contents.startIndex - 8
        return start..<end
    }
}
