import Machines

/// Puts the time lines of sessions that follow each other onto one line of the dial, in microseconds.
struct PushClock {
    private struct Line {
        let session: UInt64
        let offsetUs: Int64
    }

    /// Of the latest two sessions, the newest last: what is left of one may come beside the begin of the next.
    private var lines: [Line] = []
    /// Where what was put onto the line ends, when it came, and by the pusher's own clock.
    private var endUs: Int64 = 0
    private var endArrival: Instant?
    private var endWallMs: Int64?

    /// What is added to the times of a session whose fragment begins at `beginUs` of its own line and lasts `durationUs`.
    mutating func offsetUs(
        session: UInt64, beginUs: Int64, durationUs: Int64, arrival: Instant, wallMs: Int64?
    ) -> Int64 {
        let offset: Int64
        if let line = lines.last(where: { $0.session == session }) {
            offset = line.offsetUs
        } else {
            let gap = lines.isEmpty ? 0 : gapUs(durationUs: durationUs, arrival: arrival, wallMs: wallMs)
            offset = endUs &+ gap &- beginUs
            lines = lines.suffix(1) + [Line(session: session, offsetUs: offset)]
        }
        let end = beginUs &+ durationUs &+ offset
        if end > endUs || endArrival == nil {
            (endUs, endArrival) = (end, arrival)
            endWallMs = wallMs.map { $0 &+ durationUs / 1_000 }
        }
        return offset
    }

    /// How much lies between the end of the session before and the begin of the next: by the pusher's clock where it tells it
    /// in both, else by arrival, less what the network may have added.
    private func gapUs(durationUs: Int64, arrival: Instant, wallMs: Int64?) -> Int64 {
        if let wallMs, let endWallMs {
            let gap = wallMs.subtractingReportingOverflow(endWallMs)
            if !gap.overflow, (-PushLimits.jitterMs...PushLimits.gapMsMax).contains(gap.partialValue) {
                return max(0, gap.partialValue) * 1_000
            }
        }
        guard let endArrival else { return 0 }
        let gap = arrival - endArrival - durationUs / 1_000
        return gap < PushLimits.jitterMs ? 0 : min(gap, PushLimits.gapMsMax) * 1_000
    }
}
