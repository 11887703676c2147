internal import Machines
internal import RandomSource

/// One dial of a camera whose settings change, and how the one before it ended.
struct DialCase: Sendable, CustomStringConvertible {
    /// How a dial came to its end.
    enum End: Sendable, Equatable {
        /// It is the first one, or the first with new settings.
        case settings
        /// It failed, or broke off before it had sent a key frame.
        case failed(LinkFailure)
        /// It had sent a key frame, and no failure was remembered then.
        case worked
    }

    let order: DialOrder
    let end: End
    /// Where the dial before it went to.
    let previous: Endpoint
    let endpoint: Endpoint
    /// How long the link waited; nil with new settings.
    let waitedMs: Int64?
    /// What was told of the wait.
    let toldMs: Int64?
    /// Failures in a row, this end included; 0 with new settings.
    let failures: Int
    let timing: Timing
    /// What was answered to numbers that were never given.
    let strange: [[Camera.Effect]]
    /// What was answered to a number of viewers below 0.
    let fewer: [Camera.Effect]

    var hasFailed: Bool { if case .failed = end { true } else { false } }
    var hasBoth: Bool { order != .lan && order != .internet }
    var first: Endpoint { order == .internet || order == .internetFirst ? .internet : .lan }

    /// The wait that the failures and the reason call for, without what jitter adds.
    var leastMs: Int64 {
        let wait = timing.redialMs.isEmpty ? 1_000 : timing.redialMs[min(max(failures, 1), timing.redialMs.count) - 1]
        return switch end {
        case .failed(.unauthorized), .failed(.budget): max(wait, timing.unauthorizedMs)
        case .failed(.busy): max(wait, timing.redialMs.last ?? 0)
        case .failed, .worked, .settings: wait
        }
    }

    var description: String {
        "\(order), \(end): \(previous) then \(endpoint) after \(waitedMs.map { "\($0)" } ?? "-"), at least \(leastMs), jitter \(timing.jitterPercent)"
    }
}

/// What docs/design/rules.md "Link" promises of endpoints and waits, with the real waits and their jitter. The worlds have no jitter, and
/// know two of the five orders in which endpoints are dialled.
enum DialClaims {
    static let walks = PlanWalks<DialCase>(
        count: 60,
        walk: { random in
            var walker = DialWalker(&random)
            return (1...15).map { _ in walker.next(&random) }
        },
        claims: [
            Claim("L1 where one endpoint is allowed the other is never dialled", when: { !$0.hasBoth }) {
                $0.endpoint == $0.first
            },
            Claim("L1 with new settings the first endpoint is dialled at once", when: { $0.end == .settings }) {
                $0.endpoint == $0.first && $0.waitedMs == 0 && $0.toldMs == nil
            },
            Claim("L1 after a failure the other endpoint has its turn", when: { $0.hasBoth && $0.hasFailed }) {
                $0.endpoint != $0.previous
            },
            Claim(
                "L1 after a link that worked the first endpoint is dialled",
                when: { $0.order != .auto && $0.end == .worked }
            ) {
                $0.endpoint == $0.first
            },
            Claim("L1 what worked last is dialled first in auto mode", when: { $0.order == .auto && $0.end == .worked })
            {
                $0.endpoint == $0.previous
            },
            Claim("S16 the next dial comes when the wait that was told is over", when: { $0.end != .settings }) {
                $0.waitedMs == $0.toldMs
            },
            Claim(
                "S16 no wait is shorter than failures and reason call for, none longer than by its jitter",
                when: { $0.end != .settings }
            ) {
                one in
                one.waitedMs.map {
                    $0 >= one.leastMs && $0 <= one.leastMs + one.leastMs * one.timing.jitterPercent / 100
                } ?? false
            },
            Claim("S16 a wait is longer than its least only by jitter", when: { ($0.waitedMs ?? 0) > $0.leastMs }) {
                $0.timing.jitterPercent > 0
            },
            Claim("S9 what has a number that was never given is ignored") {
                $0.strange.allSatisfy { $0 == [.ignored(.unknown)] }
            },
            Claim("S9 fewer viewers than none are ignored") { $0.fewer == [.ignored(.invalid)] },
        ])
}

/// Answers dials in every way, and changes the settings.
private struct DialWalker {
    private let timing: Timing
    private var order: DialOrder
    private var walk: CameraWalk
    private var dial: (number: DialNumber, endpoint: Endpoint)
    private var failures = 0

    init(_ random: inout SeededGenerator) {
        var timing = Timing(jitterPercent: random.perhaps(1...50) ?? 0, seed: UInt64(random.number(0...1_000)))
        (timing.dialMs, timing.silenceMs, timing.keyframeMs) = (.max / 4, .max / 4, .max / 4)
        if random.once(in: 6) { timing.redialMs = random.once(in: 2) ? [] : [3_000] }
        self.timing = timing
        order = random.one(of: DialOrder.allCases)
        walk = CameraWalk(Intent(policy: Policy(mode: .event), connect: order), timing)
        dial = (DialNumber(0), .lan)
        note(walk.take(.tick))
    }

    mutating func next(_ random: inout SeededGenerator) -> DialCase {
        let previous = dial
        let beyond = DialNumber(walk.camera.link.dials + 1)
        let strange = [DialNumber(rawValue: 0), beyond].flatMap { number in
            [.dialed(number), .keyframe(number), .hungUp(number)].map { walk.take($0) }
        }
        let fewer = walk.take(.viewers(-1))
        let (end, effects) = end(&random)
        var told: Int64?
        for case .report(.link(_, _, _, let waitMs)) in effects { told = waitMs ?? told }
        let endedMs = walk.nowMs
        note(effects)
        while dial.number == previous.number {
            guard let due = walk.camera.nextDeadline else { break }
            for step in walk.pass(untilMs: due.ms) { note(step.effects) }
        }
        return DialCase(
            order: order, end: end, previous: previous.endpoint, endpoint: dial.endpoint,
            waitedMs: dial.number == previous.number ? nil : walk.nowMs - endedMs, toldMs: told, failures: failures,
            timing: timing, strange: strange, fewer: fewer)
    }

    /// Ends the dial that is open.
    private mutating func end(_ random: inout SeededGenerator) -> (DialCase.End, [Camera.Effect]) {
        let number = dial.number
        switch random.number(0...5) {
        case 0:
            order = random.one(of: DialOrder.allCases)
            failures = 0
            return (.settings, walk.take(.connect(order)) + walk.take(.hungUp(number)))
        case 1, 2:
            let failure = random.one(of: LinkFailure.allCases)
            return fails(failure, walk.take(.dialFailed(number, failure)))
        case 3:
            return fails(.closed, walk.take(.dialed(number)) + walk.take(.lost(number, .closed)))
        default:
            var effects = walk.take(.dialed(number)) + walk.take(.keyframe(number))
            let streamedMs = random.number(0...60_000)
            for step in walk.pass(untilMs: walk.nowMs + streamedMs) { effects += step.effects }
            if streamedMs >= timing.steadyMs ?? 0 { failures = 0 }
            let hasFailures = failures > 0
            let (_, loss) = fails(.closed, walk.take(.lost(number, .closed)))
            return (hasFailures ? .failed(.closed) : .worked, effects + loss)
        }
    }

    private mutating func fails(_ failure: LinkFailure, _ effects: [Camera.Effect]) -> (DialCase.End, [Camera.Effect]) {
        failures += 1
        return (.failed(failure), effects)
    }

    private mutating func note(_ effects: [Camera.Effect]) {
        for case .dial(let number, let endpoint) in effects { dial = (number, endpoint) }
    }
}
