import Machines
import Testing

@testable import Daemon
@testable import Media

@Suite("How often detections become facts")
struct DetectionPaceTests {
    private let source = SourceNumber(3)

    private func seen(_ level: Sensitivity, inside: UInt32 = 1, outside: Bool = false) -> Camera.Event {
        .detected(level: level, zones: Zones(inside: inside, outside: outside))
    }

    private func at(_ ms: Int64) -> Instant { Instant(ms: ms) }

    /// What is told at once of `event`.
    private func take(_ pace: inout DetectionPace, _ event: Camera.Event, _ ms: Int64) -> [Camera.Event]? {
        pace.take(event, at: at(ms))?.map(\.event)
    }

    /// What is told at `ms` of what was held.
    private func release(_ pace: inout DetectionPace, _ ms: Int64) -> [Camera.Event] {
        pace.release(at: at(ms)).map(\.event)
    }

    @Test("What is no detection and no source's word is not its business")
    func others() {
        var pace = DetectionPace()
        #expect(take(&pace, .tick, 0) == nil)
        #expect(take(&pace, .commanded(TimeControl()), 0) == nil)
        #expect(take(&pace, .enabled(false), 0) == nil)
    }

    @Test("The first is told at once, and what repeats it within half a second together, when that is over")
    func together() {
        var pace = DetectionPace()
        #expect(pace.due == nil)
        #expect(take(&pace, seen(.medium, inside: 7), 1_000) == [seen(.medium, inside: 7)])
        #expect(pace.due == nil)
        #expect(take(&pace, seen(.medium, inside: 2), 1_200) == [])
        #expect(take(&pace, seen(.medium, inside: 4), 1_400) == [])
        #expect(pace.due == at(1_500))
        #expect(release(&pace, 1_499) == [])
        #expect(release(&pace, 1_500) == [seen(.medium, inside: 6)])
        #expect(pace.due == nil && release(&pace, 9_000) == [])
    }

