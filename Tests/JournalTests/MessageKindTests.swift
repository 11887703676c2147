import Foundation
import Testing

@testable import Journal

@Suite("Message kinds and their catalog")
struct MessageKindTests {
    @Test("Each kind has an id of its own that systemd accepts")
    func ids() {
        #expect(Set(MessageKind.allCases.map(\.id)).count == MessageKind.allCases.count)
        for kind in MessageKind.allCases { #expect(RandomID(kind.id)?.value == kind.id) }
    }

    @Test("Each kind has its words, and no kind has two entries")
    func complete() {
        #expect(Set(MessageKind.entries.keys) == Set(MessageKind.allCases))
        let groups = [
            MessageKind.daemonEntries, MessageKind.linkEntries, MessageKind.triggerEntries,
            MessageKind.recorderEntries, MessageKind.toggleEntries, MessageKind.storageEntries,
            MessageKind.machineEntries, MessageKind.traceEntries, MessageKind.accountEntries,
            MessageKind.sessionEntries, MessageKind.uploadEntries, MessageKind.planEntries, MessageKind.webhookEntries,
            MessageKind.notificationEntries, MessageKind.transportEntries, MessageKind.ingestEntries,
            MessageKind.mqttEntries,
            MessageKind.onvifEntries,
        ]
        #expect(groups.reduce(0) { $0 + $1.count } == MessageKind.allCases.count)
        #expect(Set(MessageKind.allCases.map(\.text)).count == MessageKind.allCases.count)
        #expect(Set(MessageKind.allCases.map(\.name)).count == MessageKind.allCases.count)
    }

    @Test("What the catalog substitutes are fields that exist")
    func substitutions() {
        for kind in MessageKind.allCases {
            let parts = [kind.entry.subject, kind.entry.explanation, kind.entry.remedy]
            for part in parts {
                let pieces = part.split(separator: "@", omittingEmptySubsequences: false)
                #expect(pieces.count % 2 == 1, "an odd @ in \(kind)")
                for (index, piece) in pieces.enumerated() where index % 2 == 1 {
                    #expect(Field(rawValue: String(piece)) != nil, "\(piece) in \(kind)")
                }
                #expect(!part.contains("\n\n") && !part.isEmpty)
            }
            #expect(!kind.entry.subject.contains("\n"))
        }
    }

    @Test("The catalog in systemd/ is the one that the kinds give")
    func catalog() throws {
        #expect(try Scratch.golden("systemd/vigil.catalog", MessageCatalog.text) == MessageCatalog.text)
    }

    @Test("The reference lists every kind and every field")
    func reference() throws {
        let text = try String(
            contentsOf: Scratch.tree.appendingPathComponent("docs/reference/journal.md"), encoding: .utf8)
        let marks = ["<!-- kinds -->\n", "<!-- fields -->\n", "<!-- end -->"]
        let places = try marks.map { try #require(text.range(of: $0), "the mark \($0)") }
        let updated =
            text[..<places[0].upperBound] + Self.kindTable + "\n"
            + text[..<places[1].upperBound]
            .suffix(from: try #require(text.range(of: "## Fields")).lowerBound) + Self.fieldTable
            + text[places[2].lowerBound...]
        #expect(try Scratch.golden("docs/reference/journal.md", String(updated)) == String(updated))
    }

    static var kindTable: String {
        "| kind | priority | MESSAGE | MESSAGE_ID |\n|---|---|---|---|\n"
            + MessageKind.allCases.map { kind in
                let phrases = kind.entry.phrases.map { "`" + $0.pattern + "`" }.joined(separator: ", ")
                let message = kind.text + (phrases.isEmpty ? "" : ": " + phrases)
                return "| `\(kind.name)` | \(kind.priority.word) | \(message) | `\(kind.id)` |\n"
            }.joined()
    }

    static var fieldTable: String {
        "| field | meaning |\n|---|---|\n"
            + Field.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |\n" }.joined()
    }

    @Test("A message says camera, step and cause; a field that is missing leaves no hole")
    func words() {
        #expect(MessageText.render(.linkHungUp, camera: "front", fields: []) == "front: hung up")
        #expect(
            MessageText.render(
                .clipClosed, camera: "front", fields: [(.clip, "17"), (.why, "limit"), (.bytes, "12")])
                == "front: clip closed: 17, the event reached its max length, 12 bytes")
        #expect(MessageText.render(.storageOk, camera: nil, fields: [(.from, "")]) == "storage is all right")
        #expect(
            MessageText.render(.coverageChanged, camera: "c", fields: [(.from, "offBySchedule"), (.to, "new")])
                == "c: coverage: new, was off by schedule")
    }
}
