import Foundation
import Journal
import Machines
import RandomSource
import Trace

/// A camera machine in a small world that answers as a camera and a disk do, each after a while of its own, and keeps the trace
/// that the daemon would.
struct TraceHarness {
    /// Wall time less instant.
    static let offsetMs: Int64 = 1_700_000_000_000
    static let keyframeMs: Int64 = 2_000

    /// Something that is done to the camera.
    enum Deed {
        case tell(Camera.Event)
        case reachable(Bool)
    }

    private struct Answer {
        let at: Instant
        let event: Camera.Event
    }

    private(set) var machine: Camera
    private(set) var records: [TraceRecord] = []
    private(set) var now: Instant
    /// The machine after each step, with when.
    private(set) var past: [(at: Instant, machine: Camera)] = []
    private let run: String
    private var isReachable = true
    private var dial: DialNumber?
    private var streamingSince: Instant?
    private var keptSince: Instant?
    private var lastEnd: Instant?
    private var answers: [Answer] = []

    init(_ intent: Intent, run: String = String(repeating: "a", count: 32), at begin: Instant = Instant(ms: 100_000)) {
        machine = Camera(intent: intent, timing: Timing(seed: 7))
        self.run = run
        now = begin
        step(.tick)
    }

    static func wall(_ instant: Instant) -> Int64 { instant.ms + offsetMs }

    /// A moment so many seconds after the begin.
    static func at(_ seconds: Double) -> Instant { Instant(ms: 100_000 + Int64(seconds * 1_000)) }

    /// Does something, after everything that is due before.
    mutating func at(_ seconds: Double, _ deed: Deed) {
        pass(until: Self.at(seconds))
        switch deed {
        case .tell(let event): step(event)
        case .reachable(let isReachable):
            self.isReachable = isReachable
            guard !isReachable, let dial else { return }
            forget(dial)
            step(.lost(dial, .closed))
        }
    }

    mutating func at(_ seconds: Double, _ event: Camera.Event) { at(seconds, .tell(event)) }

    /// Lets time pass.
    mutating func pass(until end: Instant) {
        while true {
            let answer = answers.min { $0.at < $1.at }
            let deadline = machine.nextDeadline
            let next = [answer?.at, deadline].compactMap { $0 }.min()
            guard let next, next <= end else { break }
            now = max(now, next)
            if let answer, answer.at == next {
                answers.remove(at: answers.firstIndex { $0.at == answer.at && $0.event == answer.event } ?? 0)
                step(answer.event)
            } else if let number = silence(next) {
                // A camera that streams is never silent.
                step(.packets(number, last: now))
            } else {
                step(.tick)
            }
        }
        now = max(now, end)
    }

    private func silence(_ due: Instant) -> DialNumber? {
        switch machine.link.state {
        case .streaming(let number, _, let bound, _) where bound == due + 1: number
        default: nil
        }
    }

    private mutating func forget(_ number: DialNumber) {
        if dial == number { (dial, streamingSince) = (nil, nil) }
        answers.removeAll {
            switch $0.event {
            case .dialed(number), .keyframe(number): true
            case .cut, .opened: true
            default: false
            }
        }
    }

    private mutating func step(_ event: Camera.Event) {
        // As the daemon does: the camera's packets are told before the bound of silence.
        if case .streaming(let number, _, let bound, _) = machine.link.state, bound <= now, dial == number {
            record(.packets(number, last: now), at: max(records.last?.at ?? now, bound + -1))
        }
        record(event, at: now)
    }

    private mutating func record(_ event: Camera.Event, at moment: Instant) {
        let effects = machine.step(event, at: moment)
        past.append((moment, machine))
        let seq = UInt64(records.count + 1)
        guard let input = try? CanonicalJSON.text(of: event),
            let digest = try? Digest(at: moment, input: input, state: machine, effects: effects)
        else { return }
        let state = seq == 1 || seq % TraceStep.stateInterval == 0 ? try? CanonicalJSON.text(of: machine) : nil
        records.append(
            TraceRecord(
                camera: "front", seq: seq, run: run, boot: "b", at: moment, input: input, digest: digest, state: state,
                version: "1.0", wallMs: Self.wall(moment)))
        for effect in effects { answer(effect, moment) }
    }

