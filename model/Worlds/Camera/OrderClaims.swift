internal import Machines
internal import RandomSource

/// One order to open a clip, of a camera whose link comes late, whose disk refuses now and then, and whose pre-roll changes.
struct OrderCase: Sendable, CustomStringConvertible {
    let order: Camera.ClipOrder
    /// When the event that is active began; nil in continuous mode.
    let eventMs: Int64?
    /// Of the event a clip was open before.
    let hadClip: Bool
    /// The pre-roll of the policy in force.
    let preRollMs: Int64
    /// What transports want of the time before they began; nil: none records.
    let transportMs: Int64?
    /// The clip length of the policy.
    let lengthMs: Int64
    /// When the clip's media began.
    let startMs: Int64
    /// When its cut was ordered because of its length; nil: it was not.
    let cutMs: Int64?
    /// What was answered to clips that were never ordered.
    let strange: [[Camera.Effect]]

    /// It is the first clip of continuous mode: later ones follow it, or a try that failed.
    var isFirst: Bool { eventMs == nil && order.number == ClipNumber(1) }

    var description: String {
        "\(order), event at \(eventMs.map { "\($0)" } ?? "-"), pre-roll \(preRollMs), began \(startMs), cut \(cutMs.map { "\($0)" } ?? "-")"
    }
}

/// What docs/design/rules.md promises of the begin of a clip. The worlds have one pre-roll, and clips that begin at most one tick back.
enum OrderClaims {
    static let walks = PlanWalks<OrderCase>(
        count: 100,
        walk: { random in
            var walker = OrderWalker(&random)
            var cases: [OrderCase] = []
            while cases.count < 8, let next = walker.next(&random) { cases.append(next) }
            return cases
        },
        claims: [
            Claim(
                "S2 the first clip of an event asks for the policy's pre-roll",
                when: { $0.eventMs != nil && !$0.hadClip }
            ) {
                $0.order.preRollMs == max($0.preRollMs, 0)
            },
            Claim(
                "S2 the first clip that transports want asks for their pre-roll",
                when: { $0.isFirst && $0.transportMs != nil }
            ) {
                $0.order.preRollMs == max($0.transportMs ?? 0, 0)
            },
            Claim(
                "S2 no other clip asks for pre-roll",
                when: { $0.eventMs == nil && ($0.transportMs == nil || !$0.isFirst) || $0.hadClip }
            ) {
                $0.order.preRollMs == 0
            },
            Claim("T1 a clip of an event names the moment at which that began", when: { $0.eventMs != nil }) {
                $0.order.event == EventNumber(rawValue: 1) && $0.order.trigger.ms == $0.eventMs
            },
            Claim(
                "S3 a clip is cut when it is as long as the policy says, counted from its first frame",
                when: { $0.cutMs != nil }
            ) {
                $0.cutMs == $0.startMs + $0.lengthMs
            },
            Claim("S9 what has a number that no clip had is ignored") {
                $0.strange == [[.ignored(.unknown)], [.ignored(.unknown)]]
            },
        ])
}

/// Opens the clips that one event, or continuous mode, asks for, one after the other.
private struct OrderWalker {
    private var policy: Policy
    private var walk: CameraWalk
    private var order: Camera.ClipOrder?
    private var eventMs: Int64?
    private var hadClip = false

    init(_ random: inout SeededGenerator) {
        policy = Policy(
            mode: random.once(in: 3) ? .continuous : .event,
            timeControl: TimeControl(initialMs: 180_000, augmentationMs: 0, maxMs: 180_000),
            preRollMs: random.number(-1...30) * 1_000, clipLengthMs: random.number(10...40) * 1_000)
        if policy.mode == .continuous, random.once(in: 2) { policy.transportPreRollMs = random.number(-1...30) * 1_000 }
        var timing = Timing(restMs: 0)
        (timing.dialMs, timing.silenceMs, timing.keyframeMs) = (.max / 4, .max / 4, .max / 4)
        walk = CameraWalk(Intent(policy: policy), timing)
        note(walk.take(.tick))
        if policy.mode == .event {
            _ = walk.pass(untilMs: random.number(0...20_000))
            note(walk.take(.detected(level: .low, zones: .anywhere)))
            eventMs = walk.nowMs
        }
        _ = walk.pass(untilMs: walk.nowMs + random.number(0...20_000))
        note(walk.take(.dialed(DialNumber(1))))
        note(walk.take(.keyframe(DialNumber(1))))
    }

    /// The next order; nil once the event is over.
    mutating func next(_ random: inout SeededGenerator) -> OrderCase? {
        while order == nil {
            let isWanted = policy.mode == .continuous || walk.camera.trigger.active != nil
            guard isWanted, let due = walk.camera.nextDeadline else { return nil }
            for step in walk.pass(untilMs: due.ms) { note(step.effects) }
        }
        guard let order, policy.mode == .continuous || walk.camera.trigger.active != nil else { return nil }
        self.order = nil
        let (hadClip, preRollMs) = (hadClip, policy.preRollMs)
        let never = [0, walk.camera.recorder.clips + 1].map { ClipNumber(rawValue: $0) }
        let strange = never.map { walk.take(.closed($0, complete: true)) }
        var startMs = walk.nowMs, cutMs: Int64?
        if random.once(in: 4) {
            note(walk.take(.openFailed(order.number)))
        } else {
            startMs -= random.number(0...9) * 1_000
            note(walk.take(.opened(order.number, start: Instant(ms: startMs), shortfall: nil)))
            self.hadClip = true
            cutMs = cut(order.number)
        }
        if random.once(in: 2) {
            policy.preRollMs = random.number(-1...30) * 1_000
            // An order that has been given keeps what it asked for.
            if self.order == nil {
                note(walk.take(.policy(policy, until: nil)))
            } else {
                policy.preRollMs = walk.camera.intent.policy.preRollMs
            }
        }
        return OrderCase(
            order: order, eventMs: eventMs, hadClip: hadClip, preRollMs: preRollMs,
            transportMs: policy.transportPreRollMs, lengthMs: policy.clipLengthMs, startMs: startMs, cutMs: cutMs,
            strange: strange)
    }

    /// Lets the clip be written until its cut is ordered, and makes that. When it was ordered, if because of its length.
    private mutating func cut(_ clip: ClipNumber) -> Int64? {
        while let due = walk.camera.nextDeadline {
            for step in walk.pass(untilMs: due.ms) {
                for case .closeClip(clip, _, let why) in step.effects {
                    note(walk.take(.cut(clip, at: Instant(ms: step.ms))))
                    note(walk.take(.closed(clip, complete: true)))
                    return why == .length ? step.ms : nil
                }
            }
        }
        return nil
    }

    private mutating func note(_ effects: [Camera.Effect]) {
        for case .openClip(let order) in effects { self.order = order }
    }
}
