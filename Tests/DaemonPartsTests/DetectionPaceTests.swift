import Machines
import Testing

@testable import Daemon
@testable import Media

@Suite("How often observations become facts")
struct DetectionPaceTests {
    private func fact(_ level: Sensitivity, inside: UInt32 = 0, outside: Bool = false) -> DetectionPace.Fact {
        DetectionPace.Fact(level: level, zones: Zones(inside: inside, outside: outside))
    }

    private func at(_ ms: Int64) -> Instant { Instant(ms: ms) }

    @Test("the first is told at once, and what follows within half a second together, at the first look after it")
    func together() {
        var pace = DetectionPace()
        #expect(pace.take(nil, at: at(0)) == nil)
        #expect(pace.take(fact(.medium, inside: 1), at: at(1_000)) == fact(.medium, inside: 1))
        #expect(pace.take(fact(.medium, inside: 2), at: at(1_200)) == nil)
        #expect(pace.take(fact(.medium, inside: 4, outside: true), at: at(1_400)) == nil)
        #expect(pace.take(nil, at: at(1_499)) == nil)
        #expect(pace.take(nil, at: at(1_500)) == fact(.medium, inside: 6, outside: true))
        // Told is told.
        #expect(pace.take(nil, at: at(2_500)) == nil)
    }

    @Test("what a lesser sensitivity notices is told at once, and what a higher one notices waits")
    func level() {
        var pace = DetectionPace()
        #expect(pace.take(fact(.medium, inside: 1), at: at(0)) == fact(.medium, inside: 1))
        #expect(pace.take(fact(.low, inside: 2), at: at(200)) == fact(.low, inside: 2))
        #expect(pace.take(fact(.high, inside: 4), at: at(400)) == nil)
        #expect(pace.take(nil, at: at(699)) == nil)
        #expect(pace.take(nil, at: at(700)) == fact(.high, inside: 4))
    }

    @Test("the zones that are told are those of the level that is told")
    func zones() {
        var pace = DetectionPace()
        _ = pace.take(fact(.low), at: at(0))
        #expect(pace.take(fact(.high, inside: 1), at: at(100)) == nil)
        #expect(pace.take(fact(.medium, inside: 2), at: at(200)) == nil)
        #expect(pace.take(fact(.high, inside: 4), at: at(300)) == nil)
        #expect(pace.take(nil, at: at(500)) == fact(.medium, inside: 2))
    }

    @Test("what was held when nothing may be noticed any more is forgotten")
    func clear() {
        var pace = DetectionPace()
        _ = pace.take(fact(.medium), at: at(0))
        _ = pace.take(fact(.medium), at: at(100))
        pace.clear()
        #expect(pace.take(nil, at: at(10_000)) == nil)
    }

    @Test("of whatever is noticed each second, never are two facts of one level nearer than half a second")
    func bounded() {
        var pace = DetectionPace()
        var told: [Sensitivity: [Int64]] = [:]
        for ms in stride(from: Int64(0), to: 60_000, by: 40) {
            let level = Sensitivity.allCases[Int(ms / 40 % 7 % 3)]
            guard let fact = pace.take(fact(level), at: at(ms)) else { continue }
            told[fact.level, default: []].append(ms)
        }
        for times in told.values {
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= DetectionPace.intervalMs })
        }
        #expect(told[.low]?.count ?? 0 >= 100)
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
