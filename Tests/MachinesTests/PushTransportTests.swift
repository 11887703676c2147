import Machines
import Testing

/// A transport of motion and the clock of its shell.
private struct Watched {
    var transport: PushTransport
    var now = Instant(ms: 1_000_000)
    let began = Instant(ms: 1_000_000)

    init(_ i: Int64, _ a: Int64, _ m: Int64, _ b: Int64 = 0, status: PushTransport.Status = .active) {
        let control = TimeControl(initialMs: i * 1_000, augmentationMs: a * 1_000, maxMs: m * 1_000, blindMs: b * 1_000)
        transport = PushTransport(.motion(zones: nil, sensitivity: 10, control), status: status)
    }

    @discardableResult
    mutating func send(_ event: PushTransport.Event, at second: Double? = nil) -> [PushTransport.Effect] {
        if let second { now = began + Int64(second * 1_000) }
        return transport.step(event, at: now)
    }

    @discardableResult
    mutating func move(_ second: Double) -> [PushTransport.Effect] {
        send(.motion(level: .high, zones: .anywhere), at: second)
    }

    /// Lets time pass to the next end of a recording; gives when, in seconds from the beginning, and why.
    mutating func end() -> (second: Double, why: PushTransport.Why)? {
        while let due = transport.nextDeadline {
            now = due
            for case .end(_, let why) in transport.step(.tick, at: due) { return (Double(due - began) / 1_000, why) }
        }
        return nil
    }
}

@Suite("A transport")
struct PushTransportTests {
    /// I, A, M; motion at these seconds; the end and why. The rows are those of Matter's rule, where a deadline at t has passed at t.
    private static let traces: [(i: Int64, a: Int64, m: Int64, at: [Double], end: Double, why: PushTransport.Why)] = [
        (5, 2, 15, [0], 5, .quiet), (5, 2, 15, [0, 1], 7, .quiet), (5, 2, 15, [0, 1, 4], 7, .quiet),
        (5, 2, 15, [0, 1, 6], 9, .quiet), (5, 2, 15, (0...14).map(Double.init), 15, .quiet),
        (5, 15, 10, [0, 1], 10, .limit), (5, 0, 30, [0, 1, 2, 3, 4], 5, .quiet),
        (5, 1, 30, [0, 2, 4], 6, .quiet), (5, 3, 30, [0, 4], 8, .quiet),
    ]

    @Test("The worked traces of Matter's time control end when they should, for the right reason (S4)")
    func worked() {
        for trace in Self.traces {
            var watched = Watched(trace.i, trace.a, trace.m)
            for second in trace.at { watched.move(second) }
            let end = watched.end()
            #expect(end?.second == trace.end && end?.why == trace.why, "\(trace)")
        }
    }

    @Test("PAVST-2.13: motion in blind time does not count, after it it does, and a command is never blind (S5)")
    func blind() {
        var watched = Watched(5, 2, 15, 3)
        #expect(watched.move(0) == [.begin(RecordingNumber(1), .motion)])
        #expect(watched.end()?.second == 5)
        #expect(watched.move(7) == [.ignored(.blind)])
        #expect(watched.move(8) == [.begin(RecordingNumber(2), .motion)])
        #expect(watched.end()?.second == 13)
        // A command within the blind time records, and leaves none.
        #expect(watched.send(.triggered(nil), at: 14) == [.begin(RecordingNumber(3), .command)])
        #expect(watched.end()?.second == 19)
        #expect(watched.move(19) == [.begin(RecordingNumber(4), .motion)])
    }

    @Test(
        "PAVST-2.12: what is inactive records nothing, and what still moves when it is set active is recorded for the rest (S6)"
    )
    func remembered() {
        var watched = Watched(10, 5, 20, 1, status: .inactive)
        #expect(watched.move(0) == [])
        #expect(watched.send(.status(.active), at: 6) == [.begin(RecordingNumber(1), .motion)])
        #expect(watched.end()?.second == 10)
        watched.send(.tick, at: 20)
        watched.send(.status(.inactive))
        #expect(watched.move(30) == [])
        #expect(watched.send(.status(.active), at: 41) == [])
    }

    @Test("Two transports of a camera see the same motion, each by its own zones and sensitivity")
    func independent() {
        let control = TimeControl()
        var gate = PushTransport(
            .motion(zones: Zones(inside: 1, outside: false), sensitivity: 5, control), status: .active)
        var rest = PushTransport(
            .motion(zones: Zones(inside: 0, outside: true), sensitivity: 10, control), status: .active)
        let now = Instant(ms: 5)
        let inGate = PushTransport.Event.motion(level: .medium, zones: Zones(inside: 1, outside: false))
        #expect(gate.step(inGate, at: now) == [.begin(RecordingNumber(1), .motion)])
        #expect(rest.step(inGate, at: now) == [.ignored(.zone)])
        let slight = PushTransport.Event.motion(level: .high, zones: Zones(inside: 1, outside: true))
        #expect(rest.step(slight, at: now) == [.begin(RecordingNumber(1), .motion)])
        #expect(gate.step(.motion(level: .high, zones: .anywhere), at: now) == [.ignored(.sensitivity)])
    }

    @Test("What lies at the ends of the range neither traps nor runs for ever (H8)")
    func extremes() {
        let control = TimeControl(initialMs: .max, augmentationMs: .max, maxMs: .max, blindMs: .max)
        var transport = PushTransport(
            .motion(zones: nil, sensitivity: 10, control), status: .active, expiry: Instant(ms: .max))
        _ = transport.step(.motion(level: .low, zones: .anywhere), at: Instant(ms: .max - 1))
        _ = transport.step(.held(true), at: Instant(ms: .max - 1))
        _ = transport.step(.triggered(control), at: Instant(ms: .max - 1))
        #expect(transport.isRecording)
        #expect(transport.step(.drain, at: Instant(ms: .max - 1)) == [.end(RecordingNumber(1), .draining), .stopped])
    }
}
