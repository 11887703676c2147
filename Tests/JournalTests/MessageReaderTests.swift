import Foundation
import Machines
import Testing
import Trace

@testable import Journal

@Suite("Reading what was told")
struct MessageReaderTests {
    private static func entry(_ kind: MessageKind, _ usec: Int64, _ fields: [String: String]) -> [String: String] {
        fields.merging(["MESSAGE_ID": kind.id, JournalEntry.realtime: "\(usec)"]) { old, _ in old }
    }

    private static let entries = [
        entry(.policyRevised, 1_000_000_999, ["VIGIL_POLICY": "shop", "VIGIL_DIFFERENCE": "--- a\n+++ b\n-x\n+y\n"]),
        entry(.linkLost, 2_000_000_000, ["VIGIL_CAMERA": "front"]),
        ["MESSAGE_ID": "0123", "MESSAGE": "of somebody else"],
        ["MESSAGE_ID": MessageKind.privacyOn.id],
        entry(.privacyOn, 3_000_000_000, ["VIGIL_CAMERA": "front", "VIGIL_TO": "hard", "OTHER": "x"]),
    ]

    private func json() throws -> String {
        let encoder = JSONEncoder()
        let lines = try Self.entries.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        return try Scratch.file((lines.joined(separator: "\n") + "\n").utf8)
    }

    private func export() throws -> String {
        var bytes: [UInt8] = []
        for entry in Self.entries {
            for (name, value) in entry.sorted(by: { $0.key < $1.key }) {
                if value.contains("\n") {
                    bytes += Array("\(name)\n".utf8)
                    bytes += withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian, Array.init)
                    bytes += Array("\(value)\n".utf8)
                } else {
                    bytes += Array("\(name)=\(value)\n".utf8)
                }
            }
            bytes.append(UInt8(ascii: "\n"))
        }
        return try Scratch.file(bytes)
    }

    private func read(_ path: String, _ query: TraceQuery = TraceQuery()) throws -> [MessageReader.Record] {
        var reader = try MessageReader(kinds: [.policyRevised, .privacyOn], path: path, query: query)
        var records: [MessageReader.Record] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    @Test("Records of the kinds asked for come with their time and Vigil's fields, from either format")
    func records() throws {
        for path in [try json(), try export()] {
            let records = try read(path)
            #expect(records.map(\.kind) == [.policyRevised, .privacyOn])
            #expect(records.map(\.wallMs) == [1_000_000, 3_000_000])
            #expect(records.first?.fields == [.policy: "shop", .difference: "--- a\n+++ b\n-x\n+y\n"])
            #expect(records.last?.fields == [.camera: "front", .to: "hard"])
            #expect(try read(path, TraceQuery(sinceMs: 1_000_001)).map(\.kind) == [.privacyOn])
            #expect(try read(path, TraceQuery(untilMs: 2_999_999)).map(\.kind) == [.policyRevised])
            #expect(try read(path, TraceQuery(sinceMs: 9, untilMs: 5)).isEmpty)
        }
    }

    @Test("A file that is no journal is an error")
    func malformed() throws {
        #expect(throws: JournalError.self) { try read(try Scratch.file("{]".utf8)) }
        #expect(throws: JournalError.self) { try read("/nowhere/at/all") }
    }

    @Test(
        "What is sent to journald is read back",
        .enabled(if: JournaldTests.canRoundTrip, "needs journald and the right to read its journal"))
    func journald() throws {
        let journal = Journal(JournalOptions(version: "1.2.3"))
        let since = MachineClock().wallMs() - 1_000
        journal.send(.privacyOn, camera: "front", fields: [(.to, "hard"), (.user, "uid 1, pid 2")])
        #expect(journal.close(timeoutMs: 30_000))
        let deadline = MachineClock().now() + 30_000
        var records: [MessageReader.Record] = []
        while records.isEmpty, MachineClock().now() < deadline {
            _ = try Scratch.run("/usr/bin/journalctl", ["--sync"])
            var reader = try MessageReader(
                kinds: [.privacyOn], query: TraceQuery(run: journal.run.value, sinceMs: since))
            while let record = try reader.next() { records.append(record) }
        }
        #expect(records.map(\.fields[.user]) == ["uid 1, pid 2"])
        #expect((records.first?.wallMs ?? 0) >= since)
    }
}
