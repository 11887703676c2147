/// One packet of what somebody says: the payload of a packet of RTP, and what its head says.
public struct SpokenPacket: Hashable, Sendable {
    /// How it is coded.
    public enum Coding: Hashable, Sendable {
        /// Opus (RFC 6716); stamps count 48 000 ticks a second (RFC 7587).
        case opus
        /// G.711 µ-law, 8 000 samples a second.
        case pcmu
        /// G.711 A-law, 8 000 samples a second.
        case pcma

        /// Ticks a second of its stamps.
        var clockRate: Int { self == .opus ? 48_000 : 8_000 }
    }

    /// How it is coded.
    public let coding: Coding
    /// Its number, which goes round.
    public let sequence: UInt16
    /// Its time, in ticks of the coding's clock, which goes round.
    public let stamp: UInt32
    /// Whose it is (SSRC).
    public let source: UInt32
    /// What it holds. Foreign.
    public let payload: [UInt8]

    /// A packet.
    public init(_ coding: Coding, sequence: UInt16, stamp: UInt32, source: UInt32, payload: [UInt8]) {
        (self.coding, self.sequence, self.stamp) = (coding, sequence, stamp)
        (self.source, self.payload) = (source, payload)
    }
}
