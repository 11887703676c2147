/// An MPEG-4 AudioSpecificConfig (ISO/IEC 14496-3 clause 1.6.2.1). Equal when the bytes are.
public struct AudioSpecificConfig: Hashable, Sendable {
    /// The bytes as they came, without what follows the parsed part only where there was nothing.
    public let bytes: [UInt8]
    /// The core's audio object type: 2 is AAC LC, 23 LD, 39 ELD.
    let objectType: Int
    /// The object type that the codec string names: 5 with SBR, 29 with PS, else `objectType`.
    let signalledObjectType: Int
    /// The core's sampling rate in Hz.
    let coreSampleRate: Int
    /// The sampling rate after SBR in Hz.
    public let sampleRate: Int
    /// Output channels, 1…; 2 for parametric stereo.
    public let channels: Int
    /// Samples at `sampleRate` that one frame decodes to: 1024, 960, 2048, 512 or 480.
    let frameSamples: Int

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    private static let generalAudio: Set<Int> = [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23]

    /// Parses `bytes`. Total; throws on object types that Vigil does not store.
    public init(_ bytes: [UInt8]) throws(BitstreamError) {
        var reader = BitReader(bytes, subject: "AudioSpecificConfig")
        var type = try Self.objectType(&reader)
        var signalled = type
        let core = try Self.rate(&reader)
        var output = core
        let configuration = Int(try reader.bits(4))
        if type == 5 || type == 29 {
            output = try Self.rate(&reader)
            type = try Self.objectType(&reader)
        }
        guard Self.generalAudio.contains(type) || type == 39 else {
            throw BitstreamError(reader.subject, .unsupported("audio object type \(type)"))
        }
        let isShort = try reader.flag()
        var channels = Self.channels(configuration)
        if type != 39 {
            if try reader.flag() { try reader.skip(14) }
            try reader.skip(1)
            if configuration == 0 { channels = try Self.programChannels(&reader) }
            if [6, 20].contains(type) { try reader.skip(3) }
        }
        if signalled == type, type == 2, let extended = try? Self.extension(&reader) {
            output = extended.rate
            signalled = extended.type
        }
        guard let channels else {
            let value = Int64(configuration)
            throw BitstreamError(reader.subject, .outOfRange(field: "channelConfiguration", value: value))
        }
        let isLowDelay = type == 23 || type == 39
        let coreFrame = isLowDelay ? (isShort ? 480 : 512) : (isShort ? 960 : 1024)
        self.bytes = bytes
        objectType = type
        signalledObjectType = signalled
        coreSampleRate = core
        sampleRate = output
        self.channels = signalled == 29 && channels == 1 ? 2 : channels
        frameSamples = coreFrame * (output >= core * 2 ? 2 : 1)
    }

    /// AAC LC with `channels` (1…8) at `sampleRate` Hz: what Vigil's own encoder makes of G.711.
    public init(sampleRate: Int, channels: Int) throws(BitstreamError) {
        guard (1...7).contains(channels) || channels == 8 else {
            throw BitstreamError("AAC", .outOfRange(field: "channels", value: Int64(channels)))
        }
        let configuration = UInt8(truncatingIfNeeded: channels == 8 ? 7 : channels)
        if let index = Self.rates.firstIndex(of: sampleRate) {
            try self.init([
                2 << 3 | UInt8(truncatingIfNeeded: index >> 1),
                UInt8(truncatingIfNeeded: index & 1) << 7 | configuration << 3,
            ])
        } else {
            guard (1..<1 << 24).contains(sampleRate) else {
                throw BitstreamError("AAC", .outOfRange(field: "sample rate", value: Int64(sampleRate)))
            }
            var word = UInt64(2) << 35 | UInt64(15) << 31 | UInt64(sampleRate) << 7 | UInt64(configuration) << 3
            var bytes: [UInt8] = []
            for _ in 0..<5 {
                bytes.insert(UInt8(truncatingIfNeeded: word), at: 0)
                word >>= 8
            }
            try self.init(bytes)
        }
    }

    /// RFC 6381: `mp4a.40.2`.
    public var codec: String { "mp4a.40.\(signalledObjectType)" }

    private static func objectType(_ reader: inout BitReader) throws(BitstreamError) -> Int {
        let type = Int(try reader.bits(5))
        return type == 31 ? 32 + Int(try reader.bits(6)) : type
    }

    private static func rate(_ reader: inout BitReader) throws(BitstreamError) -> Int {
        let index = Int(try reader.bits(4))
        let rate = index == 15 ? Int(try reader.bits(24)) : index < rates.count ? rates[index] : 0
        guard (1_000...192_000).contains(rate) else {
            throw BitstreamError(reader.subject, .outOfRange(field: "sampling frequency", value: Int64(rate)))
        }
        return rate
    }

    private static func channels(_ configuration: Int) -> Int? {
        switch configuration {
        case 1...6: configuration
        case 7, 12, 14: 8
        case 11: 7
        default: nil
        }
    }

    /// Counts the channels of a program_config_element (clause 4.4.1.1).
    private static func programChannels(_ reader: inout BitReader) throws(BitstreamError) -> Int {
        try reader.skip(10)
        var counts: [Int] = []
        for width in [4, 4, 4, 2, 3, 4] { counts.append(Int(try reader.bits(width))) }
        for width in [4, 4, 3] where try reader.flag() { try reader.skip(width) }
        var channels = counts[3]
        for _ in 0..<counts[0] + counts[1] + counts[2] {
            channels += try reader.flag() ? 2 : 1
            try reader.skip(4)
        }
        guard channels > 0 else { throw BitstreamError(reader.subject, .missing("channels")) }
        return channels
    }

    /// The backward compatible signalling of SBR and PS after the core's configuration (sync extension 0x2b7).
    private static func `extension`(_ reader: inout BitReader) throws(BitstreamError) -> (type: Int, rate: Int)? {
        guard reader.bitsLeft >= 16, try reader.bits(11) == 0x2b7 else { return nil }
        guard try objectType(&reader) == 5, try reader.flag() else { return nil }
        let extendedRate = try rate(&reader)
        if reader.bitsLeft >= 12, try reader.bits(11) == 0x548, try reader.flag() { return (29, extendedRate) }
        return (5, extendedRate)
    }
}
