import Foundation
import Journal
import Machines
import RandomSource
import Testing
import Trace

@testable import Replay

/// Makes the trace of a transport as the daemon does.
private struct TransportRecording {
    private(set) var machine: PushTransport
    private(set) var records: [TraceRecord] = []
    private(set) var now: Instant

    /// A transport that is in hand from `now` on; its first step is a tick.
    init(_ machine: PushTransport, from now: Instant = Instant(ms: 5_000)) throws {
        self.machine = machine
        self.now = now
        try step(.tick, afterMs: 0)
    }

    @discardableResult
    mutating func step(_ event: PushTransport.Event, afterMs: Int64 = 10) throws -> [PushTransport.Effect] {
        now = now + afterMs
        let effects = machine.step(event, at: now)
        let step = try TraceStep(
            kind: .transport, name: "front/3.1", seq: UInt64(records.count + 1), at: now,
            wallMs: now.ms + Recording.offsetMs, input: event, state: machine, effects: effects)
        records.append(
            TraceRecord(
                kind: step.kind, camera: step.name, seq: step.seq, run: Recording.run, boot: "b", at: step.at,
                input: step.input, digest: step.digest, effects: step.effects, state: step.isWhole ? step.state : nil,
                version: "1.0", wallMs: step.wallMs))
        return effects
    }

    /// Each fact at random, up to `count` steps or the end.
    mutating func walk(_ count: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<count where machine.phase != .over {
            let due = machine.nextDeadline.map { max($0 - now, 0) }
            let after = Bool.random(using: &random) ? due : nil
            try step(random.transportEvent(now), afterMs: after ?? .random(in: 0...4_000, using: &random))
        }
    }

    /// What is replayed of records.
    static func replay(_ records: [TraceRecord]) throws -> MachineReplay<PushTransport> {
        var transports = TransportsReplay()
        for record in records { transports.take(record) }
        #expect(transports.replays.count == 1)
        return try #require(transports.replays.first)
    }
}

extension SeededGenerator {
    /// What comes to a transport; rarely its end.
    fileprivate mutating func transportEvent(_ now: Instant) -> PushTransport.Event {
        let choices: [PushTransport.Event] = [
            .tick, .motion(level: .low, zones: .anywhere),
            .motion(level: .high, zones: Zones(inside: 1, outside: false)),
            .motion(level: .medium, zones: Zones(inside: 2, outside: true)), .held(Bool.random(using: &self)),
            .triggered(nil), .triggered(TimeControl(initialMs: 3_000, augmentationMs: 0, maxMs: 9_000, blindMs: 0)),
            .status(.active), .status(PushTransport.Status.allCases.randomElement(using: &self) ?? .active),
            .modified(
                PushTransport.Trigger.tried.randomElement(using: &self) ?? .command,
                expiry: Bool.random(using: &self) ? now + 3_600_000 : nil),
            .blocked(nil), .blocked(PushTransport.Block.allCases.randomElement(using: &self)),
        ]
        if Int.random(in: 0..<400, using: &self) == 0 { return Bool.random(using: &self) ? .deallocated : .drain }
        return choices.randomElement(using: &self) ?? .tick
    }
}

extension PushTransport.Trigger {
    /// One of each kind, and motion of several.
    fileprivate static let tried: [PushTransport.Trigger] = [
        .motion(
            zones: nil, sensitivity: 10,
            TimeControl(initialMs: 2_000, augmentationMs: 1_000, maxMs: 5_000, blindMs: 3_000)),
        .motion(zones: Zones(inside: 1, outside: false), sensitivity: 5, TimeControl(augmentationMs: 2_000)),
        .command, .continuous,
    ]
}

@Suite("The steps of transports, run again")
struct TransportReplayTests {
    private let narrator = Narrator { "t\($0 - Recording.offsetMs)" }

