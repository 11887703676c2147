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

    init(sink: any InputSink, pool: SlabPool, limits: InputLimits, clocks: [Timeline.Clock]) {
        self.sink = sink
        self.pool = pool
        self.limits = limits
        madeOrdinal = clocks.count
        timeline = Timeline(clocks: clocks)
    }

    func deliver(_ frame: Frame) {
        counts.frames += 1
        counts.bytes += UInt64(frame.count)
        if frame.isDamaged { counts.damaged += 1 }
        sink.frame(frame)
    }

    func note(_ repair: Repair?, track: Int, at now: Instant) {
        if let repair { repairs.note(repair, track: track, at: now) }
    }

    /// Tells the bursts of repairs that are over.
    func tellRepairs(at now: Instant, isEnd: Bool = false) {
        for report in repairs.due(at: now, isEnd: isEnd) { sink.repaired(report) }
    }
}
