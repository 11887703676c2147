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
        try catalog.endEvent(event, at: Moment(monotonicMs: 10, wallMs: 1_010), why: .quiet)
        try catalog.forget(beforeWallMs: 1_050)
        #expect(try catalog.suppressed(camera: "yard", fromWallMs: 0, toWallMs: 2_000) == [zone])
    }
}
