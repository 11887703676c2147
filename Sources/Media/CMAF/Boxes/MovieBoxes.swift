import Machines

/// The boxes that a track file's header and an exported movie have in common (ISO/IEC 14496-12).
enum MovieBoxes {
    /// One entry of an edit list: `duration` in movie ticks, `mediaTime` in media ticks or -1 for nothing.
    struct Edit: Hashable {
        let duration: UInt64
        let mediaTime: Int64
    }

    static func movieHeader(_ writer: inout BoxWriter, timescale: UInt32, duration: UInt64, nextTrack: UInt32) {
        let wide = duration > UInt64(UInt32.max)
        writer.fullBox("mvhd", version: wide ? 1 : 0) { writer in
            writer.zeros(wide ? 16 : 8)
            writer.u32(timescale)
            put(&writer, duration, wide)
            writer.u32(0x10000)
            writer.u16(0x100)
            writer.zeros(10)
            writer.unityMatrix()
            writer.zeros(24)
            writer.u32(nextTrack)
        }
    }

    static func trackHeader(
        _ writer: inout BoxWriter, id: UInt32, duration: UInt64, configuration: CodecConfiguration,
        rotation: PictureRotation
    ) {
        let wide = duration > UInt64(UInt32.max)
        // Flags: enabled, in the movie, in the preview.
        writer.fullBox("tkhd", version: wide ? 1 : 0, flags: 7) { writer in
            writer.zeros(wide ? 16 : 8)
            writer.u32(id)
            writer.u32(0)
            put(&writer, duration, wide)
            writer.zeros(12)
            writer.u16(configuration.kind == .audio ? 0x100 : 0)
            writer.u16(0)
            let size = displaySize(configuration)
            switch rotation {
            case .none: writer.unityMatrix()
            case .half: writer.halfTurnMatrix(size.width, size.height)
            }
            writer.u32(size.width)
            writer.u32(size.height)
        }
    }

    static func editList(_ writer: inout BoxWriter, _ edits: [Edit]) {
        let wide = edits.contains { $0.duration > UInt64(UInt32.max) || $0.mediaTime > Int64(Int32.max) }
        writer.fullBox("elst", version: wide ? 1 : 0) { writer in
            writer.u32(UInt32(truncatingIfNeeded: edits.count))
            for edit in edits {
                put(&writer, edit.duration, wide)
                put(&writer, UInt64(bitPattern: edit.mediaTime), wide)
                writer.u32(0x10000)
            }
        }
    }

    static func mediaHeader(_ writer: inout BoxWriter, timescale: UInt32, duration: UInt64) {
        let wide = duration > UInt64(UInt32.max)
        writer.fullBox("mdhd", version: wide ? 1 : 0) { writer in
            writer.zeros(wide ? 16 : 8)
            writer.u32(timescale)
            put(&writer, duration, wide)
            // Language "und", three letters of five bits.
            writer.u16(0x55c4)
            writer.u16(0)
        }
    }

    static func handler(_ writer: inout BoxWriter, _ kind: TrackKind) {
        writer.fullBox("hdlr") { writer in
            writer.u32(0)
            writer.text(kind == .video ? "vide" : "soun")
            writer.zeros(12)
            writer.text(kind == .video ? "video" : "audio")
            writer.u8(0)
        }
    }

    /// `vmhd` or `smhd`, and `dinf`.
    static func mediaInformation(_ writer: inout BoxWriter, _ kind: TrackKind) {
        switch kind {
        case .video: writer.fullBox("vmhd", flags: 1) { $0.zeros(8) }
        case .audio: writer.fullBox("smhd") { $0.zeros(4) }
        }
        writer.box("dinf") { writer in
            writer.fullBox("dref") { writer in
                writer.u32(1)
                writer.fullBox("url ", flags: 1) { _ in }
            }
        }
    }

    private static func put(_ writer: inout BoxWriter, _ value: UInt64, _ wide: Bool) {
        if wide { writer.u64(value) } else { writer.u32(UInt32(truncatingIfNeeded: value)) }
    }

    /// Width and height in 16.16 pixels, with the sample aspect ratio applied to the width.
    private static func displaySize(_ configuration: CodecConfiguration) -> (width: UInt32, height: UInt32) {
        guard let width = configuration.width, let height = configuration.height else { return (0, 0) }
        let aspect: SampleAspectRatio? =
            switch configuration {
            case .h264(let video): video.sps.aspectRatio
            case .h265(let video): video.sps.aspectRatio
            case .aac, .opus: nil
            }
        let scaled = UInt64(width) << 16 * UInt64(aspect?.width ?? 1) / UInt64(aspect?.height ?? 1)
        return (UInt32(clamping: scaled), UInt32(clamping: height) << 16)
    }
}
