internal import Machines
internal import RandomSource

/// One moment of a camera to which commands of many lengths come: a command, or an end that time has brought.
struct CommandCase: Sendable, CustomStringConvertible {
    /// What came; nil: time alone.
    let control: TimeControl?
    let nowMs: Int64
    let effects: [Camera.Effect]
    /// Until when commands have asked for, this one included.
    let askedMs: Int64
    /// When the event that was active before began, and the greatest M that took part in it so far.
    let began: (ms: Int64, greatestMs: Int64)?
    /// A command took part in it.
    let wasCommanded: Bool
    /// An event is active afterwards.
    let isActive: Bool
    /// The blind time runs or is waited for afterwards.
    let isBlind: Bool

    var isValid: Bool { control.map { $0.initialMs > 0 && $0.maxMs >= $0.initialMs && $0.augmentationMs >= 0 } ?? true }
    var ends: Bool { effects.contains { $0.ended != nil } }

    var description: String {
        "\(control.map { "command \($0)" } ?? "time") at \(nowMs), asked until \(askedMs), began \(began.map { "\($0)" } ?? "-"): \(effects)"
    }
}

/// What docs/design/rules.md promises of commands whose lengths differ. The worlds have one.
enum CommandClaims {
    static let walks = PlanWalks<CommandCase>(
        count: 60,
        walk: { random in
            var walker = CommandWalker()
            return (1...40).flatMap { _ in walker.next(&random) }
        },
        claims: [
            Claim("T5 as long as a command asks for, an event is active", when: { $0.askedMs > $0.nowMs }) {
                $0.isActive
            },
            Claim("S4 with many commands no event is longer than the greatest M that took part", when: { $0.ends }) {
                one in one.began.map { one.nowMs - $0.ms <= $0.greatestMs } ?? false
            },
            Claim("T5 an event follows at once exactly where a command asked for more", when: { $0.ends }) { one in
                one.effects.contains { $0.begun != nil } == (one.askedMs > one.nowMs)
            },
            Claim("T5 no blind time follows an event with a command", when: { $0.ends && $0.wasCommanded }) {
                !$0.isBlind
            },
            Claim("T5 a command without a length of its own is refused as invalid", when: { !$0.isValid }) {
                $0.effects == [.ignored(.invalid)]
            },
        ])
}

/// Sends commands of many lengths and detections, and remembers what was asked for.
private struct CommandWalker {
    private var walk = CameraWalk(
        .withoutStorage(
            Policy(
                mode: .event,
                timeControl: TimeControl(initialMs: 2_000, augmentationMs: 1_000, maxMs: 6_000, blindMs: 3_000))))
    private var askedMs: Int64 = 0
    private var began: (ms: Int64, greatestMs: Int64)?
    private var isCommanded = false
    private var greatestMs: Int64 = 0

    init() { _ = walk.take(.tick) }

    mutating func next(_ random: inout SeededGenerator) -> [CommandCase] {
        var cases = walk.pass(untilMs: walk.nowMs + random.number(0...2_500)).map { seen(nil, $0) }
        if random.once(in: 3) {
            cases.append(seen(nil, walk.step(.detected(level: .low, zones: .anywhere))))
        } else {
            let initialMs = random.number(-1...8) * 1_000
            let control = TimeControl(
                initialMs: initialMs, augmentationMs: random.number(-1...4) * 1_000,
                maxMs: initialMs + random.number(-1...6) * 1_000)
            cases.append(seen(control, walk.step(.commanded(control))))
        }
        return cases
    }

    private mutating func seen(_ control: TimeControl?, _ step: CameraWalk.Step) -> CommandCase {
        let (ms, effects, state) = (step.ms, step.effects, step.trigger)
        let isTaken = control != nil && effects != [.ignored(.invalid)]
        if let control, isTaken {
            askedMs = max(askedMs, ms + control.initialMs)
            greatestMs = max(greatestMs, control.maxMs)
            if let event = began { began = (event.ms, max(event.greatestMs, control.maxMs)) }
        }
        let (before, wasCommanded) = (began, isCommanded)
        if isTaken { isCommanded = true }
        if effects.contains(where: { $0.ended != nil }) { (began, isCommanded) = (nil, false) }
        if effects.contains(where: { $0.begun != nil }) {
            let isFromCommand = isTaken || before != nil
            began = (ms, isFromCommand ? greatestMs : 6_000)
            isCommanded = isFromCommand
        }
        if began == nil { greatestMs = 0 }
        return CommandCase(
            control: control, nowMs: ms, effects: effects, askedMs: askedMs, began: before, wasCommanded: wasCommanded,
            isActive: state.active != nil, isBlind: state.word == "settling" || state.word == "blind")
    }
}
