/// What a StreamMuxConfig says (ISO/IEC 14496-3, 1.7.3.1), of the plain form: one program, one layer, AAC.
struct LATMConfiguration: Hashable {
    let audio: AACConfiguration
    /// The shortest AudioSpecificConfig that says the same.
    let bytes: [UInt8]
    /// Access units to an element.
    let subframes: Int
    /// Bits of other data behind the units.
    let otherBits: Int

    /// Reads what a description gives; an AudioSpecificConfig, which some cameras give instead, will do.
    init?(description: [UInt8]) {
        var reader = PlainBits(description)
        if let configuration = LATMConfiguration(&reader) {
            self = configuration
            return
        }
        guard let audio = AACConfiguration(description), let bytes = LATMConfiguration.bytes(audio) else { return nil }
        self.audio = audio
        self.bytes = bytes
        subframes = 1
        otherBits = 0
    }

    /// Reads a StreamMuxConfig; nil when it is not of the plain form.
    init?(_ reader: inout PlainBits) {
        // audioMuxVersion, allStreamsSameTimeFraming, numSubFrames, numProgram, numLayer
        guard reader.bits(1) == 0, reader.bits(1) == 1, let more = reader.bits(6), reader.bits(4) == 0,
            reader.bits(3) == 0, let audio = AACConfiguration(&reader), let bytes = LATMConfiguration.bytes(audio)
        else { return nil }
        // dependsOnCoreCoder, extensionFlag; frameLengthType, latmBufferFullness
        guard let hasCore = reader.bits(1), hasCore == 0 || reader.bits(14) != nil, reader.bits(1) != nil,
            reader.bits(3) == 0, reader.bits(8) != nil, let hasOther = reader.bits(1)
        else { return nil }
        var other = 0
        if hasOther == 1 {
            var isMore = true
            while isMore {
                guard let escape = reader.bits(1), let part = reader.bits(8), other < 1 << 24 else { return nil }
                other = other << 8 + part
                isMore = escape == 1
            }
        }
        guard let hasChecksum = reader.bits(1), hasChecksum == 0 || reader.bits(8) != nil else { return nil }
        self.audio = audio
        self.bytes = bytes
        subframes = more + 1
        otherBits = other
    }

    private static func bytes(_ audio: AACConfiguration) -> [UInt8]? {
        AACConfiguration.bytes(objectType: audio.objectType, sampleRate: audio.sampleRate, channels: audio.channels)
    }
}

/// Takes access units out of AudioMuxElements that carry their configuration (ISO/IEC 14496-3, 1.7.3; RFC 6416 with
/// `cpresent=1`).
struct LATMReader {
    private(set) var configuration: LATMConfiguration?

    /// The units of one element, none before the first configuration; what is cut short is left out.
    mutating func units(_ element: [UInt8]) -> [[UInt8]] {
        var reader = PlainBits(element)
        guard let isSame = reader.bits(1) else { return [] }
        if isSame == 0 {
            guard let configuration = LATMConfiguration(&reader) else { return [] }
            self.configuration = configuration
        }
        guard let configuration else { return [] }
        var units: [[UInt8]] = []
        for _ in 0..<configuration.subframes {
            var size = 0
            while true {
                guard let byte = reader.bits(8) else { return units }
                size += byte
                if byte != 255 { break }
            }
            guard let unit = reader.bytes(size) else { return units }
            if !unit.isEmpty { units.append(unit) }
        }
        return units
    }
}

extension PlainBits {
    /// So many whole bytes from here on, wherever in a byte that is; nil past the end.
    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard has(bytes: count) else { return nil }
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: bits(8) ?? 0) }
    }
}
