/// What a decoder must know about an Opus stream (RFC 7845 clause 5.1; "Encapsulation of Opus in ISO Base Media File
/// Format" clause 4.3.2).
public struct OpusConfiguration: Hashable, Sendable {
    /// Output channels, 1…255.
    public let channels: Int
    /// Samples at 48 kHz to drop at the start of the stream.
    let preSkip: UInt16
    /// The rate of the encoder's input in Hz; information only. Opus always decodes at 48 kHz.
    let inputSampleRate: UInt32
    /// Gain to apply, in 1/256 dB.
    let outputGain: Int16
    /// Channel mapping family and, unless it is 0, stream count, coupled count and the table, as `dOps` stores them.
    let mapping: [UInt8]

    /// What a stream without a header has (RTP, RFC 7587): mono or stereo, nothing to skip, because a recording begins
    /// in the middle of the stream.
    public init(channels: Int) throws(BitstreamError) {
        guard (1...2).contains(channels) else {
            throw BitstreamError("Opus", .outOfRange(field: "channels", value: Int64(channels)))
        }
        self.channels = channels
        preSkip = 0
        inputSampleRate = 48_000
        outputGain = 0
        mapping = [0]
    }

    /// Parses an `OpusHead` (little endian, Ogg and libav's extra data).
    public init(head bytes: [UInt8]) throws(BitstreamError) {
        guard bytes.count >= 19, bytes.starts(with: Array("OpusHead".utf8)) else {
            throw BitstreamError("OpusHead", .truncated)
        }
        // Bytes and words are widened here, which always fits.
        let word = { (at: Int) in UInt16(clamping: bytes[at]) | UInt16(clamping: bytes[at + 1]) << 8 }
        let rate = UInt32(clamping: word(12)) | UInt32(clamping: word(14)) << 16
        try self.init(
            version: bytes[8] & 0xf0, channels: bytes[9], preSkip: word(10), rate: rate,
            gain: Int16(bitPattern: word(16)), mapping: Array(bytes[18...]))
    }

    /// Parses the contents of a `dOps` box (big endian).
    init(specific bytes: [UInt8]) throws(BitstreamError) {
        guard bytes.count >= 11 else { throw BitstreamError("dOps", .truncated) }
        let word = { (at: Int) in UInt16(clamping: bytes[at]) << 8 | UInt16(clamping: bytes[at + 1]) }
        let rate = UInt32(clamping: word(4)) << 16 | UInt32(clamping: word(6))
        try self.init(
            version: bytes[0], channels: bytes[1], preSkip: word(2), rate: rate,
            gain: Int16(bitPattern: word(8)), mapping: Array(bytes[10...]))
    }

    private init(
        version: UInt8, channels: UInt8, preSkip: UInt16, rate: UInt32, gain: Int16, mapping: [UInt8]
    ) throws(BitstreamError) {
        guard version == 0 else {
            throw BitstreamError("Opus", .unsupported("version \(version)"))
        }
        let needed = mapping.first == 0 ? 1 : 3 + Int(channels)
        guard channels > 0, mapping.count >= needed, mapping.first != 0 || channels <= 2 else {
            throw BitstreamError("Opus", .outOfRange(field: "channels", value: Int64(channels)))
        }
        self.channels = Int(channels)
        self.preSkip = preSkip
        inputSampleRate = rate
        outputGain = gain
        self.mapping = Array(mapping.prefix(needed))
    }

    /// The contents of the `dOps` box.
    public var record: [UInt8] {
        var out: [UInt8] = [0, UInt8(truncatingIfNeeded: channels)]
        out += [UInt8(truncatingIfNeeded: preSkip >> 8), UInt8(truncatingIfNeeded: preSkip)]
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            out.append(UInt8(truncatingIfNeeded: inputSampleRate >> shift))
        }
        let gain = UInt16(bitPattern: outputGain)
        return out + [UInt8(truncatingIfNeeded: gain >> 8), UInt8(truncatingIfNeeded: gain)] + mapping
    }
}
