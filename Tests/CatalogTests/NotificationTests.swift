import GRDB
import Machines
import Testing

@testable import Catalog

@Suite("What is told outside, in the catalog")
struct NotificationTests {
    let harness = CatalogHarness()
    private let minute: Int64 = 60_000

    @discardableResult
    private func begin(
        _ catalog: Catalog, _ camera: String = "front", at wallMs: Int64, every: Int64 = 0,
        _ receivers: [String] = ["phone"]
    ) throws -> EventID {
        let id = catalog.newEventID()
        try catalog.beginEvent(
            id,
            NewEvent(
                camera: camera, bootID: "b", began: Moment(monotonicMs: wallMs, wallMs: wallMs), cause: "detection"),
            notifying: receivers.map { NewNotification(receiver: $0, .apart(every)) })
        return id
    }

    private func told(_ catalog: Catalog) throws -> [String] {
        try catalog.notifications(cameras: nil, limit: 100).reversed().map {
            "\($0.receiver) \($0.kind) \($0.camera ?? "") \($0.event.map { "\($0)" } ?? "") \($0.state)"
        }
    }

    @Test("What is told comes with its event, oldest first, once, and is over when it is taken or given up")
    func entered() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let first = try begin(catalog, at: 1_000, ["phone", "phone", "house"])
        let second = try begin(catalog, "yard", at: 2_000)
        let one = try #require(try catalog.nextNotification(of: "phone"))
        #expect(one.event == first && one.atWallMs == 1_000 && one.token.count == 16 && !one.isPlain)
        #expect(try catalog.nextNotification(of: "phone", except: [one.id])?.event == second)
        #expect(try catalog.notificationsWaiting() == ["phone": 2, "house": 1])
        try catalog.recordNotificationAttempt(one.id, why: "status 500", isPlain: true)
        let again = try #require(try catalog.nextNotification(of: "phone"))
        #expect(again.attempts == 1 && again.isPlain && again.why == "status 500" && again.token == one.token)
        try catalog.markNotificationTaken(one.id, atWallMs: 3_000)
        try catalog.giveUpNotification(one.id, why: "too late to", atWallMs: 4_000)
        let other = try #require(try catalog.nextNotification(of: "house"))
        try catalog.giveUpNotification(other.id, why: "status 400", atWallMs: 5_000)
        #expect(
            try told(catalog) == [
                "phone begin front \(first) taken", "house begin front \(first) givenUp",
                "phone begin yard \(second) waiting",
            ])
        #expect(try catalog.notifications(cameras: ["yard"], limit: 9).map(\.camera) == ["yard"])
        #expect(try catalog.notifications(cameras: [], limit: 9).isEmpty)
    }

    @Test(
        "Events of a camera are told so far apart, each receiver and camera for itself, also over a restart and a clock set back"
    )
    func paced() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        let start = CatalogHarness.startMs
        func tells(_ after: Int64, _ camera: String = "front", _ receiver: String = "phone") throws -> Bool {
            let before = try catalog.notifications(cameras: nil, limit: 100).count
            try begin(catalog, camera, at: start + after, every: 5 * minute, [receiver])
            return try catalog.notifications(cameras: nil, limit: 100).count > before
        }
        #expect(try tells(0))
        #expect(try !tells(1) && !tells(5 * minute - 1))
        #expect(try tells(1, "yard") && tells(1, "front", "house"))
        try catalog.close()
        catalog = try harness.open()
        #expect(try !tells(5 * minute - 1))
        #expect(try tells(5 * minute) && !tells(5 * minute + 1))
        #expect(try tells(-3_600_000), "the clock was set back")
    }

    @Test("An end follows its begin where it is to; else it keeps its own distance")
    func ends() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let follows = [NewNotification(receiver: "phone", .withBegin)]
        let first = try begin(catalog, at: 0, every: 5 * minute)
        try catalog.endEvent(first, at: Moment(monotonicMs: 9, wallMs: 9), why: .quiet) { _, _ in follows }
        let second = try begin(catalog, at: 10, every: 5 * minute)
        try catalog.endEvent(second, at: Moment(monotonicMs: 19, wallMs: 19), why: .quiet) { _, _ in follows }
        #expect(try told(catalog) == ["phone begin front \(first) waiting", "phone end front \(first) waiting"])
        let alone = [NewNotification(receiver: "house", .apart(minute))]
        for number in 0..<3 as Range<Int64> {
            let id = try begin(catalog, at: 100_000 + number * 40_000, [])
            let end = Moment(monotonicMs: 110_000 + number * 40_000, wallMs: 110_000 + number * 40_000)
            try catalog.endEvent(id, at: end, why: .quiet) { _, _ in alone }
        }
        #expect(try told(catalog).filter { $0.hasPrefix("house") }.count == 2)
        // Recovery ends what a crash left active, and enters whom that is told to with it.
        let left = try begin(catalog, at: 900_000, every: 0)
        let report = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run { begun, wallMs in
            begun.camera == "front" && begun.cause == "detection" && wallMs == 900_000 ? follows : []
        }
        #expect(report.eventsEnded == [left])
        #expect(
            try told(catalog).suffix(2) == ["phone begin front \(left) waiting", "phone end front \(left) waiting"])
    }

    @Test("A label tells of its event once to each receiver, so far apart, and an end follows what was told")
    func labels() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        func label(_ name: String, _ event: EventID, at wallMs: Int64, _ whom: [NewNotification]) throws -> Bool {
            let label = EventLabel(name: name, at: Moment(monotonicMs: wallMs, wallMs: wallMs))
            return try catalog.recordLabel(label, of: event) { begun, at in
                #expect(begun.camera == "front" && at == wallMs)
                return whom
            }
        }
        func end(_ event: EventID, at wallMs: Int64) throws {
            try catalog.endEvent(event, at: Moment(monotonicMs: wallMs, wallMs: wallMs), why: .quiet) { _, _ in
                [NewNotification(receiver: "phone", .withBegin)]
            }
        }
        let phone = [NewNotification(receiver: "phone", .apart(minute))]
        let (first, second) = (try begin(catalog, at: 1_000, []), try begin(catalog, at: 1_000, []))
        #expect(try label("cat", first, at: 2_000, []))
        #expect(try label("person", first, at: 3_000, phone))
        // The same name is no news, another is; the event is told once.
        #expect(try !label("person", first, at: 4_000, phone))
        #expect(try label("car", first, at: 5_000, phone))
        #expect(try label("person", second, at: 6_000, phone))
        for event in [first, second] { try end(event, at: 9_000) }
        #expect(try told(catalog) == ["phone begin front \(first) waiting", "phone end front \(first) waiting"])
        #expect(try catalog.nextNotification(of: "phone")?.atWallMs == 3_000)
    }

    @Test("What cannot be entered leaves an interrupted event to the next recovery, and its end untold until then")
    func interrupted() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let left = try begin(catalog, at: 1_000)
        func recover(_ receiver: String) throws -> [EventID] {
            try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run { _, _ in
                [NewNotification(receiver: receiver, .apart(0))]
            }.eventsEnded
        }
        // A name that no row may have: it is an error, and nothing of the transaction stays.
        #expect(throws: CatalogError.self) { try recover("") }
        #expect(try catalog.event(left)?.why == nil)
        #expect(try recover("house") == [left])
        #expect(try told(catalog).last == "house end front \(left) waiting")
    }

    @Test("What waits is bounded by age and number, and by who is there")
    func bounded() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        for number in 1...6 as ClosedRange<Int64> { try begin(catalog, at: number * 1_000) }
        #expect(
            try catalog.trimNotifications(of: "phone", olderThanMs: 0, keeping: 6, why: "x", atWallMs: 9_000) == 0)
        #expect(
            try catalog.trimNotifications(of: "phone", olderThanMs: 2_000, keeping: 9, why: "old", atWallMs: 9_000) == 1
        )
        #expect(
            try catalog.trimNotifications(of: "phone", olderThanMs: 0, keeping: 2, why: "many", atWallMs: 9_000) == 3)
        #expect(try catalog.nextNotification(of: "phone")?.atWallMs == 5_000)
        try begin(catalog, at: 7_000, ["house"])
        #expect(try catalog.giveUpNotifications(ofOthersThan: ["phone"], why: "gone", atWallMs: 9_000) == ["house": 1])
        #expect(try catalog.giveUpNotifications(ofOthersThan: ["phone"], why: "gone", atWallMs: 9_000) == [:])
        #expect(try catalog.giveUpNotifications(ofOthersThan: [], why: "gone", atWallMs: 9_000) == ["phone": 2])
    }

    @Test("What is over is forgotten beyond a number, the oldest first and so many at once; what waits stays")
    func forgotten() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let waits = try begin(catalog, at: 500, ["house"])
        for number in 1...9 as ClosedRange<Int64> { try begin(catalog, at: number * 1_000) }
        #expect(try catalog.giveUpNotifications(ofOthersThan: ["house"], why: "gone", atWallMs: 9_000) == ["phone": 9])
        func times() throws -> [Int64] { try catalog.notifications(cameras: nil, limit: 100).map(\.atWallMs) }
        #expect(try catalog.forgetNotifications(keeping: 10) == 0)
        #expect(try catalog.forgetNotifications(keeping: 4, limit: 3) == 3)
        #expect(try times() == [9_000, 8_000, 7_000, 6_000, 5_000, 4_000, 500])
        #expect(try catalog.forgetNotifications(keeping: 4, limit: 3) == 2)
        #expect(try catalog.forgetNotifications(keeping: 4, limit: 3) == 0)
        #expect(try times() == [9_000, 8_000, 7_000, 6_000, 500])
        #expect(try catalog.nextNotification(of: "house")?.event == waits)
    }

    @Test("A problem has the id that it was given, and is no event's")
    func problem() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let problem = ProblemNotification(
            token: "00c0ffee00c0ffee", receiver: "phone", isOver: false, camera: nil, problem: "storageLow", words: "w")
        try catalog.enterProblems([problem], atWallMs: 10_000)
        let entry = try #require(try catalog.nextNotification(of: "phone"))
        #expect(entry.token == problem.token && entry.problem == "storageLow" && entry.words == "w")
        #expect(entry.event == nil && entry.kind == .problem && entry.atWallMs == 10_000)
    }

    @Test("What waits is found without reading what is over")
    func plans() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let plan = try catalog.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + Catalog.waitingSQL, arguments: ["phone"])
                .map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("notification_waiting (receiver=?)") } && plan.count == 1, "\(plan)")
    }
}
