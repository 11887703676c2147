import Catalog
import Foundation
import Journal
import Testing

@testable import Daemon

@Suite("What is kept of the journal for the operator")
struct MessageWriterTests {
    private let journal = Journal(JournalOptions(version: "1", output: .lines, linesPriorityMax: .emergency))

    /// Runs `body` with a writer and a catalog that it can write into.
    private func keep(_ body: (MessageWriter, Catalog) throws -> Void) throws {
        let root = NSTemporaryDirectory() + "vigil-messages-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let writer = MessageWriter(following: journal, host: SystemHost())
        let catalog = try Catalog(root: root)
        try body(writer, catalog)
        writer.end()
        try catalog.close()
        journal.close(timeoutMs: 1_000)
    }

    @Test(
        "warnings and worse are kept, one row for each thing; what ends them is noted; all else is in the journal alone"
    )
    func kept() throws {
        try keep { writer, catalog in
            // Before there is a catalog, too.
            journal.send(.configurationRefused, fields: [(.path, "/etc/x"), (.detail, "rtsp://u:secret@h/")])
            writer.begin(catalog, wallMs: 1)
            for why in ["silence", "closed"] { journal.send(.linkLost, camera: "front", fields: [(.why, why)]) }
            journal.send(.linkDialing, camera: "front")
            journal.send(.pictureImpaired, camera: "front", fields: [(.why, "frozen")])
            journal.send(.pictureImpaired, camera: "front", fields: [(.why, "covered")])
            journal.send(.pictureRestored, camera: "front", fields: [(.why, "frozen")])
            journal.send(.clipIncomplete, camera: "front", fields: [(.clip, "7")])
            journal.send(.linkFailed, camera: "yard", fields: [(.why, "timeout")])
            journal.send(.linkStreaming, camera: "yard")
            writer.flush()
            let all = try catalog.messages(cameras: nil)
            let held = all.filter { $0.told.overWallMs == nil }.map { "\($0.told.kind) \($0.told.subject)" }
            #expect(Set(held) == ["configurationRefused ", "linkLost ", "pictureImpaired covered"])
            let over = all.filter { $0.told.overWallMs != nil }.map { "\($0.told.kind) \($0.told.subject)" }
            #expect(Set(over) == ["pictureImpaired frozen", "clipIncomplete ", "linkFailed "])
            let lost = try #require(all.first { $0.told.kind == "linkLost" })
            #expect(
                lost.told.count == 2 && lost.told.camera == "front" && lost.told.words.contains("closed the connection")
            )
            #expect(all.allSatisfy { !$0.told.words.contains("secret") })
        }
    }

    @Test("a flood of the same is one entry that waits, and one row")
    func flood() throws {
        try keep { writer, catalog in
            for number in 0..<20_000 { journal.send(.ringOverrun, camera: "front", fields: [(.count, "\(number)")]) }
            writer.begin(catalog, wallMs: 1)
            writer.flush()
            let all = try catalog.messages(cameras: nil)
            #expect(all.count == 1 && all.first?.told.count == 20_000)
        }
    }

    @Test("what held at the end of a run is over at the next start, unless it is said again")
    func restart() throws {
        try keep { writer, catalog in
            writer.begin(catalog, wallMs: 1)
            journal.send(.storageLow, fields: [(.path, "/data")])
            journal.send(.listenerFailed, fields: [(.path, "a socket")])
            writer.end()
            let next = MessageWriter(following: journal, host: SystemHost())
            journal.send(.storageLow, fields: [(.path, "/data")])
            next.begin(catalog, wallMs: 1)
            next.end()
            let held = try catalog.messages(cameras: nil).filter { $0.told.overWallMs == nil }
            #expect(held.map(\.told.kind) == ["storageLow"])
        }
    }

    @Test("each kind that is kept names a remedy, or has none that holds for every record of it")
    func remedies() {
        for kind in MessageKind.allCases where kind.priority <= .warning {
            if let remedy = kind.remedy {
                #expect(!remedy.isEmpty && !remedy.contains("@") && !remedy.contains("\n"), "\(kind)")
            }
        }
        #expect(MessageKind.linkLost.remedy != nil && MessageKind.storageLost.remedy != nil)
        for kind in MessageKind.allCases { #expect(kind.ends.allSatisfy { $0.holds }) }
    }
}
