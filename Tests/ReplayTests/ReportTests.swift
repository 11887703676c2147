import Foundation
import Journal
import Machines
import Testing
import Trace

@testable import Replay

/// The journal of a real daemon about one camera under trouble: steps, and what was told of them.
@Suite("What a journal tells, held against the steps")
struct ReportTests {
    /// One entry, as lines of an export without values of several lines.
    typealias Entry = [String]

    private static let entries: [Entry] = {
        let path = TraceFileTests.folder + "/reports.export"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { $0.components(separatedBy: "\n") }
    }()

    private func value(_ entry: Entry, _ name: String) -> String? {
        entry.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// The place of the first record of this kind.
    private func place(of kind: String) throws -> Int {
        try #require(Self.entries.firstIndex { value($0, "VIGIL_KIND") == kind })
    }

    private func altered(_ index: Int, _ name: String, _ new: String) -> [Entry] {
        var entries = Self.entries
        entries[index] = entries[index].map { $0.hasPrefix(name + "=") ? name + "=" + new : $0 }
        return entries
    }

    private func replay(
        _ entries: [Entry], version: String = "0.1.0", isCut: Bool = false
    ) throws -> (ledger: ReportLedger?, site: SiteReplay) {
        let path = NSTemporaryDirectory() + "vigil-reports-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = entries.map { $0.joined(separator: "\n") + "\n\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        var query = TraceQuery()
        query.withTold = true
        var reader = try TraceReader(path: path, only: query)
        var (site, reports) = (SiteReplay(), HeldReports(version: version))
        while let entry = try reader.nextEntry() {
            switch entry {
            case .step(let record):
                let (verdict, place) = site.take(record)
                reports.take(record, verdict, site.replays[place])
            case .told(let told): reports.take(told)
            case .lost(let run): reports.lose(run: run)
            }
        }
        reports.finish(site, isCut: isCut)
        let run = try #require(site.replays.first)
        return (reports.ledger(of: run.camera, run: run.run), site)
    }

    @Test("Every record of a machine's reports agrees, and each step")
    func whole() throws {
        let (ledger, site) = try replay(Self.entries)
        // Step 53 is a command that asks for more than is left of its event, which T5 decides otherwise since: what it told is not held.
        #expect(site.replays.first?.differences.map(\.record.seq) == [53] && site.replays.first?.withoutEffects == 0)
        #expect(ledger?.differing == 0 && ledger?.agreed == 47)
    }

    @Test("A record that is altered is named with its step, the field, what is written and what the machine says")
    func alteredField() throws {
        let index = try place(of: "modeChanged")
        let ledger = try #require(try replay(altered(index, "VIGIL_TO", "off")).ledger)
        let difference = try #require(ledger.differences.first)
        #expect(ledger.differing == 1 && difference.cause == .altered)
        #expect(difference.parts == [StatePart(path: "VIGIL_TO", recorded: "off", replayed: "event")])
        let story = Narrator { _ in "noon" }.story(difference)
        #expect(
            story.first?.hasPrefix(
                "step \(difference.seq) of noon: the journal tells otherwise what the machine reported: ") == true)
        #expect(story.last == "  VIGIL_TO: off in the journal, event by the machine")
        // The words alone, too, but only by the version that wrote them.
        let words = altered(index, "MESSAGE", "pcmu: all is well")
        #expect(try replay(words).ledger?.differences.first?.parts.map(\.path) == ["MESSAGE"])
        #expect(try replay(words, version: "9.9").ledger?.differing == 0)
    }

    @Test("A record that is missing, added, doubled, told by another name or moved is told as such")
    func causes() throws {
        let index = try place(of: "recordingDisabled")
        func causes(_ entries: [Entry]) throws -> [ReportDifference.Cause] {
            try replay(entries).ledger?.differences.map(\.cause) ?? []
        }
        var entries = Self.entries
        entries.remove(at: index)
        #expect(try causes(entries) == [.missing])
        entries.insert(Self.entries[index], at: try place(of: "modeChanged"))
        #expect(Set(try causes(entries)) == [.missing, .added])
        entries = Self.entries
        entries.insert(entries[index], at: index)
        #expect(try causes(entries) == [.added])
        #expect(try causes(altered(index, "MESSAGE_ID", MessageKind.recordingEnabled.id)) == [.altered])
        #expect(try causes(altered(index, "VIGIL_CAMERA", "elsewhere")) == [.missing])
        let began = try place(of: "linkDialing")
        entries = Self.entries
        #expect(value(entries[began + 1], "VIGIL_KIND") == "coverageChanged")
        entries.swapAt(began, began + 1)
        #expect(try causes(entries) == [.outOfOrder])
    }