    private mutating func answer(_ effect: Camera.Effect, _ moment: Instant) {
        func later(_ ms: Int64, _ event: Camera.Event) { answers.append(Answer(at: moment + ms, event: event)) }
        switch effect {
        case .dial(let number, _):
            guard isReachable else { return later(3_000, .dialFailed(number, .unreachable)) }
            dial = number
            streamingSince = moment + 400
            later(200, .dialed(number))
            later(400, .keyframe(number))
        case .hangUp(let number):
            forget(number)
            later(10, .hungUp(number))
        case .keepMedia(let keep): keptSince = keep ? moment : nil
        case .openClip(let order): later(50, .opened(order.number, start: start(of: order, moment), shortfall: nil))
        case .closeClip(let number, let point, _):
            answers.removeAll { if case .cut(number, _) = $0.event { true } else { false } }
            guard point == .keyframe, let since = streamingSince else {
                lastEnd = moment
                return later(100, .closed(number, complete: true))
            }
            let cut = since + ((moment - since) / Self.keyframeMs + 1) * Self.keyframeMs
            lastEnd = cut
            answers.append(Answer(at: cut, event: .cut(number, at: cut)))
            answers.append(Answer(at: cut + 100, event: .closed(number, complete: true)))
        case .beginEvent, .endEvent, .noteDetection, .noteSuppressed, .label, .report, .ignored, .stopped: break
        }
    }

    private func start(of order: Camera.ClipOrder, _ moment: Instant) -> Instant {
        let since = streamingSince ?? moment
        let wanted = order.trigger + -order.preRollMs
        let keyframe = since + max(0, wanted - since) / Self.keyframeMs * Self.keyframeMs
        return min(moment, [keyframe, since, keptSince ?? since, lastEnd ?? since].max() ?? moment)
    }

    /// The machine's own label at a moment.
    func label(at moment: Instant) -> Coverage? { past.last { $0.at <= moment }?.machine.coverage }
}

/// Numbers at random, the same for the same seed.
extension SeededGenerator {
    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &self)] }
}

extension TraceHarness {
    /// A history of so many seconds in which all kinds of things happen at random.
    static func random(seed: UInt64, seconds: Double = 1_800) -> TraceHarness {
        var random = SeededGenerator(seed: seed)
        func policy(_ random: inout SeededGenerator) -> Policy {
            let mode = random.pick([Mode.event, .event, .event, .continuous, .off])
            return Policy(
                mode: mode, offBySchedule: mode == .off && random.pick([true, false]),
                sensitivity: random.pick(Sensitivity.allCases),
                zones: random.pick([nil, nil, Zones(inside: 1, outside: false)]),
                timeControl: TimeControl(
                    initialMs: random.pick([3_000, 10_000]), augmentationMs: random.pick([0, 5_000]),
                    maxMs: random.pick([10_000, 15_000, 60_000]), blindMs: random.pick([0, 0, 20_000])),
                preRollMs: random.pick([0, 5_000, 10_000]), clipLengthMs: 60_000,
                connection: random.pick([.always, .always, .onDemand]))
        }
        var harness = TraceHarness(Intent(enabled: random.pick([true, true, true, false]), policy: policy(&random)))
        var second = 1.0
        while second < seconds {
            second += Double(random.pick([0.5, 2, 5, 20, 60, 150]) as Double)
            let zones = random.pick([Zones.anywhere, Zones(inside: 1, outside: false), Zones(inside: 2, outside: true)])
            let detected = Camera.Event.detected(level: random.pick(Sensitivity.allCases), zones: zones)
            let deeds: [Deed] = [
                .tell(.enabled(random.pick([true, true, false]))),
                .tell(
                    .privacy(
                        Privacy(hard: random.pick([false, false, true]), softRecording: random.pick([false, true])))),
                .tell(.privacy(Privacy())),
                .tell(.policy(policy(&random), until: random.pick([nil, harness.now + 600_000]))),
                .reachable(random.pick([true, true, false])), .reachable(true),
                .tell(.storage(random.pick([.ok, .ok, .lost]))), .tell(.storage(.ok)),
                .tell(.commanded(TimeControl(initialMs: 5_000, maxMs: 20_000))),
                .tell(.asserted(SourceNumber(1), staleMs: 8_000)), .tell(.cleared(SourceNumber(1))),
            ]
            harness.at(second, random.pick([0, 1]) == 0 ? .tell(detected) : random.pick(deeds))
        }
        harness.pass(until: Self.at(seconds))
        harness.at(seconds, .tick)
        return harness
    }
}
