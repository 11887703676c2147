import Catalog
import Machines
import Testing

@testable import Daemon

/// What docs/design/cloud.md "Outages and refusals" says of the queue, fact by fact.
@Suite("The gate before the store")
struct StoreGateTests {
    /// A gate for up to eight transfers at once. A class, because an expectation cannot change a value.
    private final class Held {
        private(set) var gate = StoreGate()

        func room(atWork: Int = 0, inHand: Int = 0) -> Int { gate.room(parallel: 8, atWork: atWork, inHand: inHand) }
        func lets(_ job: UploadID) -> Bool { gate.lets(job) }
        func unreachable(at now: Instant) -> Bool { gate.unreachable(at: now) }
        func refused(_ job: UploadID, at now: Instant) -> Bool { gate.refused(job, "it is full", at: now) }
        func moved(at now: Instant) -> Int64? { gate.moved(at: now) }
        func wantsProbe(at now: Instant) -> Bool { gate.wantsProbe(at: now) }
        func probed(_ isAnswered: Bool, at now: Instant) { gate.probed(isAnswered, at: now) }
        func isAsked() { gate.isAsked() }
        func slowDown(at now: Instant) { gate.slowDown(from: 8, at: now) }
        func look(at now: Instant) { gate.look(at: now) }
    }

    private let held = Held()
    private let begin = Instant(ms: 1_000_000)
    private let culprit = UploadID(rawValue: 1)
    private let other = UploadID(rawValue: 2)

    @Test("an outage is told once, lets one job try, and its end says how long it was")
    func outage() {
        #expect(held.room(atWork: 3, inHand: 5) == 5 && held.room(atWork: 9, inHand: 9) == 0)
        #expect(held.unreachable(at: begin))
        #expect(!held.unreachable(at: begin + 10))
        #expect(held.gate.words != nil && held.room() == 1 && held.room(inHand: 1) == 0)
        #expect(held.lets(culprit) && held.lets(other) && !held.gate.isShut)
        #expect(held.moved(at: begin + 5_000) == 5_000)
        #expect(held.gate.words == nil && held.room() == 8)
        #expect(held.moved(at: begin + 6_000) == nil)
        #expect(held.unreachable(at: begin + 7_000))
    }

    @Test("a refusal lets nobody but the job that met it go on, and is told once")
    func refusal() {
        #expect(held.refused(culprit, at: begin))
        #expect(!held.refused(culprit, at: begin + 1))
        #expect(!held.refused(other, at: begin + 2))
        #expect(held.gate.isShut && held.gate.words == "it is full")
        #expect(held.lets(culprit) && !held.lets(other))
        #expect(held.room() == 0 && held.room(inHand: 1) == 0)
        // That nobody answers any more does not say that it changed its mind.
        #expect(!held.unreachable(at: begin + 3) && held.gate.isShut)
    }

    @Test("a store that refuses is asked after 1, 2, 4, 8 and then every 15 minutes, one question at a time")
    func probes() {
        _ = held.refused(culprit, at: begin)
        var now = begin
        for minutes in [1, 2, 4, 8, 15, 15] as [Int64] {
            // A repeated refusal of the same job moves no question.
            _ = held.refused(culprit, at: now + 1)
            now = now + (minutes * 60_000 - 1)
            #expect(!held.wantsProbe(at: now), "before \(minutes) min")
            now = now + 1
            #expect(held.wantsProbe(at: now), "after \(minutes) min")
            #expect(!held.wantsProbe(at: now), "while it is asked")
            held.probed(false, at: now)
            #expect(held.gate.isShut)
        }
        held.isAsked()
        #expect(held.wantsProbe(at: now))
        held.probed(true, at: now)
        #expect(held.gate.isTrial && !held.gate.isShut && held.room() == 1 && held.room(inHand: 1) == 0)
        // It answers questions, and still takes nothing.
        #expect(held.refused(other, at: now))
        #expect(!held.wantsProbe(at: now + 14 * 60_000))
        #expect(held.wantsProbe(at: now + 15 * 60_000))
        held.probed(true, at: now)
        #expect(held.moved(at: now) == nil && !held.gate.isTrial && held.room() == 8)
        _ = held.refused(culprit, at: now)
        #expect(held.wantsProbe(at: now + 60_000), "a success begins the waits anew")
    }

    @Test("a store that asks to slow down gets half as many at once, and one more for each minute without")
    func slowDown() {
        var now = begin
        for count in [4, 2, 1, 1] {
            held.slowDown(at: now)
            #expect(held.room() == count)
        }
        for count in 2...8 {
            held.look(at: now + 59_999)
            #expect(held.room() == count - 1)
            now = now + 60_000
            held.look(at: now)
            #expect(held.room() == count)
        }
        #expect(held.gate.words == nil && held.lets(other))
        for _ in 0..<40 {
            now = now + 60_000
            held.look(at: now)
        }
        #expect(held.room() == 8)
    }
}
