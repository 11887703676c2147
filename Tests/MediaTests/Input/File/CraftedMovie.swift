/// An MP4 file built box by box from ISO/IEC 14496-12, so that every number in it can be one that no writer would choose.
///
/// What is not set is as a good writer has it: one H.264 track, samples in one chunk.
struct CraftedMovie {
    /// An entry of the edit list.
    struct Edit {
        var duration: UInt64 = 0
        var mediaTime: Int64 = 0
        var rate: UInt32 = 0x1_0000
    }

    /// A `moof` with its `mdat`; the samples are those of the movie, in turn.
    struct Fragment {
        var decodeTime: UInt64 = 0
        var duration: UInt32 = 3_600
        var offset: UInt32 = 0
        var version: UInt8 = 1
        var samples = 2
        /// Distance of the data from the `moof`; nil where it is the right one.
        var dataOffset: UInt32?
        var size: UInt32?
    }

    /// One track.
    struct Track {
        var id: UInt32 = 1
        var handler = "vide"
        var timescale: UInt32 = 90_000
        var duration: UInt64 = 0
        /// The entry of `stsd`, a whole box.
        var entry: [UInt8]
        var samples: [[UInt8]]
        /// Runs of `stts`; nil: each sample lasts 3600.
        var durations: [(count: UInt32, value: UInt32)]?
        var offsets: [(count: UInt32, value: UInt32)] = []
        var offsetVersion: UInt8 = 0
        var edits: [Edit] = []
        /// The sizes in `stsz`; nil: the right ones.
        var sizes: [UInt32]?
        /// How many samples `stsz` says there are, all of one byte; nil: each has a size of its own.
        var claimed: UInt32?
        /// Runs of `stsc`; nil: all in one chunk.
        var chunks: [(first: UInt32, samples: UInt32, entry: UInt32)]?
        /// Where the chunk is; nil: where it really is.
        var place: UInt64?
        var syncs: [UInt32] = [1]
    }

    var movieTimescale: UInt32 = 1_000
    var movieDuration: UInt64 = 0
    var tracks: [Track]
    /// Empty: the samples lie in one `mdat`.
    var fragments: [Fragment] = []
    /// `default_sample_duration` of `trex`.
    var defaultDuration: UInt32 = 0
    /// Boxes between `ftyp` and `moov`.
    var before: [UInt8] = []

    var bytes: [UInt8] {
        let type = Self.box("ftyp", Array("isom".utf8) + Self.u32(0x200) + Array("isomiso6avc1mp41".utf8)) + before
        guard fragments.isEmpty else {
            var file = type + movie(mediaStart: 0)
            for (number, fragment) in fragments.enumerated() { file += self.fragment(fragment, number: number) }
            return file
        }
        let count = type.count + movie(mediaStart: 0).count
        let media = tracks.flatMap { $0.samples.flatMap { $0 } }
        return type + movie(mediaStart: UInt64(count + 8)) + Self.box("mdat", media)
    }

    private func movie(mediaStart: UInt64) -> [UInt8] {
        var place = mediaStart
        var boxes: [UInt8] = []
        for track in tracks {
            boxes += self.track(track, mediaStart: place)
            place += UInt64(track.samples.reduce(0) { $0 + $1.count })
        }
        if !fragments.isEmpty {
            boxes += Self.box(
                "mvex",
                tracks.flatMap { track in
                    Self.full("trex", [track.id, 1, defaultDuration, 0, 0].flatMap(Self.u32))
                })
        }
        let header =
            Self.u64(0) + Self.u64(0) + Self.u32(movieTimescale) + Self.u64(movieDuration) + Self.u32(0x1_0000)
            + Self.u16(0x100) + [UInt8](repeating: 0, count: 10) + Self.matrix + [UInt8](repeating: 0, count: 24)
            + Self.u32(9)
        return Self.box("moov", Self.full("mvhd", version: 1, header) + boxes)
    }

    private func track(_ track: Track, mediaStart: UInt64) -> [UInt8] {
        let header =
            Self.u64(0) + Self.u64(0) + Self.u32(track.id) + Self.u32(0) + Self.u64(track.duration)
            + [UInt8](repeating: 0, count: 16) + Self.matrix + Self.u32(160 << 16) + Self.u32(120 << 16)
        var boxes = Self.full("tkhd", version: 1, flags: 7, header)
        if !track.edits.isEmpty {
            let entries = track.edits.flatMap {
                Self.u64($0.duration) + Self.u64(UInt64(bitPattern: $0.mediaTime)) + Self.u32($0.rate)
            }
            boxes += Self.box("edts", Self.full("elst", version: 1, Self.u32(UInt32(track.edits.count)) + entries))
        }
        let media =
            Self.full(
                "mdhd", version: 1,
                Self.u64(0) + Self.u64(0) + Self.u32(track.timescale) + Self.u64(track.duration) + Self.u32(0x55C4_0000)
            )
            + Self.full("hdlr", Self.u32(0) + Array(track.handler.utf8) + [UInt8](repeating: 0, count: 13))
        let information =
            (track.handler == "vide"
                ? Self.full("vmhd", flags: 1, [UInt8](repeating: 0, count: 8)) : Self.full("smhd", Self.u32(0)))
            + Self.box("dinf", Self.full("dref", Self.u32(1) + Self.full("url ", flags: 1, [])))
            + Self.box("stbl", tables(track, mediaStart: mediaStart))
        return Self.box("trak", boxes + Self.box("mdia", media + Self.box("minf", information)))
    }

