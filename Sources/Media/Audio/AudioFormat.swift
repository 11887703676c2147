/// What an AudioSpecificConfig says (ISO/IEC 14496-3, 1.6.2.1), as far as it is needed.
struct AACConfiguration: Hashable {
    let objectType: Int
    let sampleRate: Int
    let channels: Int
    /// Samples that one frame codes at `sampleRate`.
    let frameSamples: Int

    private static let rates = [
        96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]

    /// Reads `bytes`; nil when they are no configuration.
    init?(_ bytes: [UInt8]) {
        var reader = PlainBits(bytes)
        guard let configuration = AACConfiguration(&reader) else { return nil }
        self = configuration
    }

    init?(_ reader: inout PlainBits) {
        guard var type = reader.bits(5) else { return nil }
        if type == 31 {
            guard let more = reader.bits(6) else { return nil }
            type = 32 + more
        }
        guard let rate = AACConfiguration.rate(&reader), let layout = reader.bits(4), layout <= 7 else { return nil }
        if type == 5 || type == 29 {
            // Explicit SBR: the extension's rate, then the core's object type.
            guard AACConfiguration.rate(&reader) != nil, let core = reader.bits(5) else { return nil }
            type = core
        }
        guard let isShort = reader.bits(1) else { return nil }
        objectType = type
        sampleRate = rate
        channels = layout == 7 ? 8 : layout
        frameSamples = isShort == 1 ? 960 : 1024
    }

    /// How many ticks of a clock of so many a second a frame lasts; with SBR the clock may count the doubled rate.
    func frameTicks(clock: Int64) -> Int64 { max(1, Int64(frameSamples) * clock / Int64(max(1, sampleRate))) }

    private static func rate(_ reader: inout PlainBits) -> Int? {
        guard let index = reader.bits(4) else { return nil }
        if index == 15 { return reader.bits(24) }
        return index < rates.count ? rates[index] : nil
    }

    /// The shortest configuration that says the same.
    static func bytes(objectType: Int, sampleRate: Int, channels: Int) -> [UInt8]? {
        guard let index = rates.firstIndex(of: sampleRate), (1...31).contains(objectType), (1...7).contains(channels)
        else { return nil }
        return [
            UInt8(truncatingIfNeeded: objectType << 3 | index >> 1),
            UInt8(truncatingIfNeeded: (index & 1) << 7 | channels << 3),
        ]
    }

    /// How long the ADTS header is that `bytes` begin with, and the frame that it heads (ISO/IEC 13818-7, 6.2), whatever else
    /// it says; nil when they begin with none. No access unit begins so: it would be an empty one.
    static func adtsHead(_ bytes: UnsafeRawBufferPointer) -> (headerBytes: Int, frameBytes: Int)? {
        guard bytes.count > 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
        let frame = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
        return (bytes[1] & 1 == 1 ? 7 : 9, frame)
    }

    /// The configuration that an ADTS header implies, and the header's length; nil when `bytes` begin with none.
    static func adts(_ bytes: UnsafeRawBufferPointer) -> (configuration: [UInt8], headerBytes: Int)? {
        guard bytes.count > 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
        let index = Int(bytes[2] >> 2 & 0x0F)
        guard index < rates.count,
            let configuration = self.bytes(
                objectType: Int(bytes[2] >> 6) + 1, sampleRate: rates[index],
                channels: Int((bytes[2] & 1) << 2 | bytes[3] >> 6))
        else { return nil }
        return (configuration, bytes[1] & 1 == 1 ? 7 : 9)
    }
}

/// Reads bits without emulation prevention; nil past the end.
struct PlainBits {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether so many whole bytes are left.
    func has(bytes count: Int) -> Bool { count >= 0 && count <= (bytes.count * 8 - position) / 8 }

    mutating func bits(_ count: Int) -> Int? {
        guard count >= 0, count <= 32, position + count <= bytes.count * 8 else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position >> 3] >> UInt8(7 - position & 7) & 1)
            position += 1
        }
        return value
    }
}

/// What the head of an Opus packet says (RFC 6716, 3.1).
enum OpusPacket {
    /// Samples at 48 kHz that the packet lasts; nil when it is broken.
    static func duration(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard let head = bytes.first else { return nil }
        let configuration = Int(head >> 3)
        let frame: Int64 =
            switch configuration {
            case 0..<12: [480, 960, 1920, 2880][configuration & 3]
            case 12..<16: [480, 960][configuration & 1]
            default: [120, 240, 480, 960][configuration & 3]
            }
        switch head & 3 {
        case 0: return frame
        case 1, 2: return frame * 2
        default:
            guard bytes.count > 1 else { return nil }
            let duration = frame * Int64(bytes[1] & 0x3F)
            return duration > 0 && duration <= 5760 ? duration : nil
        }
    }

    /// The OpusHead packet of a stream that came by RTP, which has no pre-skip (RFC 7845, 5.1).
    static func head(channels: Int) -> [UInt8] {
        Array("OpusHead".utf8) + [1, UInt8(clamping: max(1, min(2, channels))), 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0]
    }
}
