import Foundation
import Journal
import Machines
import RandomSource
import Testing
import Trace

@testable import Replay

@Suite("A trace run again")
struct CameraReplayTests {
    @Test("A whole trace agrees from its first step to its last, whatever the camera lived through", arguments: 1...8)
    func whole(seed: UInt64) throws {
        let recording = try Recording.life(700, seed: seed)
        let replay = try CameraReplay(of: recording.records)
        #expect(replay.isClean && replay.agreed == recording.records.count)
        #expect(replay.adopted.isEmpty && replay.unchecked.isEmpty)
        #expect(replay.machine == recording.machine)
    }

    @Test(
        "A trace of before events and labels were orders of their own is replayed as strictly, in its own form throughout"
    )
    func earlierForm() throws {
        let (earlier, today) = (try Recording.life(600, form: .withoutEntries).records, try Recording.life(600).records)
        #expect(earlier.map(\.digest) != today.map(\.digest) && earlier.map(\.input) == today.map(\.input))
        let whole = try CameraReplay(of: earlier)
        #expect(whole.isClean && whole.agreed == earlier.count)
        let middle = try CameraReplay(of: Array(earlier[100...]))
        #expect(middle.isClean && middle.agreed == earlier.count - 256)
        let others = earlier.indices.dropFirst().filter { earlier[$0].digest != today[$0].digest }
        #expect(others.count > 20)
        for (records, other) in [(earlier, today), (today, earlier)] {
            var mixed = records
            let index = others[10]
            mixed[index] = other[index]
            let replay = try CameraReplay(of: mixed)
            #expect(replay.differing == 1 && replay.differences.first?.record.seq == records[index].seq)
        }
    }

