import Machines

/// The header of a CMAF track file: what `ftyp` and `moov` say. One track, one sample entry, no samples.
///
/// On the clip's time line a sample is presented at `decode time + composition offset - primingTicks`.
public struct TrackHeader: Hashable, Sendable {
    /// What a decoder must know.
    public let configuration: CodecConfiguration
    /// Ticks per second of everything in the file, 1…
    public let timescale: UInt32
    /// Samples of the encoder's priming at the start of an audio track, in ticks: an edit list takes them off.
    public let primingTicks: UInt32
    /// The bit rate, when it is known.
    package let bitrate: Bitrate?
    /// How players turn the picture.
    public let rotation: PictureRotation

    /// A header; the timescale is the configuration's own unless another one is named (0 is taken as not named).
    public init(
        _ configuration: CodecConfiguration, timescale: UInt32 = 0, primingTicks: UInt32 = 0, bitrate: Bitrate? = nil,
        rotation: PictureRotation = .none
    ) {
        self.configuration = configuration
        self.timescale = timescale == 0 ? configuration.timescale : timescale
        self.primingTicks = primingTicks
        self.bitrate = bitrate
        self.rotation = rotation
    }

    /// `ftyp` and `moov` by ISO/IEC 23000-19 (CMAF) clause 7.
    public func encoded() -> [UInt8] { Self.encoded([self], brands: ["cmfc", "cmfc", "iso6", "mp41", "dash"]) }

    /// The same for several tracks whose fragments come in one stream of bytes, which CMAF does not know: a fragmented movie by
    /// ISO/IEC 14496-12. The number of a track is its place, from 1.
    static func movie(of tracks: [TrackHeader]) -> [UInt8] {
        encoded(tracks, brands: ["iso6", "iso6", "mp41"])
    }

    private static func encoded(_ tracks: [TrackHeader], brands: [String]) -> [UInt8] {
        var writer = BoxWriter()
        writer.box("ftyp") { writer in
            for (index, brand) in brands.enumerated() {
                writer.text(brand)
                if index == 0 { writer.u32(0) }
            }
        }
        let numbers = zip(UInt32(1)..., tracks)
        writer.box("moov") { writer in
            MovieBoxes.movieHeader(
                &writer, timescale: tracks.first?.timescale ?? 1, duration: 0,
                nextTrack: UInt32(clamping: tracks.count) + 1)
            for (number, track) in numbers { writer.box("trak") { track.track(number, &$0) } }
            writer.box("mvex") { writer in
                for (number, track) in numbers {
                    writer.fullBox("trex") { writer in
                        for value: UInt32 in [number, 1, 0, 0] { writer.u32(value) }
                        writer.u32(track.configuration.kind == .video ? SampleFlags.other : SampleFlags.sync)
                    }
                }
            }
        }
        return writer.bytes
    }

    private func track(_ number: UInt32, _ writer: inout BoxWriter) {
        MovieBoxes.trackHeader(&writer, id: number, duration: 0, configuration: configuration, rotation: rotation)
        if primingTicks > 0 {
            writer.box("edts") { writer in
                // Duration 0: the edit covers whatever fragments follow (CMAF clause 7.5.13).
                MovieBoxes.editList(&writer, [MovieBoxes.Edit(duration: 0, mediaTime: Int64(primingTicks))])
            }
        }
        writer.box("mdia") { writer in
            MovieBoxes.mediaHeader(&writer, timescale: timescale, duration: 0)
            MovieBoxes.handler(&writer, configuration.kind)
            writer.box("minf") { writer in
                MovieBoxes.mediaInformation(&writer, configuration.kind)
                writer.box("stbl") { writer in
                    writer.fullBox("stsd") { writer in
                        writer.u32(1)
                        writer.raw(configuration.sampleEntry(bitrate: bitrate))
                    }
                    for type in ["stts", "stsc", "stco"] { writer.fullBox(type) { $0.u32(0) } }
                    writer.fullBox("stsz") { $0.zeros(8) }
                }
            }
        }
    }
}

/// The sample flags that Vigil writes (ISO/IEC 14496-12 clause 8.8.3.1).
enum SampleFlags {
    /// Depends on no other sample.
    static let sync: UInt32 = 0x0200_0000
    /// Depends on others, and is no sync sample.
    static let other: UInt32 = 0x0101_0000
    /// sample_degradation_priority, whose meaning is left to who writes the file: 0 for a whole sample, 1 for one that
    /// packets are missing from.
    static let damaged: UInt32 = 0x0000_0001
    /// All bits of sample_degradation_priority.
    static let degradation: UInt32 = 0x0000_FFFF
    /// sample_is_non_sync_sample.
    static let nonSync: UInt32 = 0x0001_0000
}