    @Test("A clip's record must come before the fact that answers it, with what was ordered")
    func clips() throws {
        let (opened, closed) = (try place(of: "clipOpened"), try place(of: "clipClosed"))
        #expect(
            try replay(altered(opened, "VIGIL_CAUSE", "command")).ledger?.differences.first?.parts.first
                == StatePart(path: "VIGIL_CAUSE", recorded: "command", replayed: "continuous"))
        #expect(
            try replay(altered(closed, "VIGIL_WHY", "limit")).ledger?.differences.first?.parts.map(\.path).contains(
                "VIGIL_WHY") == true)
        #expect(try replay(altered(closed, "VIGIL_CLIP", "999")).ledger?.differing == 1)
        for index in [opened, closed, try place(of: "linkLost")] {
            var entries = Self.entries
            let entry = entries.remove(at: index)
            #expect(try replay(entries).ledger?.differences.map(\.cause) == [.missing])
            entries.insert(contentsOf: [entry, entry], at: index)
            let causes = try replay(entries).ledger?.differences.map(\.cause)
            // A link that is lost may still be told to the machine later, so this one is claimed at the end, past step 53.
            let isClaimed = value(entry, "VIGIL_KIND") != "linkLost"
            #expect(causes == (isClaimed ? [.added] : []))
        }
    }

    /// `bench/run altered` alters everything.
    @Test("Each report removed, doubled or altered is noticed, and each effect of each step")
    func each() throws {
        let reports = Set(MessageKind.ofCameraSteps.map(\.name))
        var noticed = 0
        for (index, entry) in Self.entries.enumerated() {
            var variants: [[Entry]] = []
            if value(entry, "VIGIL_KIND").map(reports.contains) == true {
                let without = Array(Self.entries[..<index] + Self.entries[(index + 1)...])
                variants = [without, Array(Self.entries[...index] + Self.entries[index...])]
                let last = entry.last { $0.hasPrefix("VIGIL_") && !$0.hasPrefix("VIGIL_RUN=") } ?? ""
                let name = String(last.prefix { $0 != "=" })
                variants.append(altered(index, name, (value(entry, name) ?? "") + "1"))
            } else if let effects = value(entry, "VIGIL_EFFECTS") {
                let words = effects.split(separator: " ").map { String($0) }
                for place in words.indices {
                    var (other, fewer) = (words, words)
                    other[place] = String(other[place].dropLast()) + (other[place].hasSuffix("0") ? "1" : "0")
                    fewer.remove(at: place)
                    variants += [other, fewer].map {
                        altered(index, "VIGIL_EFFECTS", $0.joined(separator: " "))
                    }
                }
            }
            for variant in variants {
                let (ledger, site) = try replay(variant)
                let isNoticed = !site.isClean || (ledger?.differing ?? 0) > 0
                #expect(isNoticed, "record \(index), \(entry.first ?? "")")
                noticed += isNoticed ? 1 : 0
            }
        }
        #expect(noticed > 250)
    }

    @Test(
        "Where records were lost, a step differs or is missing, or the end was not read, nothing is claimed of reports")
    func doubts() throws {
        let index = try place(of: "recordingDisabled")
        var entries = Self.entries
        let run = try #require(value(entries[0], "VIGIL_RUN"))
        entries[index] = ["MESSAGE_ID=\(MessageKind.journalLost.id)", "VIGIL_RUN=\(run)", "VIGIL_COUNT=1"]
        #expect(try replay(entries).ledger?.differing == 0)
        let step = try #require(Self.entries[..<index].lastIndex { value($0, "VIGIL_TRACE") != nil })
        entries = Self.entries
        entries.remove(at: step)
        #expect(try replay(entries).ledger?.differing == 0)
        #expect(try replay(Array(Self.entries[...step]), isCut: true).ledger?.differing == 0)
        #expect(try replay(Array(Self.entries[...step]), isCut: false).ledger?.differing ?? 0 > 0)
        // Steps alone, as a filter of journalctl leaves them.
        let steps = Self.entries.filter { value($0, "VIGIL_TRACE") != nil }
        #expect(try replay(steps).ledger == nil)
        #expect(Narrator { "\($0)" }.remark(nil).contains("only the steps are held"))
        // From the middle: what a step before it told is nobody's.
        let second = try replay(Array(Self.entries[20...]))
        #expect(second.ledger?.differing ?? 0 == 0)
    }

    @Test("However many records of a step there are, few are kept and all are counted")
    func bounded() throws {
        let index = try place(of: "recordingDisabled")
        var entries = Self.entries
        entries.insert(
            contentsOf: [Entry](repeating: entries[index], count: ReportLedger.recordsMax + 10), at: index)
        entries.insert(contentsOf: [Entry](repeating: entries[try place(of: "clipOpened")], count: 300), at: index)
        let ledger = try #require(try replay(entries).ledger)
        let long = altered(index, "MESSAGE", String(repeating: "x", count: 100_000))
        #expect(try replay(long).ledger?.differences.map(\.cause) == [.altered])
        #expect(ledger.differing >= ReportLedger.recordsMax && ledger.differences.count == ReportLedger.namedMax)
    }
}
