import GRDB
import Machines
import Testing

@testable import Catalog

@Suite("What was recognised during an event")
struct EventLabelTests {
    let harness = CatalogHarness()

    private func begin(_ catalog: Catalog, _ camera: String = "yard", at ms: Int64 = 5) throws -> EventID {
        let event = catalog.newEventID()
        try catalog.beginEvent(
            event,
            NewEvent(
                camera: camera, bootID: "b", began: Moment(monotonicMs: ms, wallMs: 1_000 + ms), cause: "detection"))
        return event
    }

    private func label(_ name: String, at ms: Int64, box: LabelBox? = nil) -> EventLabel {
        EventLabel(name: name, at: Moment(monotonicMs: ms, wallMs: 1_000 + ms), box: box)
    }

    @Test("The first of each name is kept with its box, shown with its event in the order of time, and goes with it")
    func kept() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let event = try begin(catalog)
        let person = label("person", at: 9, box: LabelBox(x: 0.25, y: 0, width: 0.5, height: 1))
        let car = label("car", at: 7)
        let told = try [person, car, label("person", at: 20)].map { try catalog.recordLabel($0, of: event) }
        #expect(told == [true, true, false])
        #expect(try catalog.labels(of: event) == [car, person])
        #expect(try catalog.record(event)?.labels == [car, person])
        // Of an event that is not there nothing is kept.
        #expect(try !catalog.recordLabel(person, of: EventID(rawValue: 99)))
        #expect(try catalog.labels(of: EventID(rawValue: 99)) == [])
        try catalog.write(.write) { db in
            try db.execute(sql: "DELETE FROM event WHERE id = ?", arguments: [event.rawValue])
        }
        #expect(try catalog.labels(of: event) == [])
    }

    @Test("A box that does not lie in the picture is an error, not a label that is lost in silence")
    func outside() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let event = try begin(catalog)
        for box in [LabelBox(x: 1.5, y: 0, width: 0.5, height: 1), LabelBox(x: 0, y: 0, width: 0.5, height: 1.5)] {
            #expect(throws: CatalogError.self) { try catalog.recordLabel(label("person", at: 9, box: box), of: event) }
        }
        #expect(try catalog.labels(of: event) == [])
        // What rounding makes of the parts is no error.
        let whole = LabelBox(x: 0, y: 0.3, width: 1.000_000_5, height: 0.700_000_1)
        #expect(whole.isInside)
        #expect(try catalog.recordLabel(label("person", at: 9, box: whole), of: event))
        #expect(try catalog.labels(of: event).first?.box == LabelBox(x: 0, y: 0.3, width: 1, height: 0.7))
    }

    @Test("Events are found by label, beside zones, cameras and what was seen")
    func found() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let events = try (0..<6).map { number in
            let event = try begin(catalog, number % 2 == 0 ? "yard" : "front", at: Int64(number))
            if number < 4 { try catalog.recordLabel(label("person", at: Int64(number)), of: event) }
            if number > 2 { try catalog.recordLabel(label("car", at: Int64(number)), of: event) }
            try catalog.recordDetail(EventDetail(zones: number == 2 ? ["door"] : []), of: event)
            return event
        }
        func listed(_ change: (inout EventQuery) -> Void) throws -> [Int] {
            var query = EventQuery()
            change(&query)
            return try catalog.events(query).compactMap { event in events.firstIndex(of: event.id) }
        }
        #expect(try listed { $0.labels = ["person"] } == [0, 1, 2, 3])
        #expect(try listed { $0.labels = ["person", "car"] } == [0, 1, 2, 3, 4, 5])
        // A name is compared whole, and one that is nowhere finds nothing.
        #expect(try listed { $0.labels = ["pers%"] } == [])
        #expect(try listed { $0.labels = ["dog", "car"] } == [3, 4, 5])
        #expect(
            try listed {
                $0.labels = ["person"]
                $0.camera = "yard"
                $0.newestFirst = true
            } == [2, 0])
        #expect(
            try listed {
                $0.labels = ["person"]
                $0.zones = ["door"]
            } == [2])
        #expect(try catalog.markSeen(events[3], true))
        #expect(
            try listed {
                $0.labels = ["car"]
                $0.isUnseen = true
            } == [4, 5])
    }
}
