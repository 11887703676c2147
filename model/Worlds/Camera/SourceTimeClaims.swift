internal import Machines
internal import RandomSource

/// One moment of a camera with several sources, each with a stale time of its own, while the toggle changes.
struct SourceTimeCase: Sendable, CustomStringConvertible {
    /// The stale time of an assertion that came; nil: something else came, or time alone.
    let staleMs: Int64?
    let nowMs: Int64
    let effects: [Camera.Effect]
    /// Which sources were on before, and until when, as far as what was said tells.
    let before: [SourceNumber: Int64]
    /// The same afterwards.
    let after: [SourceNumber: Int64]
    /// Which the machine holds afterwards, and until when.
    let held: [SourceNumber: Int64]
    /// A source has been told as suppressed that had been told since it came on.
    let isToldAgain: Bool
    /// The toggle is on.
    let isEnabled: Bool
    let isActive: Bool

    var expired: [SourceNumber] {
        effects.compactMap { if case .report(.sourceExpired(let number)) = $0 { number } else { nil } }
    }
    var toldNow: Int { effects.count { if case .report(.suppressed(nil, _)) = $0 { true } else { false } } }

    var description: String { "at \(nowMs), stale \(staleMs.map { "\($0)" } ?? "-"), on \(before): \(effects)" }
}

/// What docs/design/rules.md promises of several sources that go stale. The worlds have one.
enum SourceTimeClaims {
    static let walks = PlanWalks<SourceTimeCase>(
        count: 60,
        walk: { random in
            var walker = SourceTimeWalker()
            return (1...40).flatMap { _ in walker.next(&random) }
        },
        claims: [
            Claim("T6 of several sources exactly those are on that were asserted and are not stale") {
                $0.held == $0.after
            },
            Claim("L6 of several sources each expires at its own time, and is told once", when: { !$0.expired.isEmpty })
            {
                one in
                Set(one.expired).count == one.expired.count
                    && one.expired.allSatisfy { one.before[$0] == one.nowMs }
                    && one.before.allSatisfy { $0.value != one.nowMs || one.expired.contains($0.key) }
            },
            Claim(
                "T6 while one of several sources is on and may count, an event is active",
                when: { !$0.after.isEmpty && $0.isEnabled }
            ) {
                $0.isActive
            },
            Claim("T6 each of several sources that do not count is told once while it is on", when: { $0.toldNow > 0 })
            {
                !$0.isToldAgain
            },
            Claim("T6 more than one source is told at once", when: { $0.toldNow > 1 }) { $0.after.count > 1 },
            Claim("T6 a stale time that is none is refused as invalid", when: { ($0.staleMs ?? 1) <= 0 }) {
                $0.effects == [.ignored(.invalid)] && $0.before == $0.after
            },
        ])
}

/// Asserts and clears sources, turns the toggle, and remembers which are on.
private struct SourceTimeWalker {
    private var walk = CameraWalk(.withoutStorage(Policy(mode: .event)))
    private var on: [SourceNumber: Int64] = [:]
    private var told: Set<SourceNumber> = []
    private var isEnabled = true

    init() { _ = walk.take(.tick) }

    mutating func next(_ random: inout SeededGenerator) -> [SourceTimeCase] {
        var cases: [SourceTimeCase] = []
        for step in walk.pass(untilMs: walk.nowMs + random.number(0...3_000)) {
            let before = on
            on = on.filter { $0.value > step.ms }
            cases.append(seen(nil, step, before))
        }
        let before = on, source = SourceNumber(rawValue: UInt8(random.number(0...4)))
        switch random.number(0...5) {
        case 0:
            isEnabled.toggle()
            cases.append(seen(nil, walk.step(.enabled(isEnabled)), before))
        case 1:
            on[source] = nil
            cases.append(seen(nil, walk.step(.cleared(source)), before))
        default:
            let staleMs = random.number(-1...8) * 1_000
            if staleMs > 0 { on[source] = walk.nowMs + staleMs }
            cases.append(seen(staleMs, walk.step(.asserted(source, staleMs: staleMs)), before))
        }
        return cases
    }

    private mutating func seen(
        _ staleMs: Int64?, _ step: CameraWalk.Step, _ before: [SourceNumber: Int64]
    ) -> SourceTimeCase {
        let (ms, effects) = (step.ms, step.effects)
        // A report of a suppressed source does not name it: those are meant that are on and have not been told.
        told.formIntersection(on.keys)
        let toldNow = effects.count { if case .report(.suppressed(nil, _)) = $0 { true } else { false } }
        let untold = on.keys.sorted().filter { !told.contains($0) }
        told.formUnion(untold.prefix(toldNow))
        let held = step.trigger.sources.map { ($0.number, $0.staleAt.ms) }
        return SourceTimeCase(
            staleMs: staleMs, nowMs: ms, effects: effects, before: before, after: on,
            held: Dictionary(uniqueKeysWithValues: held), isToldAgain: toldNow > untold.count,
            isEnabled: isEnabled, isActive: step.trigger.active != nil)
    }
}
