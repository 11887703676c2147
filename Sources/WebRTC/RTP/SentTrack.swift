/// What is counted of a track that is sent (RFC 3550, 6.4.1).
struct SentTrack {
    let source: UInt32
    /// That of the next packet.
    var payloadType: UInt8
    /// Ticks a second.
    let rate: Int64
    /// The number of the next packet.
    var sequence: UInt16
    var packets: UInt32 = 0
    var octets: UInt32 = 0
    /// A moment of which both clocks are known.
    var moment: (stamp: UInt32, wallMs: Int64)?

    init(source: UInt32, payloadType: UInt8, rate: Int64) {
        (self.source, self.payloadType, self.rate) = (source, payloadType, rate)
        // Not near a wrap: RFC 3711, 3.3.1 lets a receiver lose its place there.
        sequence = UInt16.random(in: 0..<0x4000)
    }

    /// The head of the next packet.
    mutating func next(stamp: UInt32, isLast: Bool, payloadBytes: Int) -> RTPHeader {
        defer {
            sequence &+= 1
            packets &+= 1
            octets &+= UInt32(truncatingIfNeeded: payloadBytes)
        }
        return RTPHeader(payloadType: payloadType, isLast: isLast, sequence: sequence, stamp: stamp, source: source)
    }

    /// The report of now; nil before anything was sent.
    func report(wallMs: Int64, name: String) -> SenderReport? {
        guard let moment else { return nil }
        let passed = max(-86_400_000, min(86_400_000, wallMs &- moment.wallMs))
        let stamp = moment.stamp &+ UInt32(truncatingIfNeeded: passed * rate / 1_000)
        return SenderReport(
            source: source, wallMs: wallMs, stamp: stamp, packets: packets, octets: octets, name: name)
    }
}
