import GRDB
import Machines
import Testing

@testable import Catalog

@Suite("Transports in the catalog")
struct TransportTests {
    let harness = CatalogHarness()

    private func allocate(_ catalog: Catalog, _ camera: String = "front", most: Int = 16) throws -> KeptTransport? {
        try catalog.allocate("{}", of: camera, expiresWallMs: nil, most: most, atWallMs: 1, by: "uid 0")
    }

    @Test("Numbers go on for each camera, over those that are gone, and begin anew where they end")
    func numbers() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        #expect(try [allocate(catalog), allocate(catalog), allocate(catalog, "back")].map { $0?.number } == [1, 2, 1])
        let second = try #require(try catalog.transports(of: "front").last)
        try catalog.removeTransport(second.id, atWallMs: 2)
        #expect(try allocate(catalog)?.number == 3)
        #expect(try catalog.transports(of: "front").map(\.number) == [1, 3])
        #expect(try allocate(catalog, most: 2) == nil)
        try catalog.write(.write) { try $0.execute(sql: "UPDATE transport SET number = 65534 WHERE number = 3") }
        #expect(try allocate(catalog)?.number == 2)
    }

    @Test("What is kept of a transport is what was kept last, and nothing of one that is gone")
    func kept() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        var one = try #require(try allocate(catalog))
        (one.status, one.options, one.expiresWallMs) = (.active, #"{"url":"x"}"#, 77)
        try catalog.keep(one)
        #expect(try catalog.transports(of: "front") == [one])
        try catalog.removeTransport(one.id, atWallMs: 3)
        #expect(try catalog.transports(of: "front").isEmpty)
    }

    @Test("No two sessions have one number, of whatever transport, and none comes again")
    func sessions() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let (one, other) = (try #require(try allocate(catalog)), try #require(try allocate(catalog, "back")))
        #expect(
            try [one, other, one].map { try catalog.beginSession(ofTransport: $0.id, atWallMs: 5) } == [1, 2, 3])
        // What is gone gives no number back.
        try catalog.write(.write) { try $0.execute(sql: "DELETE FROM transport WHERE id = ?", arguments: [one.id]) }
        #expect(try catalog.beginSession(ofTransport: other.id, atWallMs: 6) == 4)
    }

    @Test("Recordings are listed the newest first, in pages; one that a kill left open ends with the last media")
    func recordings() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let one = try #require(try allocate(catalog))
        func begin(_ wallMs: Int64) throws -> Int64 {
            try catalog.beginRecording(
                ofTransport: one.id, camera: "front", cause: .command, reason: "automation", preRollMs: 5,
                atWallMs: wallMs)
        }
        let first = try begin(1_000)
        // The clock was set back meanwhile.
        try catalog.endRecording(first, why: .limit, atWallMs: 900)
        _ = try harness.record(catalog)
        let end = try #require(try catalog.clips(ClipQuery(camera: "front")).first?.end?.wallMs)
        let open = try begin(end - 10)
        #expect(try catalog.endInterruptedRecordings() == 1)
        #expect(try catalog.endInterruptedRecordings() == 0)
        let all = try catalog.recordings(ofTransport: one.id, before: nil, limit: 10)
        #expect(all.map(\.id) == [open, first] && all.map(\.why) == ["interrupted", "limit"])
        #expect(all.map(\.endedWallMs) == [end, 1_000] && all.map(\.reason) == ["automation", "automation"])
        #expect(try catalog.recordings(ofTransport: one.id, before: open, limit: 10).map(\.id) == [first])
    }
}
