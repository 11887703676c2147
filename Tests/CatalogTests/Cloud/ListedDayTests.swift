import Foundation
import GRDB
import Machines
import Testing

@testable import Catalog

@Suite("Which lists of days in the store are stale")
struct ListedDayTests {
    let harness = CatalogHarness()
    private static let store = CatalogHarness.store
    private static let dayMs: Int64 = 86_400_000

    /// Days of UTC from 1970-01-01 on, by their numbers: `day 000003`.
    private static func day(_ ms: Int64) -> String? { ms < 0 ? nil : "day " + (Int(ms / dayMs)).padded(to: 6) }
    private static func days(_ ms: Int64) -> (day: String, endMs: Int64)? {
        day(ms).map { ($0, (ms / dayMs + 1) * dayMs) }
    }
    private static func key(_ day: Int, _ camera: String = "front") -> ListedDay {
        ListedDay(camera: camera, day: "day " + day.padded(to: 6))
    }

    private func stale(_ catalog: Catalog, except resting: Set<ListedDay> = []) throws -> [ListedDay] {
        try catalog.markListedDays(limit: 100, day: Self.day)
        return try catalog.staleListedDays(store: Self.store, limit: 100, except: resting)
    }

    private func settle(_ catalog: Catalog, isGone: Bool = false, _ days: ListedDay...) throws {
        for day in days { try catalog.settleListedDay(day, store: Self.store, isGone: isGone) }
    }

    private func enter(_ catalog: Catalog, _ camera: String = "front", day: Int64, ms: Int64 = 0) throws -> RemoteClipID
    {
        try #require(try catalog.enterRemote(try CatalogHarness.found(camera, atMs: day * Self.dayMs + ms)))
    }

