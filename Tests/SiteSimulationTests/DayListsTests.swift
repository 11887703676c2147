import Catalog
import Foundation
import Journal
import Testing

@testable import Daemon
@testable import SiteSimulation

@Suite("The lists of days in the bucket")
struct DayListsTests {
    private static let list = "days/cam1/2026-11-23.m3u8"

    @Test(
        "A list is put when a clip counts, then at most once a minute, and has what came meanwhile; it goes with its last clip"
    )
    func puts() throws {
        let house = try ListHouse()
        try house.look()
        #expect(house.changes == [])
        let first = try house.enter()
        try house.look()
        #expect(house.listed == [Self.list: 1] && house.changes == [Self.list])
        var ids = [first]
        for second in 1...5 {
            ids.append(try house.enter(hours: Double(second) / 100))
            try house.look(seconds: 9)
        }
        #expect(house.changes.count == 1)
        house.pass(15)
        #expect(house.listed == [Self.list: 6] && house.changes.count == 2)
        // Nothing changes, nothing is put.
        try house.look(seconds: 3_600)
        #expect(house.changes.count == 2)
        // Another day, another camera: each has its own list and its own minute.
        try house.enter(hours: 24)
        try house.enter("cam2")
        try house.look()
        #expect(house.listed.count == 3 && house.changes.count == 4)
        try house.remove(ids[0], ids[1])
        try house.look()
        #expect(house.listed[Self.list] == 4)
        try house.remove(ids[2], ids[3], ids[4], ids[5])
        try house.look(seconds: 61)
        #expect(house.listed == ["days/cam1/2026-11-24.m3u8": 1, "days/cam2/2026-11-23.m3u8": 1])
        #expect(try house.catalog.staleListedDays(store: "http://192.0.2.9:9000/clips", limit: 9) == [])
    }

    @Test("While clips are sent a list is put every five minutes; when none is, after a minute")
    func busy() throws {
        let house = try ListHouse()
        try house.enter()
        try house.look(isBusy: true)
        try house.enter(hours: 0.1)
        try house.look(isBusy: true, seconds: 280)
        #expect(house.changes.count == 1)
        house.pass(30)
        #expect(house.changes.count == 2)
        try house.enter(hours: 0.2)
        try house.look(isBusy: true, seconds: 100)
        #expect(house.changes.count == 2)
        try house.look()
        #expect(house.listed == [Self.list: 3] && house.changes.count == 3)
    }

    @Test(
        "A store that is away or refuses everybody is not asked; one that refuses a list is asked after longer and longer, told once"
    )
    func waits() throws {
        let house = try ListHouse()
        try house.enter()
        try house.look(hasStore: false, seconds: 3_600)
        #expect(house.store.requests == 0)
        house.store.weather = .refusing
        try house.look(seconds: 3_600)
        // 30 s, 1, 2, 4, 8 and 15 min; each trial is a put, and perhaps one more request for the reason.
        #expect((4...20).contains(house.store.requests) && house.count(.dayListFailed) == 1)
        #expect(house.listed == [:])
        house.store.weather = .fine
        house.pass(15 * 60)
        #expect(house.listed == [Self.list: 1])
        house.store.weather = .refusing
        try house.enter(hours: 0.1)
        try house.look(seconds: 120)
        #expect(house.count(.dayListFailed) == 2)
    }

    @Test("A list that was on its way when the daemon was killed, or was not begun, is put by the next")
    func killed() throws {
        let house = try ListHouse()
        try house.enter()
        try house.kill()
        try house.look()
        #expect(house.listed == [Self.list: 1])
        let other = try house.enter(hours: 0.1)
        house.store.weather = .slow(50_000)
        try house.look(seconds: 61)
        try house.kill()
        house.store.weather = .fine
        try house.look()
        #expect(house.listed == [Self.list: 2])
        // The answer is lost, not the list: it is put once more, and is the same.
        try house.remove(other)
        house.store.weather = .losingAnswers(100)
        try house.look(seconds: 70)
        #expect(house.listed == [Self.list: 1])
        try house.kill()
        house.store.weather = .fine
        try house.look()
        #expect(house.listed == [Self.list: 1])
    }

    @Test(
        "Another time zone moves clips to its days; days have 23 and 25 hours; a clip over midnight is of the day it begins in"
    )
    func zones() throws {
        let house = try ListHouse()
        // 23:59:50 UTC: over midnight there, 00:59:50 of the next day in Rome.
        try house.enter(hours: 13 + 3_590.0 / 3_600)
        try house.look()
        #expect(house.listed == [Self.list: 1])
        house.zone = "Europe/Rome"
        try house.look(seconds: 70)
        #expect(house.listed == ["days/cam1/2026-11-24.m3u8": 1])
        let hour: (String) throws -> Double = { text in
            let date = try #require(try? Date(text, strategy: .iso8601))
            return (date.timeIntervalSince1970 * 1_000 - Double(ListHouse.beginMs)) / 3_600_000
        }
        // The day of 25 hours ends at 23:00 UTC, that of 23 hours at 22:00.
        for text in ["2026-10-25T22:30:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"] {
            try house.enter(hours: try hour(text))
        }
        for text in ["2026-03-28T23:00:00Z", "2026-03-29T21:59:00Z", "2026-03-29T22:00:00Z"] {
            try house.enter(hours: try hour(text))
        }
        try house.look(seconds: 5)
        #expect(
            house.listed == [
                "days/cam1/2026-11-24.m3u8": 1, "days/cam1/2026-10-25.m3u8": 2, "days/cam1/2026-10-26.m3u8": 1,
                "days/cam1/2026-03-29.m3u8": 2, "days/cam1/2026-03-30.m3u8": 1,
            ])
        // A rebuild has them all made anew.
        let before = house.changes.count
        try house.catalog.forgetListedDays(store: "http://192.0.2.9:9000/clips")
        try house.look(seconds: 70)
        #expect(house.changes.count == before + 5)
    }

    @Test("A store that damages or loses what it took has the list in the end; what is stored is what is played")
    func damaged() throws {
        let house = try ListHouse()
        house.store.weather = .damaging(100)
        try house.enter()
        try house.look(seconds: 20)
        house.store.weather = .fine
        house.pass(300)
        let body = try #require(house.store.objects[Self.list])
        #expect(String(decoding: body, as: UTF8.self).hasSuffix("#EXT-X-ENDLIST\n") && house.listed == [Self.list: 1])
        house.store.weather = .lying(100)
        try house.enter(hours: 0.1)
        try house.look(seconds: 100)
        #expect(house.listed == [Self.list: 1])
        house.store.weather = .fine
        house.pass(900)
        #expect(house.listed == [Self.list: 2])
    }
}
