extension CodecConfiguration {
    /// The sample entry for `stsd` (ISO/IEC 14496-12 clause 12, 14496-15, 14496-14), with `btrt` when the rate is known.
    func sampleEntry(bitrate: Bitrate? = nil) -> [UInt8] {
        var writer = BoxWriter()
        switch self {
        case .h264(let configuration):
            visual(&writer, "avc1", "avcC", configuration.record, configuration.sps.aspectRatio, bitrate)
        case .h265(let configuration):
            visual(&writer, "hvc1", "hvcC", configuration.record, configuration.sps.aspectRatio, bitrate)
        case .aac(let configuration):
            audio(&writer, "mp4a", bitrate) { writer in
                Self.elementaryStream(&writer, configuration, bitrate)
            }
        case .opus(let configuration):
            audio(&writer, "Opus", bitrate) { writer in writer.box("dOps") { $0.raw(configuration.record) } }
        }
        return writer.bytes
    }

    /// Reads a sample entry that this or another program wrote: `avc1`, `avc3`, `hvc1`, `hev1`, `mp4a` with AAC, `Opus`.
    public init(sampleEntry bytes: [UInt8]) throws(BitstreamError) {
        guard let entry = Box.list(bytes[...])?.first else { throw BitstreamError("sample entry", .truncated) }
        let visual: [FourCC] = ["avc1", "avc3", "hvc1", "hev1"]
        guard visual.contains(entry.type) || ["mp4a", "Opus"].contains(entry.type) else {
            throw BitstreamError("sample entry", .unsupported("\(entry.type)"))
        }
        guard let children = entry.children(skipping: visual.contains(entry.type) ? 78 : 28) else {
            throw BitstreamError("sample entry \(entry.type)", .truncated)
        }
        func record(_ type: FourCC) throws(BitstreamError) -> [UInt8] {
            guard let box = children.first(type) else {
                throw BitstreamError("sample entry \(entry.type)", .missing("\(type) box"))
            }
            return Array(box.contents)
        }
        /// Only NAL lengths of four bytes are stored, so a record that says otherwise describes other samples.
        func videoRecord(_ type: FourCC, lengthAt place: Int) throws(BitstreamError) -> [UInt8] {
            let bytes = try record(type)
            guard bytes.count > place, bytes[place] & 3 == 3 else {
                throw BitstreamError("\(type)", .unsupported("a NAL length of less than four bytes"))
            }
            return bytes
        }
        switch entry.type {
        case "avc1", "avc3": try self.init(.h264, parameterSets: try videoRecord("avcC", lengthAt: 4))
        case "hvc1", "hev1": try self.init(.h265, parameterSets: try videoRecord("hvcC", lengthAt: 21))
        case "mp4a": try self.init(audioSpecificConfig: try Self.decoderSpecific(try record("esds")))
        default: self = .opus(try OpusConfiguration(specific: try record("dOps")))
        }
    }

    private func visual(
        _ writer: inout BoxWriter, _ type: String, _ recordType: String, _ record: [UInt8],
        _ aspect: SampleAspectRatio?, _ bitrate: Bitrate?
    ) {
        writer.box(type) { writer in
            writer.zeros(6)
            writer.u16(1)
            writer.zeros(16)
            writer.u16(UInt16(clamping: width ?? 0))
            writer.u16(UInt16(clamping: height ?? 0))
            writer.u32(0x48_0000)
            writer.u32(0x48_0000)
            writer.u32(0)
            writer.u16(1)
            writer.zeros(32)
            writer.u16(24)
            writer.u16(0xffff)
            writer.box(recordType) { $0.raw(record) }
            if let aspect {
                writer.box("pasp") { writer in
                    writer.u32(aspect.width)
                    writer.u32(aspect.height)
                }
            }
            Self.bitrateBox(&writer, bitrate)
        }
    }

    private func audio(
        _ writer: inout BoxWriter, _ type: String, _ bitrate: Bitrate?, _ body: (inout BoxWriter) -> Void
    ) {
        writer.box(type) { writer in
            writer.zeros(6)
            writer.u16(1)
            writer.zeros(8)
            writer.u16(UInt16(clamping: channels ?? 0))
            writer.u16(16)
            writer.u32(0)
            // A 16.16 number: a rate that does not fit is 0, and the decoder takes it from its own configuration.
            writer.u32((sampleRate ?? 0) <= 65_535 ? UInt32(sampleRate ?? 0) << 16 : 0)
            body(&writer)
            Self.bitrateBox(&writer, bitrate)
        }
    }

    private static func bitrateBox(_ writer: inout BoxWriter, _ bitrate: Bitrate?) {
        guard let bitrate else { return }
        writer.box("btrt") { writer in
            writer.u32(0)
            writer.u32(bitrate.max)
            writer.u32(bitrate.average)
        }
    }

    /// `esds`: ES_Descriptor(DecoderConfigDescriptor(DecoderSpecificInfo), SLConfigDescriptor), ISO/IEC 14496-1 clause 7.2.6.
    private static func elementaryStream(
        _ writer: inout BoxWriter, _ configuration: AudioSpecificConfig, _ bitrate: Bitrate?
    ) {
        let specific = descriptor(5, configuration.bytes)
        var decoder = BoxWriter()
        decoder.raw([0x40, 0x15, 0, 0, 0])
        decoder.u32(bitrate?.max ?? 0)
        decoder.u32(bitrate?.average ?? 0)
        decoder.raw(specific)
        let stream = [0, 0, 0] + descriptor(4, decoder.bytes) + descriptor(6, [2])
        writer.fullBox("esds") { $0.raw(descriptor(3, stream)) }
    }

    private static func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
        let size = body.count
        return [tag] + [21, 14, 7].map { UInt8(truncatingIfNeeded: size >> $0) | 0x80 }
            + [UInt8(truncatingIfNeeded: size & 0x7f)] + body
    }

    /// The AudioSpecificConfig inside the contents of an `esds` box.
    private static func decoderSpecific(_ bytes: [UInt8]) throws(BitstreamError) -> [UInt8] {
        var reader = ByteReader(bytes[...])
        let broken = BitstreamError("esds", .truncated)
        guard reader.skip(4) else { throw broken }
        while let tag = reader.u8() {
            var size: UInt64 = 0
            var more = true
            for _ in 0..<4 where more {
                guard let byte = reader.u8() else { throw broken }
                size = size << 7 | UInt64(byte & 0x7f)
                more = byte & 0x80 != 0
            }
            switch tag {
            case 3:
                guard reader.skip(2), let flags = reader.u8(), flags & 0xe0 == 0 else { throw broken }
            case 4:
                guard let type = reader.u8(), reader.skip(12) else { throw broken }
                guard type == 0x40 || type == 0x66 || type == 0x67 else {
                    throw BitstreamError("esds", .unsupported("object type \(type)"))
                }
            case 5:
                guard let specific = reader.take(size) else { throw broken }
                return Array(specific)
            default:
                guard reader.take(size) != nil else { throw broken }
            }
        }
        throw BitstreamError("esds", .missing("AudioSpecificConfig"))
    }
}
