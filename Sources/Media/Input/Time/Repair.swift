public import Machines

/// What was wrong with a time stamp and has been put right.
public enum RepairKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The camera's clock jumped ahead of what the arrival allows.
    case forward
    /// The camera's clock jumped back.
    case backward
    /// The same time stamp came again on another frame.
    case repeated
    /// The frame had no time stamp.
    case missing
    /// The camera's clock runs at a wrong rate; arrival times are used until it runs right again.
    case rate
    /// Audio was moved against video by what the sender reports say.
    case aligned
    /// A frame came later in decoding order than the reorder depth allows; its times were squeezed.
    case reordered
}

/// One frame's repair.
struct Repair: Hashable, Sendable {
    var kind: RepairKind
    /// By how much the time stamp was moved, in milliseconds.
    var shiftMs: Int64
}

/// A burst of repairs of one kind on one track; said once, when the burst is over or has lasted a minute.
public struct RepairReport: Hashable, Sendable {
    /// Ordinal of the track.
    public let track: Int
    /// What was wrong.
    public let kind: RepairKind
    /// How many frames were repaired.
    public internal(set) var count: Int
    /// Arrival of the first of them.
    public let first: Instant
    /// Arrival of the last of them.
    public internal(set) var last: Instant
    /// The largest move in milliseconds, by amount.
    public internal(set) var largestShiftMs: Int64
}

/// Collects repairs into bursts.
struct RepairLog {
    /// A burst is over when nothing was repaired for this long.
    static let quietMs: Int64 = 2_000
    /// A burst is told at the latest after this long.
    static let burstMsMax: Int64 = 60_000

    private var open: [RepairReport] = []

    /// Notes one repair.
    mutating func note(_ repair: Repair, track: Int, at now: Instant) {
        if let index = open.firstIndex(where: { $0.track == track && $0.kind == repair.kind }) {
            open[index].count += 1
            open[index].last = now
            if repair.shiftMs.magnitude > open[index].largestShiftMs.magnitude {
                open[index].largestShiftMs = repair.shiftMs
            }
        } else {
            open.append(
                RepairReport(
                    track: track, kind: repair.kind, count: 1, first: now, last: now, largestShiftMs: repair.shiftMs))
        }
    }

    /// The bursts that are over at `now`; all of them when `isEnd`.
    mutating func due(at now: Instant, isEnd: Bool = false) -> [RepairReport] {
        guard !open.isEmpty else { return [] }
        let isDue = { (report: RepairReport) in
            isEnd || now - report.last >= RepairLog.quietMs || now - report.first >= RepairLog.burstMsMax
        }
        let due = open.filter(isDue)
        if !due.isEmpty { open.removeAll(where: isDue) }
        return due
    }
}
