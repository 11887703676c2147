import Journal
import Machines
import Testing
import Trace

@testable import Replay

@Suite("Steps in words")
struct NarratorTests {
    private let narrator = Narrator { "t\($0 - Recording.offsetMs)" }

    @Test("Every event, effect and state of long walks has words, and every deadline its reason", arguments: 11...16)
    func total(seed: UInt64) throws {
        let recording = try Recording.life(1_500, seed: seed)
        var replay = CameraReplay(from: recording.records[0])
        for record in recording.records {
            replay.take(record)
            let (machine, step) = (try #require(replay.machine), try #require(replay.lastStep))
            let line = narrator.line(step)
            #expect(
                line.hasPrefix("t\(step.at.ms)  step \(step.seq): ") && !line.contains("(")
                    && !line.contains("Optional"))
            let summary = narrator.at(step.at, wallMs: step.wallMs).summary(machine)
            #expect(!summary.contains("(") && !summary.contains("Instant"))
            let next = narrator.nextDeadline(machine)
            #expect(next?.at == machine.nextDeadline && next?.words != "time changes the machine")
        }
    }

    @Test("A difference is a story: what led there, what was taken, answered and expected")
    func story() throws {
        var records = try Recording.life().records
        let answered = records[4].digest
        records[4] = records[4].altered(digest: Digest(of: []))
        var replay = CameraReplay(from: records[0])
        for record in records { replay.take(record) }
        let lines = narrator.story(try #require(replay.differences.first), version: "1.0")
        #expect(
            lines == [
                "step 5 of t5050 differs: given that recording was disabled, the machine now answers otherwise",
                "  what led there:",
                "    t5010  step 1: time passed → keep media for the pre-roll; link off → dialing; dial 1 over lan; "
                    + "coverage recorder down → link lost",
                "    t5020  step 2: dial 1 reached the camera → link dialing → synchronizing",
                "    t5030  step 3: the first key frame of dial 1 came → link synchronizing → streaming; "
                    + "open clip 1 for continuous recording, from t5030; coverage link lost → recorded",
                "    t5040  step 4: clip 1 was opened, from t5020 → clip 1 is open from t5020",
                "  what differs:",
                "    t5050  step 5: recording was disabled → recording disabled; close clip 1 now: recording was disabled; "
                    + "clip 1 ended: recording was disabled; purge the pre-roll and keep none; hang up dial 1; "
                    + "link streaming → off; coverage recorded → disabled",
                "    the machine then: link off, dial 1 is being hung up, no link is wanted; trigger quiet; "
                    + "recorder: no clip is open, clip 1 is being closed; disabled, the recording toggle is off",
                "    digest in the journal: cbf29ce484222325; digest of this answer: \(answered)",
                "    every order and report is as recorded: what differs is the state, or the record itself",
                "  step 6 agrees again: this record was altered, "
                    + "or the machine then gave another answer from the same state",
            ])
    }

    @Test("What a machine was doing at a moment: each part, since when and by what, the next deadline, what led there")
    func moment() throws {
        let recording = try Recording.life()
        var moment = MomentReplay(camera: "front", wallMs: Recording.offsetMs + 5_045)
        for record in recording.records where !moment.take(record) { break }
        #expect(
            narrator.account(moment) == [
                "front at t5045: as step 4 left it at t5040",
                "  dials, clips and events are numbered within run 01234567, not as in the catalog",
                "  coverage: recorded, media goes into a clip (since t5030, when the first key frame of dial 1 came)",
                "  link: streaming over lan with dial 1 (since t5030, when the first key frame of dial 1 came)",
                "  trigger: quiet (since t5010, when the run began)",
                "  recorder: clip 1 is being written, to be cut at t605020 "
                    + "(since t5040, when clip 1 was opened, from t5020)",
                "  intent: recording enabled, mode continuous, clips of 10 min (since t5010, when the run began)",
                "  next: at t15030, in 9.9 s: dial 1 counts as silent, unless packets come",
                "what led there:",
                "  t5010  step 1: time passed → keep media for the pre-roll; link off → dialing; dial 1 over lan; "
                    + "coverage recorder down → link lost",
                "  t5020  step 2: dial 1 reached the camera → link dialing → synchronizing",
                "  t5030  step 3: the first key frame of dial 1 came → link synchronizing → streaming; "
                    + "open clip 1 for continuous recording, from t5030; coverage link lost → recorded",
                "  t5040  step 4: clip 1 was opened, from t5020 → clip 1 is open from t5020",
            ])
        #expect(moment.next?.seq == 5)
        var before = MomentReplay(camera: "front", wallMs: Recording.offsetMs)
        for record in recording.records where !before.take(record) { break }
        #expect(before.replay == nil && narrator.account(before).count == 1)
    }

    @Test(
        "Lengths have the unit that people would use",
        arguments: [
            (0, "0 ms"), (999, "999 ms"), (1_000, "1 s"), (1_250, "1.2 s"), (119_999, "119.9 s"), (120_000, "2 min"),
            (125_000, "2 min 5 s"), (7_200_000, "2 h"), (-1_500, "−1.5 s"), (Int64.min, "−2562047788015 h 12 min"),
        ])
    func lengths(ms: Int64, words: String) { #expect(Narrator.length(ms) == words) }
}
