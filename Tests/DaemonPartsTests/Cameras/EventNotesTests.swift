import Catalog
import Machines
import Testing

@testable import Daemon

@Suite("What is noted of events until it is written")
struct EventNotesTests {
    private func moment(_ ms: Int64) -> Moment { Moment(monotonicMs: ms, wallMs: 1_000_000 + ms) }

    @Test("the detail of an event counts what passed, and names its zones in the order in which they came")
    func detail() {
        var notes = EventNotes()
        notes.begin(EventNumber(3))
        notes.passed(EventNumber(3), Zones(inside: 0b100, outside: false))
        notes.passed(EventNumber(3), .anywhere)
        notes.passed(EventNumber(3), Zones(inside: 0b101, outside: true))
        notes.passed(EventNumber(2), Zones(inside: 0b010, outside: false))
        notes.end(EventNumber(2), EventID(rawValue: 7), picture: nil, names: [])
        #expect(notes.take(now: Instant(ms: 0)).details.isEmpty)
        notes.end(
            EventNumber(3), EventID(rawValue: 8), picture: Instant(ms: 4_200), names: ["door", "gate", "yard"])
        let taken = notes.take(now: Instant(ms: 0)).details
        #expect(taken.map(\.0) == [EventID(rawValue: 8)])
        #expect(
            taken.first?.1
                == EventDetail(detections: 3, zones: ["yard", "door", ""], pictureMonotonicMs: 4_200))
        #expect(notes.take(now: nil).details.isEmpty)
    }

    @Test("a zone that the camera has no longer is left out")
    func lostZone() {
        var notes = EventNotes()
        notes.begin(EventNumber(1))
        notes.passed(EventNumber(1), Zones(inside: 0b11, outside: false))
        notes.end(EventNumber(1), EventID(rawValue: 1), picture: nil, names: ["door"])
        #expect(notes.take(now: nil).details.first?.1.zones == ["door"])
    }

    @Test("detections for one reason are one run until two seconds pass without one")
    func runs() {
        var notes = EventNotes()
        for ms in [0, 1_000, 2_999, 4_999] as [Int64] { notes.suppressed(.low, .blind, during: nil, at: moment(ms)) }
        notes.suppressed(.low, .zone, during: nil, at: moment(5_000))
        notes.suppressed(.medium, .zone, during: nil, at: moment(5_000))
        notes.suppressed(.low, .zone, during: EventID(rawValue: 4), at: moment(5_000))
        #expect(notes.hasRuns)
        let early = notes.take(now: Instant(ms: 6_998)).runs
        #expect(early.map(\.count) == [3])
        let row = early.first?.row(camera: "front")
        #expect(
            row
                == SuppressedRun(
                    camera: "front", event: nil, first: moment(0), lastWallMs: 1_002_999, count: 3, level: .low,
                    why: .blind))
        let rest = notes.take(now: Instant(ms: 7_000)).runs
        #expect(rest.map(\.why) == [.blind, .zone, .zone, .zone])
        #expect(rest.map(\.level) == [.low, .low, .medium, .low])
        #expect(rest.map(\.event) == [nil, nil, nil, EventID(rawValue: 4)])
        #expect(!notes.hasRuns)
    }

    @Test("a run that goes on is written each minute, and all runs where nothing more comes")
    func longRun() {
        var notes = EventNotes()
        var written: [Int] = []
        for ms in stride(from: Int64(0), through: 150_000, by: 500) {
            notes.suppressed(.low, .sensitivity, during: nil, at: moment(ms))
            written += notes.take(now: Instant(ms: ms)).runs.map(\.count)
        }
        #expect(written == [120, 120])
        let last = notes.take(now: nil).runs.map(\.count)
        #expect(last.count == 1 && written.reduce(0, +) + last.reduce(0, +) == 301)
    }

    @Test("a clock that was put back makes no run end before it began")
    func clockBack() {
        var notes = EventNotes()
        notes.suppressed(.low, .blind, during: nil, at: Moment(monotonicMs: 0, wallMs: 9_000))
        notes.suppressed(.low, .blind, during: nil, at: Moment(monotonicMs: 500, wallMs: 2_000))
        #expect(notes.take(now: nil).runs.first?.row(camera: "a").lastWallMs == 9_000)
    }

    @Test("what could not be written is handed out again, before what came later, and at most so much is kept")
    func putBack() {
        var notes = EventNotes()
        notes.begin(EventNumber(1))
        notes.end(EventNumber(1), EventID(rawValue: 1), picture: nil, names: [])
        notes.suppressed(.low, .blind, during: nil, at: moment(0))
        let taken = notes.take(now: nil)
        notes.begin(EventNumber(2))
        notes.end(EventNumber(2), EventID(rawValue: 2), picture: nil, names: [])
        notes.suppressed(.low, .zone, during: nil, at: moment(100))
        #expect(notes.putBack(taken.details, taken.runs) == 0)
        let again = notes.take(now: nil)
        #expect(again.details.map(\.0.rawValue) == [1, 2])
        #expect(again.runs.map(\.why) == [.blind, .zone])
        let many = (1...Int64(EventNotes.waitingMax)).map { (EventID(rawValue: $0), EventDetail()) }
        #expect(notes.putBack(again.details, []) == 0)
        #expect(notes.putBack(many, []) == 2)
        let kept = notes.take(now: nil).details.map(\.0.rawValue)
        #expect(kept.count == EventNotes.waitingMax && kept.suffix(2) == [1, 2] && kept.first == 3)
    }
}