    @Test("A lesser sensitivity, or another zone, is news and told at once; with it goes what it covers")
    func news() {
        var pace = DetectionPace()
        #expect(take(&pace, seen(.medium, inside: 1), 0) == [seen(.medium, inside: 1)])
        #expect(take(&pace, seen(.high, inside: 1), 50) == [])
        #expect(take(&pace, seen(.low, inside: 1), 100) == [seen(.low, inside: 1)])
        #expect(pace.due == nil, "what a higher sensitivity noticed before it is told with it")
        #expect(take(&pace, seen(.high, inside: 2), 200) == [seen(.high, inside: 2)])
        #expect(take(&pace, seen(.high, inside: 0, outside: true), 300) == [seen(.high, inside: 0, outside: true)])
        #expect(
            take(&pace, .detected(level: .high, zones: .anywhere), 400) == [.detected(level: .high, zones: .anywhere)])
    }

    @Test("A strong movement in a zone that does not count takes nothing from a faint one in a zone that does")
    func zones() {
        var pace = DetectionPace()
        _ = take(&pace, seen(.high, inside: 1), 0)
        #expect(take(&pace, seen(.high, inside: 1), 100) == [])
        #expect(take(&pace, seen(.low, inside: 2), 200) == [seen(.low, inside: 2)])
        #expect(release(&pace, 500) == [seen(.high, inside: 1)])
    }

    @Test("What was held when nothing may be noticed any more is forgotten, unless somebody waits for it")
    func forget() {
        var pace = DetectionPace()
        _ = take(&pace, seen(.low), 0)
        _ = take(&pace, seen(.low), 100)
        pace.forget()
        #expect(pace.due == nil && release(&pace, 10_000) == [])
        _ = take(&pace, seen(.low), 20_000)
        let asker = Asker(user: "uid 7")
        #expect(pace.take(seen(.low), [asker], at: at(20_100))?.isEmpty == true)
        pace.forget()
        #expect(pace.release(at: at(20_500)).first?.askers.users == "uid 7")
    }

    @Test("An \"on\" is told, however soon its \"off\" follows, and the other way round")
    func edges() {
        var pace = DetectionPace()
        let (on, off) = (Camera.Event.asserted(source, staleMs: 60_000), Camera.Event.cleared(source))
        #expect(take(&pace, on, 0) == [on])
        #expect(take(&pace, off, 10) == [off])
        #expect(take(&pace, on, 20) == [on])
        #expect(take(&pace, off, 30) == [off])
        let refreshed = Camera.Event.asserted(source, staleMs: 90_000)
        #expect(take(&pace, on, 1_000) == [on])
        #expect(take(&pace, refreshed, 1_100) == [], "it says what was said just now")
        #expect(release(&pace, 1_500) == [refreshed], "its newest word holds")
        #expect(take(&pace, refreshed, 1_600) == [])
        #expect(take(&pace, off, 1_700) == [off], "news does not wait behind what is none")
        #expect(pace.due == nil)
    }

    @Test("A flood of edges is bounded, and its last word is told; detections go first")
    func flood() {
        var pace = DetectionPace()
        var told: [(ms: Int64, event: Camera.Event)] = []
        for ms in Int64(0)..<10_000 {
            if let due = pace.due, due <= at(ms) { told += release(&pace, ms).map { (ms, $0) } }
            let number = SourceNumber(UInt8(ms % 9))
            let word = ms / 9 % 2 == 0 ? Camera.Event.asserted(number, staleMs: 5_000) : .cleared(number)
            told += (take(&pace, word, ms) ?? []).map { (ms, $0) }
            if ms % 40 == 0 {
                told += (take(&pace, seen(.low, inside: 1 << UInt32(ms / 40 % 31)), ms) ?? []).map { (ms, $0) }
            }
        }
        for (first, last) in zip(told, told.dropFirst(DetectionPace.most)) {
            #expect(last.ms - first.ms >= DetectionPace.intervalMs)
        }
        let detections = told.filter { if case .detected = $0.event { true } else { false } }.map(\.ms)
        #expect(zip(detections, detections.dropFirst()).allSatisfy { $1 - $0 <= DetectionPace.intervalMs + 40 })
        var ms: Int64 = 10_000
        while let due = pace.due {
            ms = due.ms
            told += release(&pace, ms).map { (ms, $0) }
        }
        #expect(ms < 12_000)
        for source in UInt8(0)..<9 {
            let words = told.map(\.event).filter {
                switch $0 {
                case .asserted(SourceNumber(source), _), .cleared(SourceNumber(source)): true
                default: false
                }
            }
            let last = (Int64(0)..<10_000).last { $0 % 9 == Int64(source) }.map { $0 / 9 % 2 == 0 }
            if case .asserted? = words.last { #expect(last == true) } else { #expect(last == false) }
        }
    }

    /// A detection counts if its level and one of its zones do.
    @Test(
        "None is lost that would count: whatever a policy cares for, it is told within half a second", arguments: 1...20
    )
    func nothingLost(seed: UInt64) {
        var random = seed
        func draw(_ count: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % count
        }
        var pace = DetectionPace()
        var told: [(at: Int64, fact: DetectionPace.Fact)] = []
        var noticed: [(at: Int64, fact: DetectionPace.Fact)] = []
        func note(_ events: [Camera.Event], _ ms: Int64) {
            for case .detected(let level, let zones) in events {
                told.append((ms, DetectionPace.Fact(level: level, zones: zones)))
            }
        }
        for ms in stride(from: Int64(0), to: 21_000, by: 20) {
            if let due = pace.due, due <= at(ms) { note(release(&pace, ms), ms) }
            guard ms < 20_000, draw(5) == 0 else { continue }
            let level = Sensitivity.allCases[draw(3)]
            let zones = Zones(inside: UInt32(draw(4)), outside: draw(2) == 0)
            noticed.append((ms, DetectionPace.Fact(level: level, zones: zones)))
            note(take(&pace, .detected(level: level, zones: zones), ms) ?? [], ms)
        }
        for (ms, fact) in noticed {
            for sensitivity in Sensitivity.allCases where fact.level <= sensitivity {
                for filter in [
                    Zones(inside: 1, outside: false), Zones(inside: 2, outside: false), Zones(inside: 0, outside: true),
                ]
                where fact.zones.intersects(filter) {
                    let counts = told.contains {
                        (ms...ms + DetectionPace.intervalMs + 20).contains($0.at) && $0.fact.level <= sensitivity
                            && $0.fact.zones.intersects(filter)
                    }
                    #expect(counts, "\(fact) at \(ms)")
                }
            }
        }
    }

    private func observation(_ level: Sensitivity?, _ zones: [Zones]) -> MotionObservation {
        MotionObservation(
            pts: 0, arrival: at(0), keyPts: nil, level: level, score: 1, zonesByLevel: zones, regions: [],
            movingShare: 0.1, conditions: [])
    }

    @Test("the level is that of the policy's zones, and the level anywhere where they notice nothing")
    func filter() {
        let (door, gate) = (Zones(inside: 1, outside: false), Zones(inside: 2, outside: false))
        let both = Zones(inside: 3, outside: false)
        let seen = observation(.low, [door, both, both])
        #expect(seen.fact(for: nil) == DetectionPace.Fact(level: .low, zones: door))
        #expect(seen.fact(for: door) == DetectionPace.Fact(level: .low, zones: door))
        #expect(seen.fact(for: gate) == DetectionPace.Fact(level: .medium, zones: both))
        let outside = Zones(inside: 0, outside: true)
        #expect(seen.fact(for: outside) == DetectionPace.Fact(level: .low, zones: door))
        let nothing = Zones(inside: 0, outside: false)
        #expect(observation(nil, [nothing, nothing, nothing]).fact(for: nil) == nil)
    }
}
