/// What comes before the fragments of a track, in the header of a movie (`ftyp`, `moov`), read from foreign bytes.
struct MovieHeader: Hashable, Sendable {
    /// What a sample has of which its fragment says nothing (`trex`).
    struct Defaults: Hashable, Sendable {
        var duration: UInt32 = 0
        var size: UInt32 = 0
        var flags: UInt32 = 0
    }

    let trackID: UInt32
    let format: FrameFormat
    let defaults: Defaults

    /// The largest header, and the most tracks in it.
    static let bytesMax = 1 << 20, tracksMax = 8

    /// Reads the header of one track; nil where it is damaged, or holds no track that is known.
    init?(_ bytes: [UInt8]) {
        guard let track = Self.tracks(of: bytes)?.first else { return nil }
        self = track
    }

    /// The tracks that are known; nil where the header is damaged, or there are none, or too many.
    static func tracks(of bytes: [UInt8]) -> [MovieHeader]? {
        guard bytes.count <= bytesMax, let movie = MediaBox.list(bytes[...])?.first(where: { $0.type == "moov" }),
            let boxes = movie.children()?.filter({ $0.type == "trak" }), boxes.count <= tracksMax
        else { return nil }
        let extending = movie.inner("mvex")?.children()?.filter { $0.type == "trex" } ?? []
        let tracks = boxes.compactMap { MovieHeader($0, extending) }
        return tracks.isEmpty ? nil : tracks
    }

    private init?(_ track: MediaBox, _ extending: [MediaBox]) {
        guard let media = track.inner("mdia"), let id = Self.trackID(track), let scale = Self.timescale(media),
            let descriptions = media.inner("minf", "stbl", "stsd"),
            let entry = descriptions.children(skipping: 8)?.first, let format = Self.format(entry, scale)
        else { return nil }
        trackID = id
        self.format = format
        defaults = extending.lazy.compactMap { Self.defaults($0, of: id) }.first ?? Defaults()
    }

    private static func trackID(_ track: MediaBox) -> UInt32? {
        guard let header = track.inner("tkhd") else { return nil }
        var reader = MediaBytes(header.contents)
        guard let version = reader.number(1), reader.take(version == 1 ? 19 : 11) != nil else { return nil }
        return reader.number(4).map { UInt32(truncatingIfNeeded: $0) }
    }

    private static func timescale(_ media: MediaBox) -> Int32? {
        guard let header = media.inner("mdhd") else { return nil }
        var reader = MediaBytes(header.contents)
        guard let version = reader.number(1), reader.take(version == 1 ? 19 : 11) != nil, let scale = reader.number(4),
            scale > 0
        else { return nil }
        return Int32(exactly: scale)
    }

    /// The values of a track; nil where they are another's, or damaged.
    private static func defaults(_ box: MediaBox, of track: UInt32) -> Defaults? {
        var reader = MediaBytes(box.contents)
        guard reader.take(4) != nil, reader.number(4) == UInt64(track), reader.take(4) != nil,
            let duration = reader.number(4), let size = reader.number(4),
            let flags = reader.number(4)
        else { return nil }
        return Defaults(
            duration: UInt32(truncatingIfNeeded: duration), size: UInt32(truncatingIfNeeded: size),
            flags: UInt32(truncatingIfNeeded: flags))
    }

    private static func format(_ entry: MediaBox, _ timescale: Int32) -> FrameFormat? {
        var reader = MediaBytes(entry.contents)
        func made(_ codec: FrameFormat.Codec, _ record: [UInt8]?, _ picture: (Int, Int), _ sound: (Int, Int))
            -> FrameFormat?
        {
            record.map {
                FrameFormat(
                    codec: codec, timescale: timescale, parameterSets: $0, width: picture.0, height: picture.1,
                    sampleRate: sound.0, channels: sound.1)
            }
        }
        func record(_ type: String, behind: Int) -> [UInt8]? {
            entry.children(skipping: behind)?.first { $0.type == type }.map { Array($0.contents) }
        }
        switch entry.type {
        case "avc1", "avc3", "hvc1", "hev1":
            guard reader.take(24) != nil, let width = reader.number(2), let height = reader.number(2) else {
                return nil
            }
            let isH264 = entry.type.hasPrefix("avc")
            return made(
                isH264 ? .h264 : .h265, record(isH264 ? "avcC" : "hvcC", behind: 78), (Int(width), Int(height)), (0, 0))
        case "mp4a", "Opus":
            guard reader.take(16) != nil, let channels = reader.number(2), reader.take(6) != nil,
                let rate = reader.number(4)
            else { return nil }
            let sound = (Int(rate >> 16), Int(channels))
            if entry.type == "Opus" { return made(.opus, record("dOps", behind: 28), (0, 0), sound) }
            return made(.aac, record("esds", behind: 28).flatMap { audioConfig($0[...]) }, (0, 0), sound)
        default: return nil
        }
    }

    /// The AudioSpecificConfig in the contents of an `esds` box (ISO/IEC 14496-1, 7.2.6).
    private static func audioConfig(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var reader = MediaBytes(bytes)
        guard reader.take(4) != nil else { return nil }
        while let tag = reader.number(1) {
            var size = 0
            for _ in 0..<4 {
                guard let byte = reader.number(1) else { return nil }
                size = size << 7 | Int(byte & 0x7f)
                if byte & 0x80 == 0 { break }
            }
            switch tag {
            case 3: guard reader.take(2) != nil, reader.number(1) == 0 else { return nil }
            case 4: guard reader.take(13) != nil else { return nil }
            case 5: return reader.take(size).map { Array($0) }
            default: guard reader.take(size) != nil else { return nil }
            }
        }
        return nil
    }
}
