/// What a viewer has told of its network in a stretch of about a second, beside what it was sent of the picture meanwhile.
public struct NetworkReport: Hashable, Sendable {
    /// How many of the packets were lost, 0…1: the worst that a report said (RFC 3550, 6.4.1). What was sent again and came counts as
    /// received.
    public var lost: Double
    /// How many packets were asked for again (RFC 4585, 6.2.1), each counted once.
    public var asked: Int
    /// How many packets were sent for the first time.
    public var packets: Int
    /// How many bits a second these were.
    public var bitsPerSecond: Int
    /// How many bits a second the viewer estimates that it can get (REMB); nil where it tells none.
    public var estimate: Int?

    /// A report.
    public init(lost: Double = 0, asked: Int = 0, packets: Int, bitsPerSecond: Int, estimate: Int? = nil) {
        (self.lost, self.asked, self.packets) = (lost, asked, packets)
        (self.bitsPerSecond, self.estimate) = (bitsPerSecond, estimate)
    }
}

/// Gathers what becomes a report.
struct NetworkStretch {
    /// So many packets that are asked for again are told apart.
    static let askedMax = 4_096

    private var lost: UInt8 = 0
    private var asked: Set<UInt16> = []
    private var isTold = false
    private var estimate: Int?
    let sinceMs: Int64
    /// The packets and octets of the picture that were counted when it began.
    private let before: (packets: UInt32, octets: UInt32)
    /// How many packets were sent in the stretch before.
    let packetsBefore: Int

    /// A stretch that begins now; an estimate holds until there is another one.
    init(at nowMs: Int64, _ track: SentTrack, packetsBefore: Int = 0, estimate: Int? = nil) {
        (sinceMs, before) = (nowMs, (track.packets, track.octets))
        (self.packetsBefore, self.estimate) = (packetsBefore, estimate)
    }

    /// Takes what the viewer tells.
    mutating func take(_ feedback: ControlFeedback, of source: UInt32) {
        for report in feedback.reports where report.source == source {
            isTold = true
            lost = max(lost, report.fractionLost)
        }
        for sequence in feedback.lost where asked.count < Self.askedMax { asked.insert(sequence) }
        if let told = feedback.estimate { estimate = told }
    }

    /// The report, and the stretch that follows. No report where the viewer has told nothing of what it was sent: nobody knows
    /// then. Where it was sent nothing, the report says that.
    func end(at nowMs: Int64, _ track: SentTrack) -> (report: NetworkReport?, next: NetworkStretch) {
        let packets = Int(track.packets &- before.packets)
        let next = NetworkStretch(at: nowMs, track, packetsBefore: packets, estimate: estimate)
        guard isTold || !asked.isEmpty || packets == 0 else { return (nil, next) }
        let octets = Int(track.octets &- before.octets)
        let report = NetworkReport(
            lost: Double(lost) / 256, asked: asked.count, packets: packets,
            bitsPerSecond: octets * 8_000 / Int(max(1, min(60_000, nowMs - sinceMs))), estimate: estimate)
        return (report, next)
    }
}
