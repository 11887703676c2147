import Foundation
import Journal
import Machines
import RandomSource
import Testing
import Trace

@testable import Replay

/// Makes a trace as the daemon does: steps a machine and keeps a record of each step.
struct Recording {
    static let run = "0123456789abcdef0123456789abcdef"
    /// Wall time less instant.
    static let offsetMs: Int64 = 1_700_000_000_000

    var camera = "front"
    var run = Recording.run
    var version = "1.0"
    private(set) var machine: Camera
    private(set) var records: [TraceRecord] = []
    private(set) var now: Instant

    private let form: DigestForm

    init(
        _ intent: Intent, camera: String = "front", run: String = Recording.run, form: DigestForm = .all,
        from now: Instant = Instant(ms: 5_000)
    ) throws {
        self.form = form
        self.now = now
        machine = Camera(intent: intent, timing: Timing(seed: 7))
        self.camera = camera
        self.run = run
        try step(.tick)
    }

    /// One step, `afterMs` milliseconds after the last one.
    @discardableResult
    mutating func step(_ event: Camera.Event, afterMs: Int64 = 10) throws -> [Camera.Effect] {
        now = now + afterMs
        let effects = machine.step(event, at: now)
        let seq = UInt64(records.count + 1)
        let input = try CanonicalJSON.text(of: event)
        let digest = try Digest(at: now, input: input, state: machine, effects: form.covered(effects, of: Camera.self))
        let state =
            seq == 1 || seq % TraceStep.stateInterval == 0 ? try CanonicalJSON.text(of: machine) : nil
        records.append(
            TraceRecord(
                camera: camera, seq: seq, run: run, boot: "b", at: now, input: input, digest: digest,
                effects: form == .all ? try StepEffects(effects).text : nil, state: state, version: version,
                wallMs: now.ms + Self.offsetMs))
        return effects
    }

    /// A continuous camera that streams, records, and is toggled; then `count` walks at random.
    static func life(_ count: Int = 0, seed: UInt64 = 1, form: DigestForm = .all) throws -> Recording {
        var recording = try Recording(Intent(policy: Policy(mode: .continuous), storage: .ok), form: form)
        for event: Camera.Event in [
            .dialed(DialNumber(1)), .keyframe(DialNumber(1)),
            .opened(ClipNumber(1), start: Instant(ms: 5_020), shortfall: nil), .enabled(false),
            .closed(ClipNumber(1), complete: true), .enabled(true),
        ] { try recording.step(event) }
        var random = SeededGenerator(seed: seed)
        for _ in 0..<count {
            try recording.step(random.event(recording.machine, recording.now), afterMs: random.waitMs())
        }
        return recording
    }
}

/// Events at random, most of them fitting.
extension SeededGenerator {
    mutating func waitMs() -> Int64 {
        Bool.random(using: &self) ? .random(in: 0...50, using: &self) : .random(in: 0...9_000, using: &self)
    }

    mutating func event(_ machine: Camera, _ now: Instant) -> Camera.Event {
        let dial = DialNumber(machine.link.dials)
        let clip = ClipNumber(machine.recorder.clips)
        let older = machine.recorder.closing.first?.number ?? clip
        let choices: [Camera.Event] = [
            .tick, .dialed(dial), .keyframe(dial), .packets(dial, last: now),
            .opened(clip, start: now, shortfall: .linkYoung),
            .cut(clip, at: now), .closed(older, complete: true), .hungUp(dial), .dialed(dial), .keyframe(dial),
            .opened(clip, start: now, shortfall: nil), .closed(clip, complete: false), .lost(dial, .closed),
            .dialFailed(dial, .refused), .detected(level: .low, zones: .anywhere),
            .detected(level: .high, zones: Zones(inside: 5, outside: true)), .asserted(SourceNumber(1), staleMs: 4_000),
            .cleared(SourceNumber(1)), .commanded(TimeControl(initialMs: 3_000, maxMs: 20_000)), .openFailed(clip),
            .keyframeMissing(clip),
            .streamChanged(clip, at: now), .writeFailed(clip), .enabled(Bool.random(using: &self)),
            .policy(
                Policy(
                    mode: Mode.allCases.randomElement(using: &self) ?? .off, timeControl: TimeControl(blindMs: 4_000),
                    clipLengthMs: 20_000), until: now + 60_000),
            .privacy(Privacy(softRecording: Bool.random(using: &self))), .connect(.auto), .viewers(1), .viewers(0),
            .storage(Storage.allCases.randomElement(using: &self) ?? .ok),
        ]
        // What a healthy camera says comes more often, so that the walk gets somewhere.
        let index = Int.random(in: 0..<3, using: &self) > 0 ? Int.random(in: 0..<11, using: &self) : nil
        return index.map { choices[$0] } ?? choices.randomElement(using: &self) ?? .tick
    }
}

extension TraceRecord {
    /// The record with some of its fields altered.
    func altered(
        seq: UInt64? = nil, at: Instant? = nil, input: String? = nil, digest: Digest? = nil, effects: String?? = nil,
        state: String?? = nil, version: String? = nil
    ) -> TraceRecord {
        TraceRecord(
            camera: camera, seq: seq ?? self.seq, run: run, boot: boot, at: at ?? self.at, input: input ?? self.input,
            digest: digest ?? self.digest, effects: effects ?? self.effects, state: state ?? self.state,
            version: version ?? self.version, wallMs: wallMs)
    }
}

extension CameraReplay {
    /// The replay of records, all of them taken.
    init(of records: [TraceRecord]) throws {
        self.init(from: try #require(records.first))
        for record in records { take(record) }
    }
}