    @Test(
        "An upload that counts, a clip that a rebuild enters, changes or removes: each makes its day stale, the newest first"
    )
    func changes() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        #expect(try stale(catalog) == [] && !catalog.hasListedDayChanges())
        let clip = try harness.record(catalog, atMs: 5 * Self.dayMs, upload: CatalogHarness.upload())
        #expect(try stale(catalog) == [])
        try harness.acknowledge(catalog, clip)
        #expect(try catalog.hasListedDayChanges())
        #expect(try stale(catalog) == [Self.key(5)] && !catalog.hasListedDayChanges())
        let (old, new) = (try enter(catalog, day: 3), try enter(catalog, "back", day: 9))
        #expect(try stale(catalog) == [Self.key(9, "back"), Self.key(5), Self.key(3)])
        #expect(try stale(catalog, except: [Self.key(9, "back")]) == [Self.key(5), Self.key(3)])
        try settle(catalog, Self.key(5), Self.key(3), Self.key(9, "back"))
        #expect(try stale(catalog) == [])
        // A clip of which only the live part was known becomes whole; its start may be told better.
        var whole = try CatalogHarness.found(atMs: 3 * Self.dayMs)
        whole.startWallMs += Self.dayMs
        #expect(try catalog.enterRemote(whole) == old)
        #expect(try stale(catalog) == [Self.key(4), Self.key(3)])
        try settle(catalog, Self.key(4), Self.key(3))
        try catalog.removeRemote([new], rule: "command", atWallMs: 5)
        #expect(try stale(catalog) == [Self.key(9, "back")])
        try settle(catalog, isGone: true, Self.key(9, "back"))
        #expect(try stale(catalog) == [])
        // An upload that somebody wanted gone before it counted leaves no clip; its day is looked at all the same.
        let given = try harness.record(catalog, atMs: 7 * Self.dayMs, upload: CatalogHarness.upload())
        _ = try catalog.write(.write) { db in
            try db.execute(sql: "UPDATE upload SET removal = 'command' WHERE clip = ?", arguments: [given.rawValue])
        }
        try harness.acknowledge(catalog, given)
        #expect(try stale(catalog) == [Self.key(7)])
    }

    @Test("A change while a list is made is noted again; a crash between the count and the list forgets nothing")
    func crash() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        _ = try enter(catalog, day: 3)
        try catalog.close()
        catalog = try harness.open()
        #expect(try stale(catalog) == [Self.key(3)])
        try catalog.close()
        catalog = try harness.open()
        #expect(try stale(catalog) == [Self.key(3)])
        // Counts after the list's clips were read, and before it is settled.
        _ = try enter(catalog, day: 3, ms: 60_000)
        try settle(catalog, Self.key(3))
        #expect(try stale(catalog) == [Self.key(3)])
        // What fails to be written is as if nothing had been: clip and note go together.
        struct Ends: Error {}
        try settle(catalog, Self.key(3))
        #expect(throws: CatalogError.self) {
            try catalog.write(.write) { db in
                _ = try Catalog.enter(try CatalogHarness.found(atMs: 4 * Self.dayMs), db)
                throw Ends()
            }
        }
        #expect(try stale(catalog) == [] && catalog.remoteUsage().first?.clips == 2)
    }

    @Test(
        "Another time zone, or none that is known, makes all lists stale: those that may be there, and those of days with clips"
    )
    func zones() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        for day in [3, 3, 900] as [Int64] { _ = try enter(catalog, day: day, ms: Int64.random(in: 0..<1_000_000)) }
        _ = try enter(catalog, "back", day: 8)
        let strange = try enter(catalog, "back", day: 1)
        try catalog.write(.write) { db in
            // Before the calendar.
            try db.execute(
                sql: "UPDATE remote_clip SET start_wall_ms = -5, end_wall_ms = -1 WHERE id = ?",
                arguments: [strange.rawValue])
        }
        let all = [Self.key(900), Self.key(8, "back"), Self.key(3)]
        #expect(try stale(catalog) == [Self.key(900), Self.key(8, "back"), Self.key(3), Self.key(1, "back")])
        try settle(catalog, Self.key(900), Self.key(8, "back"), Self.key(3))
        try settle(catalog, isGone: true, Self.key(1, "back"))
        #expect(try catalog.listedDayZone(store: Self.store) == nil)
        try catalog.useListedDays(store: Self.store, zone: "Europe/Rome", day: Self.days)
        #expect(try stale(catalog) == all && catalog.listedDayZone(store: Self.store) == "Europe/Rome")
        try settle(catalog, Self.key(900), Self.key(8, "back"), Self.key(3))
        #expect(try stale(catalog) == [])
        // In the new zone the clips are a day earlier: the lists of the old days are stale as well, to be removed.
        try catalog.useListedDays(store: Self.store, zone: "Asia/Tokyo") {
            guard let (_, end) = Self.days($0), $0 >= Self.dayMs else { return nil }
            return (Self.day(end - 2 * Self.dayMs) ?? "", end)
        }
        #expect(try Set(stale(catalog)).isSuperset(of: all + [Self.key(899), Self.key(7, "back"), Self.key(2)]))
        // Another store has lists of its own.
        #expect(try catalog.listedDayZone(store: "other") == nil)
        #expect(try catalog.staleListedDays(store: "other", limit: 9) == [])
        try catalog.forgetListedDays(store: Self.store)
        #expect(try catalog.listedDayZone(store: Self.store) == nil)
    }

    @Test(
        "The clips of a day are given once, by their begin, page by page: one over midnight is of the day it begins in")
    func clips() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let times = [0, 0, 5, 7, 7, 7, 90].map { 3 * Self.dayMs + $0 }
        // Several of one start: their keys differ by the token.
        for (number, time) in times.enumerated() {
            var clip = try CatalogHarness.found(atMs: time, lengthMs: Self.dayMs)
            clip.key += "\(number)"
            _ = try catalog.enterRemote(clip)
        }
        _ = try enter(catalog, "back", day: 3)
        var elsewhere = try CatalogHarness.found(atMs: 3 * Self.dayMs + 1)
        elsewhere.store = "other"
        _ = try catalog.enterRemote(elsewhere)
        var (found, last): ([ListedClip], ListedClip?) = ([], nil)
        repeat {
            let page = try catalog.listedClips(
                camera: "front", store: Self.store, fromWallMs: 3 * Self.dayMs, toWallMs: 4 * Self.dayMs, after: last,
                limit: 2)
            found += page
            last = page.last
        } while last != nil
        #expect(found.map(\.startWallMs) == times && Set(found.map(\.key)).count == times.count)
        #expect(found.first?.description == Data("{\"at\":\(times[0])}".utf8))
        let next = try catalog.listedClips(
            camera: "front", store: Self.store, fromWallMs: 4 * Self.dayMs, toWallMs: 5 * Self.dayMs, limit: 9)
        #expect(next == [])
    }

    @Test("A rebuild keeps which lists there may be; a catalog of version 8 is taken over with all of them to be made")
    func outlives() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        let id = try enter(catalog, day: 3)
        try catalog.useListedDays(store: Self.store, zone: "UTC", day: Self.days)
        _ = try stale(catalog)
        try settle(catalog, Self.key(3))
        // Its list is there; the clip goes, and the disk is damaged before the list is made anew.
        try catalog.removeRemote([id], rule: "command", atWallMs: 5)
        _ = try stale(catalog)
        _ = try enter(catalog, day: 4)
        try catalog.close()
        _ = try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner)
        catalog = try harness.open()
        #expect(try catalog.listedDayZone(store: Self.store) == nil)
        #expect(try stale(catalog) == [Self.key(4), Self.key(3)])
        try catalog.write(.write) { db in
            for drop in [
                "TRIGGER cloud_day_entered", "TRIGGER cloud_day_changed", "TRIGGER cloud_day_left", "TABLE cloud_day",
                "TABLE cloud_day_change", "TABLE cloud_day_zone",
            ] { try db.execute(sql: "DROP \(drop)") }
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'v9'")
        }
        try catalog.close()
        catalog = try harness.open()
        #expect(try catalog.read(Schema.differences) == [])
        #expect(try stale(catalog) == [] && catalog.listedDayZone(store: Self.store) == nil)
        try catalog.useListedDays(store: Self.store, zone: "UTC", day: Self.days)
        #expect(try stale(catalog) == [Self.key(4)])
    }
}
