import Machines

/// Puts the time lines of sessions that follow each other onto one line of the dial, in microseconds.
struct PushClock {
    private struct Line {
        let session: UInt64
        let offsetUs: Int64
    }

    private var line: Line?
    /// Where what was put onto the line ends, when it came, and by the pusher's own clock.
    private var endUs: Int64 = 0
    private var endArrival: Instant?
    private var endWallMs: Int64?
    /// By how much what is pushed comes after it is over, at least, in milliseconds.
    private var delayMs: Int64?

    /// What is added to the times of a session whose fragment begins at `beginUs` of its own line and lasts `durationUs`.
    mutating func offsetUs(
        session: UInt64, beginUs: Int64, durationUs: Int64, arrival: Instant, wallMs: Int64?
    ) -> Int64 {
        let offset: Int64
        if let line, line.session == session {
            offset = line.offsetUs
        } else {
            let gap = line == nil ? 0 : gapUs(durationUs: durationUs, arrival: arrival, wallMs: wallMs)
            offset = endUs &+ gap &- beginUs
            line = Line(session: session, offsetUs: offset)
        }
        let end = beginUs &+ durationUs &+ offset
        if end > endUs || endArrival == nil {
            (endUs, endArrival) = (end, arrival)
            endWallMs = wallMs.map { $0 &+ durationUs / 1_000 }
        }
        return offset
    }

    /// What is to be added to times of the line, in milliseconds, for when samples count as having come: as if each had come as
    /// soon after its time as those do that come soonest. It follows a pusher whose clock runs slow, by a hundredth.
    mutating func delayMs(endUs: Int64, durationUs: Int64, arrival: Instant) -> Int64 {
        let own = arrival.ms &- endUs / 1_000
        let delay = delayMs.map { min(own, $0 &+ durationUs / 100_000) } ?? own
        delayMs = delay
        return delay
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
