import Journal
import Machines
import Testing

@testable import Hindsight

@Suite("Hindsight holds for any life")
struct PropertyTests {
    static let seeds: [UInt64] = Array(1...16)

    static func lives(_ world: World) -> [Life] {
        var reader = LifeReader()
        for record in world.records { reader.take(record) }
        return reader.lives
    }

    @Test(
        "The label is the machine's, or recorded where a clip has the moment; a change that is proposed records it, no smaller one does",
        arguments: seeds)
    func why(seed: UInt64) throws {
        let world = World.random(seed: seed)
        let life = try #require(Self.lives(world).first)
        var dice = Dice(state: seed &* 77)
        var proposed = 0
        for _ in 0..<16 {
            let second = Double.random(in: 1...1_790, using: &dice)
            let at = World.at(second)
            let answer = WhyTests.explain(world.records, second)
            #expect(answer.machineLabel == world.label(at: at))
            let held = life.media.contains { $0.start <= at && at < $0.end ?? life.end + 1 }
            if held {
                #expect(answer.label == .known(.recorded) && answer.remedy == .none)
            } else if answer.machineLabel != .recorded {
                #expect(answer.label == answer.machineLabel.map(Explanation.Label.known))
            }
            guard case .known(let label) = answer.label, label != .recorded else { continue }
            let end = min(max(life.end, at + 1), at + 60_000)
            func records(_ changes: [Change]) -> Bool { life.rehearse(changes, until: end, keyframeMs: 1).records(at) }
            let candidates = Change.candidates(for: life, at: at)
            switch answer.remedy {
            case .change(let changes):
                proposed += 1
                #expect(records(changes))
                let place = try #require(candidates.firstIndex(of: changes))
                #expect(!records([]) && !candidates[..<place].contains(where: records))
            case .noPolicy:
                #expect([.linkLost, .storage].contains(label) || !candidates.contains(where: records))
                let intent = life.intents.value(at: at)
                #expect(
                    intent.storage == .lost || life.connection.value(at: at) == .down || records([]),
                    "no reason why no policy records \(second) s, \(label)")
            case .none, .undecided, .unknown: break
            }
        }
        #expect(proposed > 0)
    }

    @Test(
        "What was in force, rehearsed, records what was recorded, but for the camera's and the disk's own delays",
        arguments: seeds)
    func faithful(seed: UInt64) throws {
        let world = World.random(seed: seed)
        let life = try #require(Self.lives(world).first)
        let rehearsal = life.rehearse()
        var different: Int64 = 0
        for ms in stride(from: life.begin.ms, to: life.end.ms, by: 250) {
            let at = Instant(ms: ms)
            let was = life.media.contains { $0.start <= at && at < $0.end ?? life.end + 1 }
            if was != rehearsal.records(at) { different += 250 }
        }
        // Each clip's ends may lie a distance of key frames apart, and a reconnect waits for its back-off.
        let bound = Int64(life.media.count + rehearsal.clips.count) * World.keyframeMs + (life.end - life.begin) / 20
        #expect(different <= bound, "\(different) ms of \(life.end - life.begin)")
    }

    @Test("The same policy gains and loses nothing; the ladder's rung of today is what was in force", arguments: seeds)
    func same(seed: UInt64) throws {
        let world = World.random(seed: seed)
        let lives = Self.lives(world)
        let life = try #require(lives.first)
        let time = World.wall(life.begin)..<World.wall(life.end)
        let before = Outlook(lives, time: time) { $0.rehearse() }
        let policies = life.intents.turns.map {
            Life.PolicyChange(at: $0.at, policy: $0.value.policy, until: $0.value.policyUntil)
        }
        let same = Comparison(before: before, after: Outlook(lives, time: time) { $0.rehearse(policies: policies) })
        #expect(same.gained.isEmpty && same.lost.isEmpty && same.gainedMs == 0 && same.lostMs == 0)
        #expect(same.before.events == same.after.events && same.before.suppressed == same.after.suppressed)
        // With one policy all the time, the rung of today changes nothing.
        guard life.intents.turns.allSatisfy({ $0.value.policy == life.intent.policy }) else { return }
        let today = Ladder(lives, time: time).rungs.filter(\.isToday)
        #expect(today.map(\.outlook.clips) == [before.clips])
    }

    @Test(
        "Unknown times lie within the time that was asked for, and a whole life leaves none but what it tells itself",
        arguments: seeds)
    func unknown(seed: UInt64) throws {
        let world = World.random(seed: seed)
        let lives = Self.lives(world)
        let life = try #require(lives.first)
        let time = World.wall(life.begin)..<World.wall(life.end)
        for unknown in Unknown.all(lives, time: time) {
            #expect([.unreachable, .unasked, .privacy].contains(unknown.kind))
            #expect(unknown.times.allSatisfy { time.contains($0.lowerBound) && $0.upperBound <= time.upperBound })
        }
    }
}
