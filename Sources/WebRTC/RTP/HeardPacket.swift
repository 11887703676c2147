/// A packet of what a viewer says, where it lies: it must not be used after who was told of it returns.
public struct HeardPacket {
    /// How it is coded.
    public enum Coding: Hashable, Sendable {
        /// Opus, 48 000 ticks a second (RFC 7587).
        case opus
        /// G.711 µ-law, 8 000 samples a second.
        case pcmu
        /// G.711 A-law, 8 000 samples a second.
        case pcma

        /// That of a format that is offered; nil for another one.
        init?(_ format: MediaOffer.Format) {
            switch (format.name, format.clockRate, format.channels) {
            case ("OPUS", 48_000, 2): self = .opus
            case ("PCMU", 8_000, 1): self = .pcmu
            case ("PCMA", 8_000, 1): self = .pcma
            default: return nil
            }
        }
    }

    /// How it is coded.
    public let coding: Coding
    /// Its number, which goes round.
    public let sequence: UInt16
    /// Its time in ticks of the coding, which goes round.
    public let stamp: UInt32
    /// Whose it is (SSRC).
    public let source: UInt32
    /// What it holds. Foreign; not empty.
    public let payload: UnsafeRawBufferPointer

    /// Reads a packet of RTP (RFC 3550, 5.1) of one of these payload types; nil for any other bytes.
    init?(_ bytes: UnsafeRawBufferPointer, _ codings: [UInt8: Coding]) {
        guard bytes.count > RTPHeader.bytes, bytes[0] >> 6 == 2, let coding = codings[bytes[1] & 0x7F] else {
            return nil
        }
        var begin = RTPHeader.bytes + 4 * Int(bytes[0] & 0x0F)
        if bytes[0] & 0x10 != 0 {
            guard begin + 4 <= bytes.count else { return nil }
            begin += 4 + 4 * Int(bytes.uint16(begin + 2))
        }
        let padding = bytes[0] & 0x20 != 0 ? Int(bytes[bytes.count - 1]) : 0
        guard begin < bytes.count - padding else { return nil }
        self.coding = coding
        (sequence, stamp, source) = (bytes.uint16(2), bytes.uint32(4), bytes.uint32(8))
        payload = UnsafeRawBufferPointer(rebasing: bytes[begin..<bytes.count - padding])
    }
}
