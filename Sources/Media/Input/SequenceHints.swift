/// What the assembly of frames needs from a sequence parameter set: the reorder depth and whether pictures can be fields.
struct SequenceHints: Hashable, Sendable {
    /// The most frames that precede another in decoding and follow it in presentation; nil when the set does not say.
    var reorderDepth: Int?
    /// Whether one frame may come as two pictures with one time stamp.
    var mayHaveFields: Bool

    /// Reads `sps`; nil when it is broken.
    init?(sps: [UInt8], codec: TrackCodec) {
        guard let hints = codec == .h265 ? SequenceHints.h265(sps) : SequenceHints.h264(sps) else { return nil }
        self = hints
    }

    private init(reorderDepth: Int?, mayHaveFields: Bool) {
        self.reorderDepth = reorderDepth
        self.mayHaveFields = mayHaveFields
    }

    /// ITU-T H.265 7.3.2.2.1
    private static func h265(_ sps: [UInt8]) -> SequenceHints? {
        var reader = ParameterBits(nal: sps, headerBytes: 2)
        guard reader.skip(4) != nil, let subLayers = reader.bits(3), reader.skip(1) != nil,
            reader.skip(96) != nil, let layers = skipSubLayers(Int(subLayers), &reader),
            reader.unsigned() != nil, let chroma = reader.unsigned(),
            chroma != 3 || reader.skip(1) != nil, reader.unsigned() != nil, reader.unsigned() != nil,
            let hasWindow = reader.bit()
        else { return nil }
        if hasWindow { for _ in 0..<4 where reader.unsigned() == nil { return nil } }
        guard reader.unsigned() != nil, reader.unsigned() != nil, reader.unsigned() != nil,
            let perLayer = reader.bit()
        else { return nil }
        var depth: UInt32 = 0
        for _ in 0...(perLayer ? layers : 0) {
            guard reader.unsigned() != nil, let reorder = reader.unsigned(), reader.unsigned() != nil else {
                return nil
            }
            depth = reorder
        }
        // Field pictures of H.265 are access units of their own with times of their own.
        return SequenceHints(reorderDepth: Int(min(depth, 16)), mayHaveFields: false)
    }

    private static func skipSubLayers(_ count: Int, _ reader: inout ParameterBits) -> Int? {
        guard count > 0 else { return 0 }
        var bits = 0
        for layer in 0..<8 {
            guard let profile = reader.bit(), let level = reader.bit() else { return nil }
            if layer < count { bits += (profile ? 88 : 0) + (level ? 8 : 0) }
        }
        return reader.skip(bits).map { count }
    }

    /// ITU-T H.264 7.3.2.1.1
    private static func h264(_ sps: [UInt8]) -> SequenceHints? {
        var reader = ParameterBits(nal: sps, headerBytes: 1)
        guard let profile = reader.bits(8), let constraints = reader.bits(8), reader.skip(8) != nil,
            reader.unsigned() != nil
        else { return nil }
        if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
            guard skipChroma(&reader) != nil else { return nil }
        }
        guard reader.unsigned() != nil, let orderType = reader.unsigned() else { return nil }
        if orderType == 0 {
            guard reader.unsigned() != nil else { return nil }
        } else if orderType == 1 {
            guard reader.skip(1) != nil, reader.signed() != nil, reader.signed() != nil,
                let cycle = reader.unsigned(), cycle < 256
            else { return nil }
            for _ in 0..<cycle where reader.signed() == nil { return nil }
        }
        guard reader.unsigned() != nil, reader.skip(1) != nil, reader.unsigned() != nil, reader.unsigned() != nil,
            let framesOnly = reader.bit(), framesOnly || reader.skip(1) != nil, reader.skip(1) != nil,
            let hasCrop = reader.bit()
        else { return nil }
        if hasCrop { for _ in 0..<4 where reader.unsigned() == nil { return nil } }
        var depth = reader.bit() == true ? vuiReorderDepth(&reader) : nil
        // Baseline has no B slices; order type 2 is output in decoding order; so are the intra profiles.
        let isIntra = constraints & 0x10 != 0 && [44, 86, 100, 110, 122, 244].contains(profile)
        if depth == nil, profile == 66 || orderType == 2 || isIntra { depth = 0 }
        return SequenceHints(reorderDepth: depth, mayHaveFields: !framesOnly)
    }

    private static func skipChroma(_ reader: inout ParameterBits) -> Void? {
        guard let chroma = reader.unsigned(), chroma != 3 || reader.skip(1) != nil, reader.unsigned() != nil,
            reader.unsigned() != nil, reader.skip(1) != nil, let hasScaling = reader.bit()
        else { return nil }
        guard hasScaling else { return () }
        for list in 0..<(chroma == 3 ? 12 : 8) {
            guard let isPresent = reader.bit() else { return nil }
            guard isPresent else { continue }
            var last: Int32 = 8
            var next: Int32 = 8
            for _ in 0..<(list < 6 ? 16 : 64) {
                if next != 0 {
                    guard let delta = reader.signed() else { return nil }
                    next = (last &+ delta) & 0xFF
                }
                last = next == 0 ? last : next
            }
        }
        return ()
    }

    /// ITU-T H.264 E.1.1, up to max_num_reorder_frames; nil when it is not there.
    private static func vuiReorderDepth(_ reader: inout ParameterBits) -> Int? {
        guard let hasAspect = reader.bit() else { return nil }
        if hasAspect, reader.bits(8) == 255, reader.skip(32) == nil { return nil }
        guard let hasOverscan = reader.bit(), !hasOverscan || reader.skip(1) != nil, let hasSignal = reader.bit()
        else { return nil }
        if hasSignal {
            guard reader.skip(4) != nil, let hasColour = reader.bit(), !hasColour || reader.skip(24) != nil
            else { return nil }
        }
        guard let hasLocation = reader.bit() else { return nil }
        if hasLocation { for _ in 0..<2 where reader.unsigned() == nil { return nil } }
        guard let hasTiming = reader.bit(), !hasTiming || reader.skip(65) != nil,
            let nal = reader.bit(), !nal || skipHRD(&reader) != nil,
            let vcl = reader.bit(), !vcl || skipHRD(&reader) != nil,
            !(nal || vcl) || reader.skip(1) != nil, reader.skip(1) != nil, reader.bit() == true,
            reader.skip(1) != nil
        else { return nil }
        for _ in 0..<4 where reader.unsigned() == nil { return nil }
        return reader.unsigned().map { Int(min($0, 16)) }
    }

    private static func skipHRD(_ reader: inout ParameterBits) -> Void? {
        guard let count = reader.unsigned(), count < 32, reader.skip(8) != nil else { return nil }
        for _ in 0...count {
            guard reader.unsigned() != nil, reader.unsigned() != nil, reader.skip(1) != nil else { return nil }
        }
        return reader.skip(20)
    }
}
