import GRDB
import Machines
import Testing

@testable import Catalog

@Suite("What is known of an event")
struct EventDetailTests {
    let harness = CatalogHarness()

    private func begin(_ catalog: Catalog) throws -> EventID {
        let event = catalog.newEventID()
        try catalog.beginEvent(
            event,
            NewEvent(
                camera: "yard", bootID: "b", began: Moment(monotonicMs: 5, wallMs: 1_005), cause: "detection",
                level: .medium))
        return event
    }

    @Test("An event's id is there before its row, and is never given twice, whatever was deleted")
    func ids() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        let first = try begin(catalog)
        let second = try begin(catalog)
        #expect(first < second)
        #expect(try catalog.events(EventQuery()).map(\.id) == [first, second])
        try catalog.write(.write) { db in
            try db.execute(sql: "DELETE FROM event WHERE id = ?", arguments: [second.rawValue])
        }
        try catalog.close()
        catalog = try harness.open()
        #expect(catalog.newEventID() > second)
    }

    @Test("Detections, zones and the picture's moment are kept, the part outside every zone too")
    func detail() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let event = try begin(catalog)
        #expect(try catalog.detail(of: event) == nil)
        for detail in [
            EventDetail(detections: 3, zones: ["door", ""], pictureMonotonicMs: 7),
            EventDetail(detections: 1, zones: [""]), EventDetail(detections: 1), EventDetail(),
        ] {
            try catalog.recordDetail(detail, of: event)
            #expect(try catalog.detail(of: event) == detail)
        }
    }

    @Test(
        "A catalog of version 5 gets the zones of its events; what is learnt of an event later replaces them, and they go with it"
    )
    func zonesOfOlder() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        let events = try (0..<3).map { _ in try begin(catalog) }
        for (event, zones) in zip(events, [["door", ""], ["gate"], []]) {
            try catalog.recordDetail(EventDetail(zones: zones), of: event)
        }
        try catalog.write(.write) { db in
            try db.execute(sql: "DROP TABLE event_zone")
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'v6'")
        }
        try catalog.close()
        catalog = try harness.open()
        #expect(try catalog.read(Schema.differences) == [])
        func found(_ zone: String) throws -> [EventID] {
            var query = EventQuery()
            query.zones = [zone]
            return try catalog.events(query).map(\.id)
        }
        #expect(try found("door") == [events[0]])
        #expect(try found("") == [events[0]])
        #expect(try found("gate") == [events[1]])
        try catalog.recordDetail(EventDetail(zones: ["gate"]), of: events[0])
        #expect(try found("door") == [])
        #expect(try found("gate") == events.dropLast())
        try catalog.write(.write) { db in
            try db.execute(sql: "DELETE FROM event WHERE id = ?", arguments: [events[0].rawValue])
        }
        #expect(try catalog.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM event_zone") } == 1)
    }

    @Test("An event lies in its own clips, and in those that were recorded anyway while it was active")
    func clips() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        // Clips of 300 ms, one after another; the wall clock is set back an hour after the second.
        let start = CatalogHarness.startMs
        let zero = CatalogHarness.facts("front").start.monotonicMs
        var ids: [ClipID] = []
        for number in 0..<5 {
            var facts = CatalogHarness.facts("front", atMs: start + Int64(number) * 300)
            if number > 1 { facts.start.wallMs -= 3_600_000 }
            let (id, _) = try harness.openClip(catalog, facts, video: CatalogHarness.media(fragments: 3))
            ids.append(id)
            // The last is still written.
            if number < 4 { try harness.closeClip(catalog, id) }
        }
        try harness.record(catalog, "back", atMs: start + 300)
        func event(_ began: Int64, _ ended: Int64?, boot: String = "boot-1") throws -> RecordedEvent {
            let id = catalog.newEventID()
            let at = Moment(monotonicMs: zero + began, wallMs: start + began)
            try catalog.beginEvent(id, NewEvent(camera: "front", bootID: boot, began: at, cause: "detection"))
            if let ended {
                try catalog.endEvent(
                    id, at: Moment(monotonicMs: zero + ended, wallMs: start + ended), why: .quiet)
            }
            return try #require(try catalog.event(id))
        }
        func clips(_ event: RecordedEvent) throws -> [ClipID] {
            let whole = try catalog.clips(of: event)
            let record = try #require(try catalog.record(event.id))
            #expect(record.event == event && record.clips == whole.map(\.id))
            #expect(record.firstClip == whole.first { $0.opened.event == event.id })
            // Asked the other way round it is the same.
            let all = try catalog.records(EventQuery())
            for clip in try catalog.clips(ClipQuery()) {
                let end = clip.end ?? Moment(monotonicMs: .max, wallMs: .max)
                #expect(try catalog.records(in: clip, until: end) == all.filter { $0.clips.contains(clip.id) })
            }
            return record.clips
        }
        #expect(try clips(event(-100, -50)) == [] && clips(event(-100, 0)) == [] && clips(event(-100, 1)) == [ids[0]])
        #expect(try clips(event(0, 0)) == [ids[0]] && clips(event(300, 300)) == [ids[1]])
        #expect(try clips(event(10, 290)) == [ids[0]] && clips(event(10, 300)) == [ids[0]])
        #expect(try clips(event(299, 901)) == [ids[0], ids[1], ids[2], ids[3]])
        #expect(try clips(event(1_000, 5_000)) == [ids[3], ids[4]] && clips(event(400, nil)) == Array(ids[1...]))
        #expect(try clips(event(10, 290, boot: "boot-2")) == [])
        // A clip of its own counts also where it begins before the event, and comes in its place.
        let mixed = try event(650, 700)
        let own = try harness.record(catalog, atMs: start + 550, mediaClass: .event, event: mixed.id)
        #expect(try clips(mixed) == [own, ids[2]])
        _ = try catalog.markDeleting([ids[2]], rule: "siteSize", atWallMs: 1)
        #expect(try clips(mixed) == [own] && clips(event(650, 700)) == [])
        // One that could never be closed ends where the next begins.
        try catalog.write(.write) { db in
            try db.execute(
                sql: """
                    UPDATE clip SET state = 'open', ended = NULL, end_monotonic_ms = NULL, end_wall_ms = NULL WHERE id = ?
                    """, arguments: [ids[1].rawValue])
        }
        #expect(
            try clips(event(310, 320)) == [ids[1]] && clips(event(700, 710)) == [] && clips(event(950, 960)) == [ids[3]]
        )
    }

    @Test("Suppressed detections are found by time and by event, and outlive neither question nor event")
    func suppressed() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let event = try begin(catalog)
        let blind = SuppressedRun(
            camera: "yard", event: event, first: Moment(monotonicMs: 20, wallMs: 1_020), lastWallMs: 1_030, count: 4,
            level: .low, why: .blind)
        let zone = SuppressedRun(
            camera: "yard", event: nil, first: Moment(monotonicMs: 90, wallMs: 1_090), lastWallMs: 1_090, count: 1,
            level: .high, why: .zone)
        try catalog.recordSuppressed(bootID: "b", [blind, zone])
        #expect(try catalog.suppressed(camera: "yard", fromWallMs: 1_000, toWallMs: 2_000) == [blind, zone])
        #expect(try catalog.suppressed(camera: "yard", fromWallMs: 1_021, toWallMs: 1_090) == [])
        #expect(try catalog.suppressed(of: event) == [blind])
        let detail = EventDetail(detections: 3, zones: ["door", ""], pictureMonotonicMs: 7)
        try catalog.recordDetail(detail, of: event)
        let second = try begin(catalog)
        let records = try catalog.records(EventQuery(camera: "yard"))
        #expect(records.map(\.id) == [event, second] && records.map(\.detail) == [detail, nil])
        #expect(records.map(\.suppressed) == [[blind], []])
        #expect(try catalog.events(EventQuery()) == records.map(\.event))
        try catalog.endEvent(second, at: Moment(monotonicMs: 10, wallMs: 1_010), why: .quiet)
        try catalog.endEvent(event, at: Moment(monotonicMs: 10, wallMs: 1_010), why: .quiet)
        try catalog.forget(beforeWallMs: 1_050)
        #expect(try catalog.suppressed(camera: "yard", fromWallMs: 0, toWallMs: 2_000) == [zone])
    }
}
