import Machines

/// What the header of a fragmented or progressive-less single-track file says, read from foreign bytes.
struct TrackLayout {
    /// Brands of `ftyp`, major first.
    let brands: [FourCC]
    let trackCount: Int
    let trackID: UInt32
    let kind: TrackKind
    let timescale: UInt32
    /// From a first edit with a media time; 0 otherwise.
    let primingTicks: UInt32
    /// The first sample entry, whole.
    let sampleEntry: [UInt8]
    let defaults: SampleDefaults
    let hasSamplesInHeader: Bool
    /// From the matrix of `tkhd`: the half turn, or none for every other one.
    let rotation: PictureRotation

    /// Values of `trex` or `tfhd` for what a run leaves out.
    struct SampleDefaults {
        var duration: UInt32 = 0
        var size: UInt32 = 0
        var flags: UInt32 = 0
    }

    /// Reads the contents of `ftyp` and `moov`; of several tracks that with this place, from 0. Nil when something that must be
    /// there is missing or does not fit.
    init?(fileType: ArraySlice<UInt8>, movie: ArraySlice<UInt8>, number: Int = 0) {
        var reader = ByteReader(fileType)
        guard let major = reader.u32(), reader.u32() != nil else { return nil }
        var brands = [FourCC(major)]
        while let brand = reader.u32() { brands.append(FourCC(brand)) }
        self.brands = brands
        guard let boxes = Box.list(movie) else { return nil }
        let tracks = boxes.filter { $0.type == "trak" }
        trackCount = tracks.count
        guard tracks.indices.contains(number), let track = tracks[number].children(), let header = track.first("tkhd"),
            let media = track.first("mdia")?.children(), let mediaHeader = media.first("mdhd"),
            let table = media.first("minf")?.children()?.first("stbl")?.children(),
            let entry = table.first("stsd")?.children(skipping: 8)?.first,
            let id = Self.number(header, at: 8, wideAt: 16), let scale = Self.number(mediaHeader, at: 8, wideAt: 16)
        else { return nil }
        guard id > 0, scale > 0, let kind = Self.kind(media) else { return nil }
        trackID = id
        let turn = (0...4).map { Self.number(header, at: 36 + 4 * $0, wideAt: 48 + 4 * $0) }
        rotation = turn == [0xffff_0000, 0, 0, 0, 0xffff_0000] ? .half : .none
        timescale = scale
        self.kind = kind
        primingTicks = Self.priming(track)
        var writer = BoxWriter()
        writer.box(entry.type.description) { $0.raw(Array(entry.contents)) }
        sampleEntry = writer.bytes
        defaults = Self.defaults(boxes, id) ?? SampleDefaults()
        var sizes = table.first("stsz").map { ByteReader($0.contents) }
        _ = sizes?.skip(8)
        hasSamplesInHeader = sizes?.u32() ?? 0 != 0
    }

    /// A 32-bit number after version and flags, whose place depends on the version.
    private static func number(_ box: Box, at narrow: Int, wideAt wide: Int) -> UInt32? {
        var reader = ByteReader(box.contents)
        guard let version = reader.u8(), reader.skip(3 + (version == 1 ? wide : narrow)) else { return nil }
        return reader.u32()
    }

    private static func kind(_ media: [Box]) -> TrackKind? {
        guard let box = media.first("hdlr") else { return nil }
        var reader = ByteReader(box.contents)
        guard reader.skip(8), let type = reader.u32() else { return nil }
        return FourCC(type) == "vide" ? .video : FourCC(type) == "soun" ? .audio : nil
    }

    private static func priming(_ track: [Box]) -> UInt32 {
        guard let list = track.first("edts")?.children()?.first("elst") else { return 0 }
        var reader = ByteReader(list.contents)
        guard let version = reader.u8(), reader.skip(3), let count = reader.u32() else { return 0 }
        for _ in 0..<min(count, 16) {
            let wide = version == 1
            guard reader.number(wide: wide) != nil, let time = reader.number(wide: wide), reader.skip(4) else { break }
            let signed = wide ? Int64(bitPattern: time) : Int64(Int32(truncatingIfNeeded: time))
            if signed >= 0 { return UInt32(clamping: signed) }
        }
        return 0
    }

    private static func defaults(_ movie: [Box], _ id: UInt32) -> SampleDefaults? {
        for box in movie.first("mvex")?.children() ?? [] where box.type == "trex" {
            var reader = ByteReader(box.contents)
            guard reader.skip(4), reader.u32() == id, reader.skip(4) else { continue }
            guard let duration = reader.u32(), let size = reader.u32(), let flags = reader.u32() else { return nil }
            return SampleDefaults(duration: duration, size: size, flags: flags)
        }
        return nil
    }
}
