import RandomSource

@testable import Ingest
@testable import Media

/// An outbox that is used at random, as `IngestPusher` uses it, and what must hold of it after each step.
struct OutboxWalk {
    /// How often each thing has happened.
    struct Reached {
        private(set) var counts: [String: Int] = [:]

        init() { for what in Self.all { counts[what] = 0 } }

        static let all = [
            "finished", "gave up", "gave up with those behind", "made room for a session", "made room for bytes",
            "dropped what was on its way", "took a filler", "took a header again",
        ]

        mutating func note(_ what: String) { counts[what, default: 0] += 1 }
        mutating func add(_ other: Reached) { counts.merge(other.counts) { $0 + $1 } }
    }

    /// What was seen of a track.
    private struct Seen {
        var endMs: Int64 = 0
        var addedMs: Int64 = 0
        /// Without those that stand still.
        var takenMs: Int64 = 0
        /// With them.
        var putMs: Int64 = 0
        var taken = 0
        var fillers = 0
        var takenUntil: UInt64 = 0
    }

    private(set) var wrong: [String] = []
    private(set) var reached = Reached()
    private var random: SeededGenerator
    private var outbox: Outbox
    private var seen: [Int64: [Seen]] = [:]
    private var told: Set<Int64> = []
    /// Sessions of which media may have been dropped.
    private var dropped: Set<Int64> = []
    private var last: Int64 = 0
    private var running: Int64?
    private var steps = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        // Enough for the fillers of two sessions, which never go.
        outbox = Outbox(
            Outbox.Bounds(bytes: [3_000, 100_000][Int(seed % 2)], ms: [5_000, 60_000][Int(seed / 2 % 2)]))
    }

    private mutating func draw(_ below: Int) -> Int { Int.random(in: 0..<below, using: &random) }

    private mutating func hold(_ isRight: Bool, _ what: String) { if !isRight { wrong.append(what) } }

    // MARK: Steps

    mutating func step() throws {
        steps += 1
        // In turn a receiver that is away, one that takes nearly as much as comes, and one that takes all.
        let takes = [0, 45, 90][steps / 250 % 3]
        if draw(100) < takes { take() } else { try feed() }
        if draw(500) == 0 { drop() }
        if draw(400) == 0, !outbox.isEmpty { giveUp() }
        check()
    }

    private mutating func feed() throws {
        guard let running else {
            last += 1
            running = last
            seen[last] = [Seen(), Seen()]
            let interface = IngestSession.Interface.allCases[draw(3)]
            return gone(outbox.begin(try .plain(last, interface)), "made room for a session")
        }
        // Sessions of few segments in the first half of each thousand, so that there are many; then longer ones.
        guard draw(steps % 1_000 < 500 ? 2 : 10) > 0, seen[running]?[0].endMs ?? 0 < 12_000 else {
            outbox.end(running)
            return self.running = nil
        }
        let track = draw(2)
        let from = seen[running]?[track].endMs ?? 0
        let (lengthMs, bytes) = (Int64(500 + draw(1_000)), 200 + draw(800))
        var segment = MediaSegment.plain(track: track, at: from, lengthMs: lengthMs, bytes: bytes)
        if draw(10) == 0 { segment = segment.filled(.link) ?? segment }
        seen[running]?[track].endMs = from + segment.durationMs
        seen[running]?[track].addedMs += segment.durationMs
        gone(outbox.add(segment, to: running), "made room for bytes")
        // What belongs to another session is left out.
        let before = outbox.waitingBytes
        let others = outbox.add(segment, to: running - 1)
        hold(others.isEmpty && outbox.waitingBytes == before, "a session that is over takes a segment")
    }

    private mutating func take() {
        let current = outbox.current
        switch outbox.next() {
        case .rest: return
        case .finished(let summary):
            reached.note("finished")
            hold(summary.session == current, "another session is finished than the first")
            // Where nothing was dropped all of each track's time was put, fillers and all.
            if !dropped.contains(summary.session), let tracks = seen[summary.session] {
                hold(tracks.allSatisfy { $0.putMs == $0.addedMs }, "session \(summary.session) has holes: \(tracks)")
            }
            tell(summary)
        case .put(let object):
            guard case .put(let again) = outbox.next(), again == object else {
                return wrong.append("\(object.path) changes before it is taken")
            }
            // Something else may happen while it is on its way.
            if draw(20) == 0 { return drop() }
            if draw(60) == 0 { return giveUp() }
            if draw(10) == 0, !outbox.isRepeating { outbox.repeatHeader() }
            if outbox.isRepeating { takeHeader() }
            let segment = outbox.taken().segment
            if let segment, let current { note(segment, object, of: current) }
        }
    }

    private mutating func takeHeader() {
        guard case .put(let header) = outbox.next() else { return wrong.append("no header comes again") }
        hold(header.path.hasSuffix(".init"), "\(header.path) comes again, which is no header")
        hold(outbox.taken().segment == nil, "a header is taken as a segment")
        reached.note("took a header again")
    }

    private mutating func note(_ segment: MediaSegment, _ object: IngestObject, of session: Int64) {
        guard var track = seen[session]?[segment.track] else { return wrong.append("session \(session) is unknown") }
        track.taken += 1
        let name = SessionLists.segment(track.taken)
        let folder = "session_\(session)/\(["cam", "mic"][segment.track])/"
        // What was dropped on its way had a number.
        hold(object.path.hasPrefix(folder), "\(object.path) is of session \(session), track \(segment.track)")
        hold(object.path >= folder + name, "\(object.path) is put where \(name) follows")
        hold(segment.decodeTime >= track.takenUntil, "\(object.path) begins before \(track.takenUntil)")
        track.takenUntil = segment.endTime
        track.putMs += segment.durationMs
        if segment.filler == nil { track.takenMs += segment.durationMs } else { track.fillers += 1 }
        if segment.filler == .receiver { reached.note("took a filler") }
        seen[session]?[segment.track] = track
    }

    private mutating func drop() {
        dropped.formUnion(seen.keys)
        if outbox.drop("privacy") { reached.note("dropped what was on its way") }
    }

    private mutating func giveUp() {
        let gone = outbox.giveUp("refused")
        reached.note("gave up")
        if gone.count > 1 { reached.note("gave up with those behind") }
        hold(gone.dropFirst().allSatisfy { $0.session != running }, "the session that goes on goes with one before it")
        if gone.first?.session == running { running = nil }
        hold(outbox.isEmpty || outbox.current == running, "a session that has ended stays behind one that was given up")
        for summary in gone { tell(summary) }
    }

    private mutating func gone(_ gone: [Outbox.Summary], _ why: String) {
        for summary in gone {
            reached.note(why)
            let session = summary.session
            hold(session != running && session != outbox.current, "session \(session) goes too early")
            hold(summary.segments == 0, "a session goes of which something was put")
            tell(summary)
        }
    }

    // MARK: What must hold

    /// A session is over: all of its time was put, or is told as a hole.
    private mutating func tell(_ summary: Outbox.Summary) {
        hold(told.insert(summary.session).inserted, "session \(summary.session) is told twice")
        guard let tracks = seen.removeValue(forKey: summary.session) else { return }
        let holesMs = summary.holesMs.values.reduce(0, +)
        hold(
            tracks[0].takenMs + holesMs == tracks[0].addedMs,
            "session \(summary.session): \(tracks[0].takenMs) of \(tracks[0].addedMs) ms were taken; \(summary)")
        hold(
            summary.segments == tracks[0].taken + tracks[1].taken
                && summary.fillers == tracks[0].fillers + tracks[1].fillers, "\(summary) of \(tracks)")
    }

    private mutating func check() {
        hold(
            outbox.waitingBytes <= outbox.bounds.bytes && outbox.waitingBytes >= 0,
            "\(outbox.waitingBytes) bytes wait of \(outbox.bounds.bytes)")
        hold(seen.count <= Outbox.sessionsMax, "\(seen.count) sessions wait")
        guard steps % 20 == 0 else { return }
        // A copy is taken whole, to see what waits. What is on its way is not counted.
        var (copy, wholeMs, waitingMs, isFirst) = (outbox, Int64(0), Int64(0), true)
        while true {
            switch copy.next() {
            case .finished: continue
            case .rest:
                hold(waitingMs == outbox.waitingMs, "\(outbox.waitingMs) ms are said to wait of \(waitingMs)")
                return hold(wholeMs <= outbox.bounds.ms, "\(wholeMs) ms wait of \(outbox.bounds.ms)")
            case .put:
                if let segment = copy.taken().segment, segment.track == 0 {
                    waitingMs += segment.durationMs
                    if segment.filler == nil, !isFirst { wholeMs += segment.durationMs }
                }
                isFirst = false
            }
        }
    }

    /// Ends what goes on, and takes the rest.
    mutating func finish() {
        if let running { outbox.end(running) }
        running = nil
        while !outbox.isEmpty { take() }
        hold(told.count == Int(last) && seen.isEmpty, "\(last) sessions have begun, and \(told.count) are told")
        hold(outbox.waitingBytes == 0, "\(outbox.waitingBytes) bytes wait of nothing")
    }
}
