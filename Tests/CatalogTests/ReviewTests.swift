import GRDB
import Machines
import Testing

@testable import Catalog

@Suite("What an operator reviews: events and messages")
struct ReviewTests {
    let harness = CatalogHarness()

    /// Ten events, one each second, turn by turn of two cameras.
    private func events(_ catalog: Catalog) throws -> [EventID] {
        try (0..<10).map { number in
            let id = catalog.newEventID()
            try catalog.beginEvent(
                id,
                NewEvent(
                    camera: number % 2 == 0 ? "front" : "yard", bootID: "b",
                    began: Moment(monotonicMs: Int64(number), wallMs: Int64(number) * 1_000),
                    cause: number < 6 ? "detection" : "command",
                    level: number < 6 ? [.low, .medium, .high][number % 3] : nil))
            let zones = [["door"], ["gate", ""], ["indoor"]][number % 3]
            try catalog.recordDetail(EventDetail(detections: 1, zones: zones), of: id)
            return id
        }
    }

    @Test("Events are filtered by cameras, levels, zones, causes and what was seen, in both orders, from an offset on")
    func filters() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let all = try events(catalog)
        func listed(_ change: (inout EventQuery) -> Void) throws -> [Int] {
            var query = EventQuery()
            change(&query)
            return try catalog.events(query).compactMap { event in all.firstIndex(of: event.id) }
        }
        #expect(try listed { $0.cameras = ["front", "yard"] } == Array(0..<10))
        #expect(try listed { $0.cameras = ["yard"] } == [1, 3, 5, 7, 9])
        #expect(try listed { $0.levels = [.low, .high] } == [0, 2, 3, 5])
        #expect(try listed { $0.causes = [.command] } == [6, 7, 8, 9])
        // A zone's name is compared whole, and no pattern in it counts.
        #expect(try listed { $0.zones = ["door"] } == [0, 3, 6, 9])
        #expect(try listed { $0.zones = [""] } == [1, 4, 7])
        #expect(try listed { $0.zones = ["door", "indoor"] } == [0, 2, 3, 5, 6, 8, 9])
        #expect(try listed { $0.zones = ["d%", "_oor"] } == [])
        #expect(try listed { $0.zones = ["indoor", "nowhere"] } == listed { $0.zones = ["indoor"] })
        for newest in [false, true] {
            #expect(
                try listed {
                    $0.zones = ["door"]
                    $0.cameras = ["yard"]
                    $0.newestFirst = newest
                } == (newest ? [9, 3] : [3, 9]))
            #expect(
                try listed {
                    $0.zones = ["door"]
                    $0.camera = "front"
                    $0.newestFirst = newest
                    $0.offset = 1
                } == (newest ? [0] : [6]))
        }
        for id in all[...7] { #expect(try catalog.markSeen(id, true)) }
        #expect(try listed { $0.isUnseen = true } == [8, 9])
        #expect(try catalog.markSeen(all[2], false))
        for newest in [false, true] {
            let expected = newest ? [9, 8, 2] : [2, 8, 9]
            #expect(
                try listed {
                    $0.isUnseen = true
                    $0.newestFirst = newest
                } == expected)
        }
        #expect(
            try listed {
                $0.isUnseen = true
                $0.camera = "front"
                $0.after = (2_000, all[2])
            } == [8])
        #expect(
            try listed {
                $0.offset = 7
                $0.limit = 2
            } == [7, 8])
        #expect(
            try catalog.events(EventQuery()).map(\.isSeen) == [true, true, false] + Array(repeating: true, count: 5) + [
                false, false,
            ])
        #expect(try !catalog.markSeen(EventID(rawValue: 999), true))
    }

    @Test("A catalog of version 4 is taken over: what it holds counts as seen, what comes does not")
    func migrates() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        _ = try events(catalog)
        try catalog.write(.write) { db in
            try db.execute(sql: "DROP TABLE event_unseen")
            try db.execute(sql: "DROP TABLE message")
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'v5'")
        }
        try catalog.close()
        catalog = try harness.open()
        #expect(try catalog.read(Schema.differences) == [])
        #expect(try catalog.events(EventQuery()).allSatisfy(\.isSeen))
        let id = try events(catalog)[0]
        #expect(try catalog.event(id)?.isSeen == false)
        // The mark goes with its event.
        try catalog.write(.write) { try $0.execute(sql: "DELETE FROM event") }
        #expect(try catalog.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM event_unseen") } == 0)
    }

    private func told(_ kind: String, _ camera: String?, at wallMs: Int64, subject: String = "", over: Int64? = nil)
        -> Catalog.MessageChange
    {
        .told(
            NewMessage(
                kind: kind, camera: camera, subject: subject, priority: "warning", words: "said at \(wallMs)", count: 1,
                firstWallMs: wallMs, lastWallMs: wallMs, overWallMs: over))
    }

    @Test(
        "A message that is said again stays one row, with its count; it ends and holds again; clearing takes it alone")
    func messages() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let event = try events(catalog)[0]
        let clip = try harness.record(catalog)
        try catalog.changeMessages([
            told("linkLost", "front", at: 1), told("linkLost", "yard", at: 2), told("linkLost", "front", at: 3),
            told("storageLow", nil, at: 4), told("pictureImpaired", "front", at: 5, subject: "frozen"),
            told("pictureImpaired", "front", at: 6, subject: "covered"),
            .ended(MessageEnd(kinds: ["linkLost", "linkFailed"], camera: "front", subject: nil, wallMs: 7)),
            .ended(MessageEnd(kinds: ["pictureImpaired"], camera: "front", subject: "frozen", wallMs: 8)),
            .ended(MessageEnd(kinds: ["storageLow"], camera: nil, subject: nil, wallMs: 9)),
        ])
        var all = try catalog.messages(cameras: nil)
        #expect(all.map(\.told.lastWallMs) == [6, 5, 4, 3, 2])
        #expect(all.map(\.told.overWallMs) == [nil, 8, 9, 7, nil])
        let front = try #require(all.first { $0.told.kind == "linkLost" && $0.told.camera == "front" })
        #expect(front.told.count == 2 && front.told.firstWallMs == 1 && front.told.words == "said at 3")
        #expect(try catalog.messages(cameras: ["yard"]).map(\.told.camera) == ["yard"])
        try catalog.changeMessages([told("linkLost", "front", at: 10)])
        #expect(try catalog.message(front.id)?.told.overWallMs == nil)
        try catalog.changeMessages([.allEnded(wallMs: 20)])
        all = try catalog.messages(cameras: nil)
        #expect(all.allSatisfy { $0.told.overWallMs != nil } && all.count == 5)
        #expect(try catalog.clearMessages([front.id, 999]) == 1)
        #expect(try catalog.messages(cameras: nil).count == 4 && catalog.message(front.id) == nil)
        #expect(try catalog.event(event) != nil && catalog.clip(clip) != nil)
        // Its id is not given again.
        try catalog.changeMessages([told("linkLost", "front", at: 30)])
        #expect(try catalog.messages(cameras: nil).allSatisfy { $0.id != front.id })
    }

    @Test("Messages are bounded: those that were said longest ago go first")
    func bounded() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let most = Catalog.messagesMax
        try catalog.changeMessages((0..<most + 50).map { told("linkLost", "cam\($0)", at: Int64($0)) })
        let all = try catalog.messages(cameras: nil)
        #expect(all.count == most && all.last?.told.lastWallMs == 50)
    }
}
