import Machines

/// Watches the sequence of one medium's RTP packets: finds losses, keeps order over UDP, bears numbers that say nothing,
/// and knows what a receiver report says (RFC 3550, 6.4.2 and appendix A).
struct RTPReceiver {
    /// What to do with a packet.
    enum Verdict: Hashable {
        /// It is the next one.
        case next
        /// It is the next one there is; some before it are lost.
        case afterLoss(Int)
        /// It came twice, or too late.
        case stale
        /// It came too early; others may still come before it.
        case early
        /// Its number is behind, or far away. It is kept: more like it show that the numbers begin anew.
        case astray
        /// The numbers begin anew, or say nothing: what `takeAstray` gives comes next, this packet included.
        case renumbered
    }

    /// A step forward of so many numbers is no loss but another numbering.
    private static let stepMax = 3_000
    /// A step back of at most so many numbers is a late packet over UDP, unless its time says otherwise.
    private static let lateMax = 100
    /// So many packets that do not fit, without one that does, show that the numbers say nothing.
    private static let astrayEnough = 4
    /// How many packets that do not fit are kept.
    private static let astrayMax = 64
    /// After so many numbers in a row the numbering is believed again.
    private static let trustAfter = 64
    /// A stamp within so many ticks of the last one goes on from it.
    private static let stampStepMax = 1 << 20

    /// Whose packets these are; nil before the first.
    private(set) var source: UInt32?
    private var expected: UInt16 = 0
    private var cycles: UInt32 = 0
    private(set) var lost: UInt64 = 0
    private(set) var received: UInt64 = 0
    /// The highest stamp so far.
    private var highest: UInt32 = 0
    /// The first `knownBytes` of the last packet that was taken, and its size in bytes: another packet with the same of both, number,
    /// stamp and source among them, is taken for the same.
    private var last: [UInt8] = []
    private var lastCount = 0
    private static let knownBytes = 128
    private var astray: [HeldPacket] = []
    private var lastAstray: UInt16?
    /// Numbers of packets that are none of the stream's but are counted with them.
    private var passedOver: [UInt16] = []
    /// The numbers say nothing; how many in a row were right since.
    private var isUnnumbered = false
    private var inOrder = 0
    /// The middle 32 bits of the last sender report's clock and when it came.
    private var lastReport: (middle: UInt32, arrivalMs: Int64)?
    private var receivedBefore: UInt64 = 0
    private var lostBefore: UInt64 = 0

    /// From now on the packets are of another source, with numbers of its own.
    mutating func begin() {
        source = nil
        isUnnumbered = false
        passedOver = []
        dropAstray()
    }

    /// Whether `packet` is the next one by its number and its time, whoever sent it.
    func continues(with packet: RTPPacket) -> Bool {
        source != nil && packet.sequence == expected
            && Int(Int32(bitPattern: packet.timestamp &- highest)).magnitude <= RTPReceiver.stampStepMax
    }

    /// Judges a packet of the stream. `isOrdered`: the transport keeps order, so a gap is a loss at once.
    mutating func judge(
        _ packet: RTPPacket, _ bytes: UnsafeRawBufferPointer, at nowMs: Int64, isOrdered: Bool
    ) -> Verdict {
        if source == nil { highest = packet.timestamp } else if isUnnumbered { return judgeUnnumbered(packet, bytes) }
        let ahead = source == nil ? 0 : Int(Int16(bitPattern: packet.sequence &- expected))
        source = packet.source
        switch ahead {
        case 0:
            accept(packet, bytes)
            return .next
        case 1..<RTPReceiver.stepMax: return isOrdered ? pass(packet, bytes) : .early
        case -1 where isRepeat(bytes): return .stale
        case -1 where astray.isEmpty:
            // The same number on another packet: it stands still.
            expected = packet.sequence
            accept(packet, bytes)
            return .next
        default: return judgeAstray(packet, bytes, ahead: ahead, at: nowMs, isOrdered: isOrdered)
        }
    }

    /// Takes `packet` although some before it are missing.
    mutating func pass(_ packet: RTPPacket, _ bytes: UnsafeRawBufferPointer) -> Verdict {
        let ahead = Int(Int16(bitPattern: packet.sequence &- expected))
        accept(packet, bytes)
        let count = ahead > 0 && ahead < RTPReceiver.stepMax ? ahead : 1
        lost += UInt64(count)
        return .afterLoss(count)
    }

    /// A packet that is none of the stream's may be counted with them: its number is not missed.
    mutating func passOver(_ sequence: UInt16) {
        guard source != nil else { return }
        if passedOver.count == 16 { passedOver.removeFirst() }
        passedOver.append(sequence)
        skipPassedOver()
    }