    @Test(
        "Long walks agree step by step, each state is read back as it was, and all has words", arguments: 1...12)
    func walks(seed: UInt64) throws {
        let trigger = PushTransport.Trigger.tried[Int(seed) % PushTransport.Trigger.tried.count]
        var recording = try TransportRecording(PushTransport(trigger, status: .active))
        try recording.walk(1_500, seed: seed)
        if recording.machine.phase != .over { try recording.step(.drain) }
        var replay = MachineReplay<PushTransport>(from: recording.records[0])
        for record in recording.records {
            #expect(replay.take(record) == .agrees)
            let (machine, step) = (try #require(replay.machine), try #require(replay.lastStep))
            let text = try CanonicalJSON.text(of: machine)
            #expect(try JSONDecoder().decode(PushTransport.self, from: Data(text.utf8)) == machine)
            let words = narrator.line(step) + narrator.at(step.at, wallMs: step.wallMs).summary(machine)
            #expect(!words.contains("(") && !words.contains("Optional") && !words.contains("Instant"), "\(words)")
        }
        #expect(replay.machine == recording.machine && replay.machine?.isOver == true)
        #expect(narrator.ending(replay).hasSuffix("stopped as it should"))
    }

    @Test("What a transport began with is known from its first step, also where its time was over by then")
    func beginnings() throws {
        let now = Instant(ms: 5_000)
        for trigger in PushTransport.Trigger.tried {
            for status in PushTransport.Status.allCases {
                for block in [nil, .off] as [PushTransport.Block?] {
                    for held in [false, true] {
                        for expiry in [nil, Instant(ms: 4_000), now, now + 60_000] as [Instant?] {
                            let made = PushTransport(trigger, status: status, expiry: expiry, block: block, held: held)
                            let recording = try TransportRecording(made, from: now)
                            let replay = try TransportRecording.replay(recording.records)
                            #expect(replay.isClean && replay.agreed == 1, "\(made) \(replay.differences)")
                            #expect(replay.machine == recording.machine)
                        }
                    }
                }
            }
        }
    }

    @Test("An altered instant, input, digest, effect or state is found at its step")
    func altered() throws {
        var recording = try TransportRecording(PushTransport(.tried[0], status: .active))
        try recording.step(.motion(level: .low, zones: .anywhere))
        try recording.walk(20, seed: 5)
        let records = recording.records
        let begun = try #require(records.firstIndex { $0.effects?.isEmpty == false })
        let record = records[begun]
        let words = record.effects?.split(separator: " ").map { String($0) } ?? []
        let state = try #require(records[0].state)
        let alterations: [(Int, TraceRecord)] = [
            (begun, record.altered(at: record.at + 1)),
            (begun, record.altered(input: try CanonicalJSON.text(of: PushTransport.Event.drain))),
            (begun, record.altered(input: #"{"unheard":{}}"#)),
            (begun, record.altered(digest: Digest(of: []))),
            (begun, record.altered(effects: .some("o00000000"))),
            (begun, record.altered(effects: .some(""))),
            (begun, record.altered(effects: .some((words + words).joined(separator: " ")))),
            (0, records[0].altered(state: .some(state.replacing("\"recordings\":0", with: "\"recordings\":7")))),
        ]
        #expect(try TransportRecording.replay(records).isClean)
        for (index, other) in alterations {
            var changed = records
            changed[index] = other
            let replay = try TransportRecording.replay(changed)
            #expect(replay.differences.first?.record.seq == records[index].seq, "\(other)")
        }
        var fewer = records
        fewer.remove(at: begun)
        #expect(try TransportRecording.replay(fewer).missing == [record.seq...record.seq])
    }

    @Test("A transport may wait for longer than any deadline may be slept over")
    func rest() throws {
        let longMs: Int64 = 100 * 86_400_000
        var waiting = try TransportRecording(PushTransport(.command, status: .active))
        try waiting.step(.triggered(TimeControl()), afterMs: longMs)
        #expect(try TransportRecording.replay(waiting.records).isClean)
        var ending = try TransportRecording(PushTransport(.command, status: .active, expiry: Instant(ms: longMs / 2)))
        try ending.step(.triggered(TimeControl()), afterMs: longMs)
        #expect(try TransportRecording.replay(ending.records).differences.first?.cause == .instant(afterMs: longMs))
    }
}
