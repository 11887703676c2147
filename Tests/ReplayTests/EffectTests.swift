import Foundation
import Machines
import Testing
import Trace

@testable import Replay

@Suite("The orders and reports in the record of a step")
struct EffectTests {
    /// The first step with at least so many effects, and its words.
    private func step(_ records: [TraceRecord], least: Int) throws -> (index: Int, words: [String]) {
        let index = try #require(
            records.firstIndex { ($0.effects?.split(separator: " ").count ?? 0) >= least && $0.seq > 1 })
        return (index, records[index].effects?.split(separator: " ").map { String($0) } ?? [])
    }

    @Test("One that is altered, removed, added or moved is named, in words where the machine gives it")
    func named() throws {
        let records = try Recording.life(40).records
        let (index, words) = try step(records, least: 3)
        let effects = try #require(try CameraReplay(of: Array(records[...index])).lastStep?.effects)
        #expect(effects.count == words.count)
        let other = "o00000000"
        let variants: [([String], [EffectDifference<Camera>])] = [
            ([other] + words.dropFirst(), [.altered(effects[0], other)]),
            (Array(words.dropFirst()), [.missing(effects[0])]),
            (words + [other], [.added(other)]),
            ([words[1], words[0]] + words[2...], [.outOfOrder(effects[0])]),
            ([], effects.map { .missing($0) }),
        ]
        for (written, expected) in variants {
            var altered = records
            altered[index] = altered[index].altered(effects: written.joined(separator: " "))
            let replay = try CameraReplay(of: altered)
            let difference = try #require(replay.differences.first)
            #expect(replay.differing == 1 && difference.record.seq == records[index].seq)
            #expect(difference.effects == expected || (written.count == words.count && difference.effects.count == 1))
            // What is written beside an answer that agrees does not make the machine doubtful.
            #expect(replay.agreed == records.count && replay.unchecked.isEmpty)
            let story = Narrator { "t\($0)" }.story(difference, version: "1.0")
            #expect(story[0].hasSuffix("the digest agrees, but the orders and reports in the same record do not"))
            #expect(story.contains { $0.contains("but given by the machine") || $0.contains("recorded") })
        }
    }

    @Test("However many effects a step has, few of them are named, and one that is altered is found among them")
    func many() throws {
        let records = try Recording.life(40).records
        let (index, _) = try step(records, least: 1)
        let effect = try #require(try CameraReplay(of: Array(records[...index])).lastStep?.effects.first)
        func all(_ count: Int, _ recorded: String) -> [EffectDifference<Camera>] {
            EffectDifference.all(
                Array(repeating: effect, count: count), (0..<count).map { "o\($0)" }, recorded: recorded)
        }
        let garbage = String(repeating: "x ", count: 200_000)
        #expect(all(100_000, garbage).count == EffectDifference<Camera>.countMax)
        #expect(all(100_000, "").count == EffectDifference<Camera>.countMax)
        let written = (0..<100_000).map { $0 == 50_000 ? "other" : "o\($0)" }.joined(separator: " ")
        #expect(all(100_000, written) == [.altered(effect, "other")])
    }

    @Test("Where the whole step differs, the order that does is named, or that none does")
    func answer() throws {
        let records = try Recording.life(40).records
        let (index, words) = try step(records, least: 2)
        var altered = records
        altered[index] = altered[index].altered(
            digest: Digest(of: []), effects: Optional(words.dropLast().joined(separator: " ")))
        let difference = try #require(try CameraReplay(of: altered).differences.first)
        #expect(difference.effects.count == 1)
        altered[index] = records[index].altered(digest: Digest(of: []))
        let none = try #require(try CameraReplay(of: altered).differences.first)
        #expect(none.effects.isEmpty)
        #expect(
            Narrator { "\($0)" }.story(none, version: "1.0").contains {
                $0.contains("every order and report is as recorded")
            })
    }

    @Test("Any text in place of the digests is a difference, and is shown bounded and without control characters")
    func foreign() throws {
        let records = try Recording.life(20).records
        let (index, words) = try step(records, least: 1)
        let text = words.joined(separator: " ")
        for forged in [
            text + " ", " " + text, "\u{1}\n", String(repeating: "o ", count: 5_000),
            String(repeating: "x", count: 5_000),
        ] {
            var altered = records
            altered[index] = altered[index].altered(effects: forged)
            let difference = try #require(try CameraReplay(of: altered).differences.first)
            #expect(!difference.effects.isEmpty && difference.effects.count <= 12)
            let story = Narrator { "\($0)" }.story(difference, version: "1.0")
            #expect(story.allSatisfy { $0.count < 1_000 && !$0.unicodeScalars.contains { $0.value < 32 } })
        }
    }

    @Test("Records without them are replayed by the digest of the whole step, and that is said")
    func without() throws {
        let records = try Recording.life(40).records.map { $0.altered(effects: .some(nil)) }
        let replay = try CameraReplay(of: records)
        #expect(replay.isClean && replay.withoutEffects == records.count)
        #expect(
            Narrator { "\($0)" }.remarks(replay).contains {
                $0.hasPrefix("\(records.count) steps without their orders and reports")
            })
        #expect(
            !Narrator { "\($0)" }.remarks(try CameraReplay(of: try Recording.life(40).records)).contains {
                $0.contains("without")
            })
    }
}
