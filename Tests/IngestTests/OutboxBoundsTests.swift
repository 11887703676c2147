import Machines
import RandomSource
import Testing

@testable import Ingest
@testable import Media

@Suite("What waits to be pushed, and its bounds")
struct OutboxBoundsTests {
    /// An outbox with sessions of so many segments of a second each, of which the last one goes on.
    private func outbox(
        _ bounds: Outbox.Bounds, sessions: ClosedRange<Int64>, segments: Int = 2
    ) throws -> (outbox: Outbox, gone: [Outbox.Summary]) {
        var (outbox, gone) = (Outbox(bounds), [Outbox.Summary]())
        for number in sessions {
            gone += outbox.begin(try .plain(number))
            for place in 0..<segments { gone += outbox.add(.plain(at: Int64(place) * 1_000), to: number) }
            if number < sessions.upperBound { outbox.end(number) }
        }
        return (outbox, gone)
    }

    /// The sessions that are put whole when everything is taken, in order.
    private func drain(_ outbox: inout Outbox) -> [Outbox.Summary] {
        var finished: [Outbox.Summary] = []
        while true {
            switch outbox.next() {
            case .put: _ = outbox.taken()
            case .finished(let summary): finished.append(summary)
            case .rest: return finished
            }
        }
    }

    @Test("of more sessions than may wait the oldest go that have ended, never the first; each is told with its holes")
    func sessions() throws {
        let last = Int64(Outbox.sessionsMax) + 3
        var (outbox, gone) = try outbox(Outbox.Bounds(bytes: 1 << 20, ms: 600_000), sessions: 1...last)
        #expect(gone == [2, 3, 4].map { Outbox.Summary(session: $0, holesMs: ["receiver": 2_000]) })
        #expect(outbox.current == 1)
        outbox.end(last)
        let finished = drain(&outbox)
        #expect(finished.map(\.session) == [1] + Array(5...last))
        #expect(finished.allSatisfy { $0.segments == 2 && $0.fillers == 0 && $0.holesMs.isEmpty })
        #expect(outbox.isEmpty && outbox.waitingBytes == 0)
    }

    @Test("where fillers are too much, too, the oldest sessions go, never the first nor the one that goes on")
    func fillers() throws {
        // Of each session one key frame is kept, for all of its fillers.
        let bytes = 10 * MediaSegment.plainKeyBytes
        var (outbox, gone) = try outbox(Outbox.Bounds(bytes: bytes, ms: 600_000), sessions: 1...13)
        #expect(gone == [2, 3, 4].map { Outbox.Summary(session: $0, holesMs: ["receiver": 2_000]) })
        #expect(outbox.current == 1 && outbox.waitingBytes == bytes && outbox.waitingMs == 20_000)
        outbox.end(13)
        let finished = drain(&outbox)
        #expect(finished.map(\.session) == [1] + Array(5...13))
        #expect(finished.allSatisfy { $0.segments == 2 && $0.fillers == 2 && $0.holesMs == ["receiver": 2_000] })
        #expect(outbox.isEmpty && outbox.waitingBytes == 0)
        // Where nothing has ended, nothing goes.
        (outbox, gone) = try self.outbox(Outbox.Bounds(bytes: 1, ms: 600_000), sessions: 1...2)
        #expect(gone.isEmpty && outbox.current == 1)
        outbox.end(2)
        #expect(drain(&outbox).map(\.session) == [1, 2])
    }

    @Test("where less may wait from now on, what waits is less at once, also of sessions that get nothing more")
    func bound() throws {
        var (outbox, gone) = try outbox(Outbox.Bounds(bytes: 1 << 20, ms: 600_000), sessions: 1...13)
        outbox.end(13)
        #expect(gone.isEmpty && outbox.waitingBytes > 10 * MediaSegment.plainKeyBytes)
        gone = outbox.bound(bytes: 10 * MediaSegment.plainKeyBytes)
        #expect(gone == [2, 3, 4].map { Outbox.Summary(session: $0, holesMs: ["receiver": 2_000]) })
        #expect(outbox.waitingBytes == 10 * MediaSegment.plainKeyBytes && outbox.current == 1)
        #expect(drain(&outbox).map(\.session) == [1] + Array(5...13))
    }

    @Test("who gives up the first session gives up those behind it that have ended, and leaves the one that goes on")
    func givenUp() throws {
        var (outbox, gone) = try outbox(Outbox.Bounds(bytes: 1 << 20, ms: 600_000), sessions: 1...4)
        #expect(gone.isEmpty)
        // Manifest, two headers and a segment are taken, and the second one is on its way.
        for _ in 0..<4 {
            _ = outbox.next()
            _ = outbox.taken()
        }
        guard case .put(let second) = outbox.next() else { throw Outbox.Missing() }
        #expect(second.path == "session_1/cam/segment_0002.m4s")
        gone = outbox.giveUp("refused")
        #expect(gone.map(\.session) == [1, 2, 3])
        #expect(gone.map(\.holesMs) == [["refused": 1_000], ["refused": 2_000], ["refused": 2_000]])
        #expect(gone.map(\.segments) == [1, 0, 0])
        #expect(outbox.current == 4 && outbox.waitingMs == 2_000)
        _ = outbox.add(.plain(at: 2_000), to: 4)
        outbox.end(4)
        #expect(drain(&outbox).map { [Int($0.session), $0.segments, $0.fillers] } == [[4, 3, 0]])
        #expect(outbox.isEmpty && outbox.waitingBytes == 0 && outbox.giveUp("refused").isEmpty)
    }

    @Test("in random walks what waits is bounded, and each segment is taken in its order, or told as a hole, once")
    func walks() throws {
        var reached = OutboxWalk.Reached()
        for seed in 0..<12 {
            var walk = OutboxWalk(seed: UInt64(seed))
            for step in 0..<1_500 {
                try walk.step()
                if let wrong = walk.wrong.first {
                    Issue.record("seed \(seed), step \(step): \(wrong)")
                    return
                }
            }
            walk.finish()
            #expect(walk.wrong == [], "seed \(seed)")
            reached.add(walk.reached)
        }
        for (what, count) in reached.counts { #expect(count > 20, "hardly ever \(what): \(count)") }
    }
}

extension Outbox {
    fileprivate struct Missing: Error {}
}