    @Test("Each missing step is named; the replay goes on where a digest agrees, or from the next whole state")
    func missing() throws {
        let records = try Recording.life(600).records
        for gone in [2, 7, 100, 255, 256, 300, 511] {
            var left = records
            left.removeAll { $0.seq == UInt64(gone) }
            let replay = try CameraReplay(of: left)
            #expect(replay.missing == [UInt64(gone)...UInt64(gone)] && !replay.isClean)
            #expect(replay.differing == 0, "what is missing is no difference")
            #expect(
                replay.records == replay.agreed + replay.adopted.count
                    + replay.unchecked.reduce(0) { $0 + Int($1.steps.length) })
            #expect(
                replay.unchecked.allSatisfy {
                    $0.why == .missing && $0.steps.upperBound < UInt64(gone / 256 + 1) * 256 + 256
                })
            #expect(replay.machine != nil)
        }
    }

    @Test("An instant altered by a millisecond, an input, a digest: each is found at its step, in every step")
    func altered() throws {
        let records = try Recording.life(40).records
        for index in records.indices {
            let record = records[index]
            let forgeries = [
                record.altered(at: record.at + 1), record.altered(input: #"{"cleared":{"_0":7}}"#),
                record.altered(input: record.input + " "), record.altered(digest: Digest(of: [1])),
                record.altered(input: #"{"nonsense":{}}"#),
            ]
            for forged in forgeries {
                var altered = records
                altered[index] = forged
                let replay = try CameraReplay(of: altered)
                #expect(replay.differing >= 1 && replay.differences.first?.record.seq == record.seq)
            }
        }
    }

    @Test("Where later steps agree again, the record is at fault and not the machine")
    func agreesAgain() throws {
        var records = try Recording.life(40).records
        records[20] = records[20].altered(digest: Digest(of: [1]))
        let replay = try CameraReplay(of: records)
        #expect(replay.differing == 1 && replay.differences.first?.agreesFrom == 22)
        #expect(replay.agreed == records.count - 1 && replay.unchecked.isEmpty)
        #expect(replay.differences.first?.before.count == CameraReplay.storyLength)
    }

    @Test("A whole state that was altered is found although the digest agrees, with the parts that differ")
    func wholeState() throws {
        var records = try Recording.life(300).records
        let state = try #require(records[255].state)
        let failures = try #require(state.range(of: #""dials":"#))
        records[255] = records[255].altered(state: state.replacingCharacters(in: failures, with: #""dials":4"#))
        let replay = try CameraReplay(of: records)
        #expect(replay.differing == 1 && replay.agreed == records.count)
        let difference = try #require(replay.differences.first)
        #expect(difference.record.seq == 256 && difference.parts.map(\.path) == ["link.dials"])
        guard case .wholeState = difference.cause else {
            Issue.record("another cause: \(difference.cause)")
            return
        }
    }

    @Test("Steps that come again or late are told apart, and left out")
    func misplaced() throws {
        let records = try Recording.life(30).records
        var repeated = records
        repeated.insert(records[9], at: 15)
        let again = try CameraReplay(of: repeated)
        #expect(again.repeated == 1 && again.late == 0 && again.misplaced == [10] && !again.isClean)
        #expect(again.agreed == records.count)
        var swapped = records
        swapped.swapAt(9, 10)
        let late = try CameraReplay(of: swapped)
        #expect(late.late == 1 && late.repeated == 0 && late.missing.isEmpty && late.misplaced == [10] && !late.isClean)
    }

    @Test("Without the beginning of a run it starts from the next whole state and says so")
    func middle() throws {
        let records = try Recording.life(600).records
        let replay = try CameraReplay(of: Array(records[100...]))
        #expect(replay.isClean && replay.adopted == [256] && replay.agreed == records.count - 256)
        #expect(replay.unchecked == [Unchecked(steps: 101...255, why: .noBeginning)])
        let remarks = Narrator { "\($0)" }.remarks(replay)
        #expect(remarks.contains("begins with step 101: the beginning of the run is not in what was read"))
        #expect(remarks.contains("steps 101–255 not compared: there is no whole state before them"))
        #expect(remarks.contains("went on from the whole state at step 256"))
        let unread = try CameraReplay(of: Array(records[1..<50]))
        #expect(unread.agreed == 0 && unread.machine == nil)
    }

    @Test("A run that stopped ends as it should; of one that breaks off the words say that the trace cannot tell why")
    func endings() throws {
        var recording = try Recording.life()
        let narrator = Narrator { "\($0)" }
        #expect(narrator.ending(try CameraReplay(of: recording.records)).contains("the run goes on, or was killed"))
        try recording.step(.drain)
        try recording.step(.opened(ClipNumber(2), start: recording.now, shortfall: nil))
        try recording.step(.closed(ClipNumber(2), complete: true))
        try recording.step(.hungUp(DialNumber(1)))
        let first = try CameraReplay(of: recording.records)
        #expect(first.machine?.stopped == true && narrator.ending(first).hasSuffix("stopped as it should"))
        let second = try Recording(Intent(), run: String(repeating: "f", count: 32))
        var site = SiteReplay()
        for record in recording.records.dropLast() + second.records { site.take(record) }
        #expect(site.replays.map(\.isSucceeded) == [true, false] && site.isClean)
        #expect(narrator.ending(site.replays[0]).contains("killed or crashed, or the last records are missing"))
    }

    @Test("A camera that was removed and added again within a run has two lives, each whole")
    func lives() throws {
        var first = try Recording(Intent())
        try first.step(.drain)
        #expect(first.machine.stopped)
        let second = try Recording.life(20)
        var site = SiteReplay()
        for record in first.records + second.records { site.take(record) }
        #expect(site.isClean && site.replays.map(\.agreed) == [first.records.count, second.records.count])
    }

    @Test("A life whose beginning is gone from the trace does not make the next one a repetition")
    func lifeWithoutBeginning() throws {
        var first = try Recording(Intent())
        try first.step(.drain)
        // It begins at the instant at which the first ends.
        var second = try Recording(Intent(), from: first.now + -10)
        try second.step(.drain)
        var site = SiteReplay()
        for record in first.records.dropFirst() + second.records[...] { site.take(record) }
        #expect(site.isClean && site.replays.map(\.agreed) == [0, 2])
        // What comes once more is a repetition still.
        var again = SiteReplay()
        for record in [first.records[1], first.records[0], first.records[0]] { again.take(record) }
        #expect(!again.isClean && again.replays.count == 1)
    }

    @Test("A trace of another version is replayed, and the difference says so")
    func version() throws {
        var records = try Recording.life(20).records.map { $0.altered(version: "0.9") }
        records[11] = records[11].altered(digest: Digest(of: [1]))
        let replay = try CameraReplay(of: records)
        let story = Narrator { "\($0)" }.story(try #require(replay.differences.first), version: "1.0")
        #expect(story.contains { $0.contains("recorded by Vigil 0.9, replayed by 1.0") })
    }

    @Test("An instant or a state that would keep a machine busy for ever is told, not lived through")
    func implausible() throws {
        var records = try Recording.life(300).records
        // It streams then, so something would come due.
        records[4] = records[4].altered(at: Instant(ms: .max))
        records[30] = records[30].altered(at: Instant(ms: .min))
        records[40] = records[40].altered(seq: .max)
        let state = try #require(records[255].state)
        for (from, to) in [(#""dialMs":12000"#, #""dialMs":-1"#), (#""cutAt":"#, #""cutAt":-"#)] {
            var forged = records
            forged[255] = forged[255].altered(
                digest: Digest(of: []), state: state.replacingOccurrences(of: from, with: to))
            #expect(try CameraReplay(of: forged).differing >= 1)
        }
        #expect(try CameraReplay(of: records).differences.first?.cause == .instant(afterMs: .max - records[3].at.ms))
        #expect(try CameraReplay(of: records).missingCount > 1 << 63)
    }

    @Test("Whatever a trace is turned into, the replay ends, and its words with it", arguments: 1...4)
    func mutations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let texts = try Recording.life(30).records
        let narrator = Narrator { "\($0)" }
        var told = 0
        for _ in 0..<150 {
            let index = Int.random(in: texts.indices, using: &random)
            var records = texts
            let record = records[index]
            func flip(_ text: String) -> String {
                var bytes = Array(text.utf8)
                guard !bytes.isEmpty else { return text }
                let digits = Array("0123456789-".utf8)
                bytes[Int.random(in: bytes.indices, using: &random)] = digits.randomElement(using: &random) ?? 0
                return String(decoding: bytes, as: UTF8.self)
            }
            records[index] = TraceRecord(
                camera: record.camera, seq: UInt64.random(in: 0...60, using: &random), run: record.run,
                at: Instant(ms: Int64(flip("\(record.at.ms)")) ?? 0), input: flip(record.input), digest: record.digest,
                state: record.state.map(flip), wallMs: record.wallMs)
            var site = SiteReplay()
            for record in records { site.take(record) }
            let replay = try #require(site.replays.first)
            #expect(!narrator.remarks(replay).isEmpty && !narrator.headline(replay).isEmpty)
            for difference in replay.differences { #expect(!narrator.story(difference, version: "1").isEmpty) }
            told += replay.differences.count
        }
        #expect(told > 50)
    }
}