    private func tables(_ track: Track, mediaStart: UInt64) -> [UInt8] {
        let description = Self.full("stsd", Self.u32(1) + track.entry)
        guard fragments.isEmpty else {
            return description
                + ["stts", "stsc", "stco"].flatMap { Self.full($0, Self.u32(0)) } + Self.full("stsz", Self.u64(0))
        }
        let count = UInt32(track.samples.count)
        let runs = { (runs: [(count: UInt32, value: UInt32)]) in
            Self.u32(UInt32(runs.count)) + runs.flatMap { Self.u32($0.count) + Self.u32($0.value) }
        }
        let sizes = track.sizes ?? track.samples.map { UInt32($0.count) }
        let chunks = track.chunks ?? [(1, count, 1)]
        var boxes = description + Self.full("stts", runs(track.durations ?? [(count, 3_600)]))
        if !track.offsets.isEmpty { boxes += Self.full("ctts", version: track.offsetVersion, runs(track.offsets)) }
        if track.handler == "vide" {
            boxes += Self.full("stss", Self.u32(UInt32(track.syncs.count)) + track.syncs.flatMap(Self.u32))
        }
        boxes += Self.full(
            "stsc",
            Self.u32(UInt32(chunks.count))
                + chunks.flatMap { Self.u32($0.first) + Self.u32($0.samples) + Self.u32($0.entry) })
        if let claimed = track.claimed {
            boxes += Self.full("stsz", Self.u32(1) + Self.u32(claimed))
        } else {
            boxes += Self.full("stsz", Self.u32(0) + Self.u32(UInt32(sizes.count)) + sizes.flatMap(Self.u32))
        }
        return boxes + Self.full("co64", Self.u32(1) + Self.u64(track.place ?? mediaStart))
    }

    private func fragment(_ fragment: Fragment, number: Int) -> [UInt8] {
        let track = tracks[0]
        let samples = (0..<fragment.samples).map { track.samples[(number * 2 + $0) % track.samples.count] }
        let made = { (dataOffset: UInt32) in
            let run =
                Self.u32(UInt32(samples.count)) + Self.u32(dataOffset)
                + samples.flatMap {
                    Self.u32(fragment.duration) + Self.u32(fragment.size ?? UInt32($0.count)) + Self.u32(0x200_0000)
                        + Self.u32(fragment.offset)
                }
            return Self.box(
                "moof",
                Self.full("mfhd", Self.u32(UInt32(number + 1)))
                    + Self.box(
                        "traf",
                        Self.full("tfhd", flags: 0x2_0000, Self.u32(track.id))
                            + Self.full("tfdt", version: 1, Self.u64(fragment.decodeTime))
                            + Self.full("trun", version: fragment.version, flags: 0xF01, run)))
        }
        return made(fragment.dataOffset ?? UInt32(made(0).count + 8)) + Self.box("mdat", samples.flatMap { $0 })
    }

    // MARK: Boxes

    private static let matrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000].flatMap { u32($0) }

    static func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        u32(UInt32(contents.count + 8)) + Array(type.utf8) + contents
    }

    static func full(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ contents: [UInt8]) -> [UInt8] {
        box(type, u32(UInt32(version) << 24 | flags) + contents)
    }

    static func u16(_ value: UInt16) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    static func u32(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    static func u64(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    /// `avc1` or `hvc1` with the configuration box given.
    static func videoEntry(_ type: String, _ configuration: [UInt8]) -> [UInt8] {
        box(
            type,
            [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 16) + u16(160) + u16(120) + u32(0x48_0000)
                + u32(0x48_0000) + u32(0) + u16(1) + [UInt8](repeating: 0, count: 32) + u16(24) + [0xFF, 0xFF]
                + configuration)
    }

    /// A sound entry (clause 12.2.3); `rate` in Hz has 16 bits there.
    static func soundEntry(
        _ type: String, channels: UInt16 = 1, bits: UInt16 = 16, rate: UInt32, _ configuration: [UInt8] = []
    ) -> [UInt8] {
        box(
            type,
            [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8) + u16(channels) + u16(bits) + u32(0)
                + u32(rate << 16) + configuration)
    }

    /// `esds` with an AudioSpecificConfig.
    static func esds(_ configuration: [UInt8]) -> [UInt8] {
        let specific = [0x05, UInt8(configuration.count)] + configuration
        let decoder = [UInt8](arrayLiteral: 0x40, 0x15, 0, 0, 0) + u32(64_000) + u32(64_000) + specific
        let stream = [0, 1, 0] + [0x04, UInt8(decoder.count)] + decoder + [0x06, 1, 2]
        return full("esds", [0x03, UInt8(stream.count)] + stream)
    }
}