    /// The packets whose numbers did not fit, in the order of arrival.
    mutating func takeAstray() -> [HeldPacket] {
        defer { dropAstray() }
        return astray
    }

    // MARK: - Numbers that do not fit

    private mutating func judgeAstray(
        _ packet: RTPPacket, _ bytes: UnsafeRawBufferPointer, ahead: Int, at nowMs: Int64, isOrdered: Bool
    ) -> Verdict {
        let isPair = lastAstray.map { $0 &+ 1 == packet.sequence } ?? false
        if astray.count == RTPReceiver.astrayMax { astray.removeFirst() }
        astray.append(HeldPacket(bytes: [UInt8](bytes), arrivalMs: nowMs))
        lastAstray = packet.sequence
        // Over UDP packets come late and twice; none of those is newer than what has been taken.
        let isNew = Int32(bitPattern: packet.timestamp &- highest) > 0
        let isFar = ahead < -RTPReceiver.lateMax || ahead >= RTPReceiver.stepMax
        let isAnew = isPair && (isOrdered || isFar || isNew)
        let saysNothing = astray.count >= RTPReceiver.astrayEnough && (isOrdered || isNew)
        guard isAnew || saysNothing else { return .astray }
        if !isAnew { isUnnumbered = true }
        inOrder = 0
        received += UInt64(astray.count - 1)
        let kept = (astray, lastAstray)
        accept(packet, bytes)
        (astray, lastAstray) = kept
        return .renumbered
    }

    private mutating func judgeUnnumbered(_ packet: RTPPacket, _ bytes: UnsafeRawBufferPointer) -> Verdict {
        if isRepeat(bytes) { return .stale }
        inOrder = packet.sequence == expected ? inOrder + 1 : 0
        if inOrder >= RTPReceiver.trustAfter { isUnnumbered = false }
        accept(packet, bytes)
        return .next
    }

    private func isRepeat(_ bytes: UnsafeRawBufferPointer) -> Bool {
        lastCount == bytes.count && last.elementsEqual(bytes.prefix(RTPReceiver.knownBytes))
    }

    private mutating func accept(_ packet: RTPPacket, _ bytes: UnsafeRawBufferPointer) {
        if packet.sequence == .max { cycles &+= 1 << 16 }
        expected = packet.sequence &+ 1
        received += 1
        let step = Int(Int32(bitPattern: packet.timestamp &- highest))
        if step > 0 || step < -RTPReceiver.stampStepMax { highest = packet.timestamp }
        last.removeAll(keepingCapacity: true)
        last.append(contentsOf: bytes.prefix(RTPReceiver.knownBytes))
        lastCount = bytes.count
        if !astray.isEmpty { dropAstray() }
        if !passedOver.isEmpty { skipPassedOver() }
    }

    private mutating func skipPassedOver() {
        while let index = passedOver.firstIndex(of: expected) {
            passedOver.remove(at: index)
            expected &+= 1
        }
    }

    private mutating func dropAstray() {
        astray = []
        lastAstray = nil
    }
}

// MARK: - Reports

extension RTPReceiver {
    mutating func noteReport(middle: UInt32, arrivalMs: Int64) { lastReport = (middle, arrivalMs) }

    /// A receiver report with a source description, which a compound packet must have.
    mutating func report(nowMs: Int64) -> [UInt8]? {
        guard let source else { return nil }
        let lostNow = lost - lostBefore
        let all = received - receivedBefore + lostNow
        let fraction = all == 0 ? 0 : UInt32(clamping: min(255, lostNow * 256 / all))
        lostBefore = lost
        receivedBefore = received
        // Our own source number; one reader per session, so a constant collides with nobody.
        var words: [UInt32] = [0x81C9_0007, 0x5649_4749, source]
        words.append(fraction << 24 | UInt32(clamping: min(lost, 0x7F_FFFF)))
        words.append(cycles &+ UInt32(truncatingIfNeeded: expected &- 1))
        words.append(0)
        words.append(lastReport?.middle ?? 0)
        words.append(lastReport.map { UInt32(truncatingIfNeeded: (nowMs - $0.arrivalMs) * 65536 / 1000) } ?? 0)
        var bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
        // SDES with the CNAME "vigil", padded to whole words.
        bytes += [0x81, 0xCA, 0, 3, 0x56, 0x49, 0x47, 0x49, 1, 5] + Array("vigil".utf8) + [0]
        return bytes
    }
}
