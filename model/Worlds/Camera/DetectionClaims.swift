internal import Machines
internal import RandomSource

/// One detection of a camera whose policy changes, also within an event.
struct DetectionCase: Sendable, CustomStringConvertible {
    let level: Sensitivity
    let zones: Zones
    /// The policy in force.
    let policy: Policy
    /// The policy that was in force when the event that is active began.
    let began: (ms: Int64, policy: Policy)?
    let nowMs: Int64
    let effects: [Camera.Effect]
    /// The events that time ended before it, with their begin and the policy of then.
    let ends: [(ms: Int64, began: Int64, control: TimeControl, isProlonged: Bool)]

    /// One of its zones, or what is in none, is among the policy's.
    var isInside: Bool {
        guard let filter = policy.zones else { return true }
        let isInZone = (0..<31).contains { zones.inside >> $0 & 1 == 1 && filter.inside >> $0 & 1 == 1 }
        return isInZone || zones.outside && filter.outside
    }

    /// It passes the sensitivity that holds.
    var passes: Bool { level.rawValue <= (began?.policy ?? policy).sensitivity.rawValue }
    var noted: [Camera.Effect] { effects.filter { if case .noteDetection = $0 { true } else { false } } }

    func isSuppressed(_ why: Camera.Suppression) -> Bool {
        let number = began == nil ? nil : active
        return effects == [.noteSuppressed(level, why, during: number), .report(.suppressed(level, why))]
    }

    /// The event that is active afterwards.
    let active: EventNumber?

    var description: String {
        "\(level) \(zones) at \(nowMs) under \(policy), event since \(began.map { "\($0)" } ?? "-"): \(effects)"
    }
}

/// What docs/design/rules.md promises of zones, and of settings that change within an event. The worlds have one zone and four policies.
enum DetectionClaims {
    static let walks = PlanWalks<DetectionCase>(
        count: 60,
        walk: { random in
            var walker = DetectionWalker(&random)
            return (1...40).map { _ in walker.next(&random) }
        },
        claims: [
            Claim("T8 a detection in none of the policy's zones counts nowhere", when: { !$0.isInside }) {
                $0.isSuppressed(.zone)
            },
            Claim(
                "T9 a detection that the sensitivity of the event's begin lets pass is noted once, with its zones",
                when: { $0.isInside && $0.passes }
            ) { one in one.active.map { one.noted == [.noteDetection($0, one.zones)] } ?? false },
            Claim(
                "T9 one that it does not let pass counts nowhere, whatever the sensitivity is now",
                when: { $0.isInside && !$0.passes }
            ) { $0.isSuppressed(.sensitivity) },
            Claim(
                "T9 an event lasts as long as the time control of its begin says",
                when: { $0.ends.contains { !$0.isProlonged } }
            ) { one in
                one.ends.allSatisfy {
                    $0.isProlonged || $0.ms - $0.began == min($0.control.initialMs, $0.control.maxMs)
                }
            },
            Claim("S4 a prolonged event keeps the M of its begin", when: { $0.ends.contains { $0.isProlonged } }) {
                one in one.ends.allSatisfy { $0.ms - $0.began <= $0.control.maxMs }
            },
        ])
}

/// Changes the policy and sends detections.
private struct DetectionWalker {
    private var policy: Policy
    private var walk: CameraWalk
    private var began: (ms: Int64, policy: Policy)?
    private var isProlonged = false

    init(_ random: inout SeededGenerator) {
        policy = Self.policy(&random)
        walk = CameraWalk(.withoutStorage(policy))
        _ = walk.take(.tick)
    }

    mutating func next(_ random: inout SeededGenerator) -> DetectionCase {
        var ends: [(ms: Int64, began: Int64, control: TimeControl, isProlonged: Bool)] = []
        for step in walk.pass(untilMs: walk.nowMs + random.number(0...2_000)) {
            guard let event = began, step.effects.contains(where: { $0.ended != nil }) else { continue }
            ends.append((step.ms, event.ms, event.policy.timeControl, isProlonged))
            (began, isProlonged) = (nil, false)
        }
        if random.once(in: 3) {
            policy = Self.policy(&random)
            _ = walk.take(.policy(policy, until: nil))
        }
        let level = random.one(of: Sensitivity.allCases)
        let zones = random.once(in: 8) ? .anywhere : Self.zones(&random)
        let before = began
        let effects = walk.take(.detected(level: level, zones: zones))
        if effects.contains(where: { $0.begun != nil }) { began = (walk.nowMs, policy) }
        for case .report(.eventProlonged) in effects { isProlonged = true }
        return DetectionCase(
            level: level, zones: zones, policy: policy, began: before, nowMs: walk.nowMs, effects: effects, ends: ends,
            active: walk.camera.trigger.active?.number)
    }

    private static func policy(_ random: inout SeededGenerator) -> Policy {
        let initialMs = random.number(1...5) * 1_000
        return Policy(
            mode: .event, sensitivity: random.one(of: Sensitivity.allCases),
            zones: random.once(in: 4) ? nil : zones(&random),
            timeControl: TimeControl(
                initialMs: initialMs, augmentationMs: random.number(0...3) * 1_000,
                maxMs: initialMs + random.number(0...5) * 1_000))
    }

    private static func zones(_ random: inout SeededGenerator) -> Zones {
        Zones(inside: UInt32(random.number(0...7)) | (random.once(in: 4) ? 1 << 30 : 0), outside: random.once(in: 2))
    }
}
