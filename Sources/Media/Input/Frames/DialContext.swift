import Machines

/// What the tracks of one dial share. Used by the input's thread only.
final class DialContext {
    let sink: any InputSink
    let pool: SlabPool
    let limits: InputLimits
    /// Ordinal of the track that is made from the sound, if one is: after those of the source.
    let madeOrdinal: Int
    var timeline: Timeline
    var counts = InputCounts()
    private var repairs = RepairLog()
    private var damage: DamageReport?
    private var lostTold: UInt64 = 0
    private var meter: InputMeter
    private var refusals: Set<Refusal> = []

    /// A unit of a track that clips cannot hold, and why.
    private struct Refusal: Hashable {
        let track: Int
        let error: BitstreamError
    }

    init(sink: any InputSink, pool: SlabPool, limits: InputLimits, clocks: [Timeline.Clock]) {
        self.sink = sink
        self.pool = pool
        self.limits = limits
        madeOrdinal = clocks.count
        timeline = Timeline(clocks: clocks)
        meter = InputMeter(limits: limits)
    }

    /// Which bound the source has passed, with its value, once it has: the reader gives it up, and until then nothing of it is
    /// handed over.
    var excess: String? { meter.excess }

    /// Throws once the source has passed a bound.
    func checkBudget() throws(InputFault) { if let excess { throw .failed(.budget, excess) } }

    /// The parameters of a track have changed in mid-stream.
    func noteChange(at now: Instant) { meter.change(at: now) }

    /// Units are left out, because clips cannot hold them.
    func note(refused errors: [BitstreamError], track: Int) {
        counts.refused += UInt64(errors.count)
        for error in errors where refusals.count < limits.refusalsMax {
            guard refusals.insert(Refusal(track: track, error: error)).inserted else { continue }
            sink.refused(track: track, why: "\(error)")
        }
    }

    func deliver(_ frame: Frame) {
        guard meter.take(frame) else { return }
        counts.frames += 1
        counts.bytes += UInt64(frame.count)
        if frame.isDamaged { noteDamage(at: frame.arrival) }
        sink.frame(frame)
    }

    func note(_ repair: Repair?, track: Int, at now: Instant) {
        if let repair { repairs.note(repair, track: track, at: now) }
    }

    private func noteDamage(at arrival: Instant) {
        counts.damaged += 1
        var report = damage ?? DamageReport(frames: 0, lostPackets: 0, first: arrival, last: arrival)
        report.frames += 1
        report.last = max(report.last, arrival)
        damage = report
    }

    private func tellDamage(at now: Instant, isEnd: Bool) {
        guard var report = damage,
            isEnd || now - report.last >= RepairLog.quietMs || now - report.first >= RepairLog.burstMsMax
        else { return }
        damage = nil
        report.lostPackets = counts.lostPackets - lostTold
        lostTold = counts.lostPackets
        sink.damaged(report)
    }

    /// Tells the bursts of repairs and of damage that are over.
    func tellRepairs(at now: Instant, isEnd: Bool = false) {
        for report in repairs.due(at: now, isEnd: isEnd) { sink.repaired(report) }
        tellDamage(at: now, isEnd: isEnd)
    }
}
