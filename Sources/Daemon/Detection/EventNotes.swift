internal import Catalog
internal import Machines

/// What was learnt of a camera's events while they were active, and runs of detections that did not count, until they are
/// written.
struct EventNotes: Sendable {
    /// A run that may go on.
    struct Run: Sendable {
        let level: Sensitivity
        let why: Camera.Suppression
        let event: EventID?
        let first: Moment
        var last: Moment
        var count: Int

        /// As the catalog keeps it.
        func row(camera: String) -> SuppressedRun {
            SuppressedRun(
                camera: camera, event: event, first: first, lastWallMs: max(first.wallMs, last.wallMs), count: count,
                level: level, why: why)
        }
    }

    private struct Draft: Sendable {
        let number: EventNumber
        var detections = 0
        /// Bits of the zones in the order in which they came; -1 for the part outside every zone.
        var zones: [Int] = []
    }

    /// Detections further apart than this belong to two runs, in milliseconds.
    static let gapMs: Int64 = 2_000
    /// A run that goes on is written after this long, in milliseconds, so that it can be seen.
    static let runMs: Int64 = 60_000
    /// The most details and runs that wait for a catalog which cannot be written; of more, the oldest are lost.
    static let waitingMax = 1_000

    private var draft: Draft?
    private var runs: [Run] = []
    private var details: [(EventID, EventDetail)] = []

    /// Whether a run waits for its end.
    var hasRuns: Bool { !runs.isEmpty }

    /// An event began.
    mutating func begin(_ number: EventNumber) { draft = Draft(number: number) }

    /// A detection passed.
    mutating func passed(_ number: EventNumber, _ zones: Zones) {
        guard draft?.number == number else { return }
        draft?.detections += 1
        // A detection that is not located says nothing about zones.
        guard zones != .anywhere else { return }
        let touched =
            // Each below the limit.
            (0..<ZoneMap.zoneLimit).filter { zones.inside & 1 << UInt32($0) != 0 } + (zones.outside ? [-1] : [])
        for zone in touched where draft?.zones.contains(zone) == false { draft?.zones.append(zone) }
    }

    /// An event ended. `names`: those of the camera's zones.
    mutating func end(_ number: EventNumber, _ id: EventID, picture: Instant?, names: [String]) {
        guard let draft, draft.number == number else { return }
        let zones = draft.zones.compactMap { $0 < 0 ? "" : names.indices.contains($0) ? names[$0] : nil }
        details.append(
            (id, EventDetail(detections: draft.detections, zones: zones, pictureMonotonicMs: picture?.ms)))
        self.draft = nil
    }

    /// A detection did not count.
    mutating func suppressed(
        _ level: Sensitivity, _ why: Camera.Suppression, during event: EventID?, at moment: Moment
    ) {
        let going = runs.lastIndex {
            $0.level == level && $0.why == why && $0.event == event
                && moment.monotonicMs - $0.last.monotonicMs < Self.gapMs
                && moment.monotonicMs - $0.first.monotonicMs < Self.runMs
        }
        if let going {
            runs[going].last = moment
            runs[going].count += 1
        } else {
            runs.append(Run(level: level, why: why, event: event, first: moment, last: moment, count: 1))
        }
    }

    /// Hands out what is to be written: every detail, and the runs that are over at `now`; all runs where that is nil.
    mutating func take(now: Instant?) -> (details: [(EventID, EventDetail)], runs: [Run]) {
        let over = runs.filter { run in
            guard let now else { return true }
            return now.ms - run.last.monotonicMs >= Self.gapMs || now.ms - run.first.monotonicMs >= Self.runMs
        }
        if let now {
            runs.removeAll {
                now.ms - $0.last.monotonicMs >= Self.gapMs || now.ms - $0.first.monotonicMs >= Self.runMs
            }
        } else {
            runs = []
        }
        defer { details = [] }
        return (details, over)
    }

    /// Takes back what could not be written; gives how many were lost for want of room.
    mutating func putBack(_ details: [(EventID, EventDetail)], _ runs: [Run]) -> Int {
        self.details = details + self.details
        self.runs = runs + self.runs
        let excess = (max(0, self.details.count - Self.waitingMax), max(0, self.runs.count - Self.waitingMax))
        self.details.removeFirst(excess.0)
        self.runs.removeFirst(excess.1)
        return excess.0 + excess.1
    }
}
