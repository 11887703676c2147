/// AudioSpecificConfigs (ISO/IEC 14496-3, 1.6.2.1) that are made here; `AudioSpecificConfig` reads them.
enum AACConfiguration {
    private static let rates = [
        96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]

    /// The shortest configuration that says this; nil where there is none so short.
    static func bytes(objectType: Int, sampleRate: Int, channels: Int) -> [UInt8]? {
        guard let index = rates.firstIndex(of: sampleRate), (1...31).contains(objectType), (1...7).contains(channels)
        else { return nil }
        return [
            UInt8(objectType << 3 | index >> 1), UInt8((index & 1) << 7 | channels << 3),
        ]
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

    /// What is left, from the next bit on.
    var rest: [UInt8] {
        var reader = self
        var out: [UInt8] = []
        while let byte = reader.bits(8) { out.append(UInt8(byte)) }
        let left = bytes.count * 8 - reader.position
        if left > 0, let last = reader.bits(left) { out.append(UInt8(last << (8 - left))) }
        return out
    }

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
        Array("OpusHead".utf8) + [1, UInt8(max(1, min(2, channels))), 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0]
    }
}
