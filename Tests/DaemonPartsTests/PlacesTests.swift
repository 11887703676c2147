import Catalog
import Journal
import Machines
import Server
import Testing

@testable import Daemon

@Suite("Places that users share")
struct PlacesTests {
    private struct TestClock: Clocks {
        func now() -> Instant { Instant(ms: 1) }
        func wallMs() -> Int64 { 1 }
    }

    private static let ids = (1...3).map { ClipID(rawValue: $0) }
    private let anna = ViewerHouse.caller(7)
    private let phone = ViewerHouse.caller(8)

    @Test("one user takes so many that another has one (H6)")
    func ofUser() throws {
        let places = Places("this export", "are under way", most: 4, ofUserMost: 3)
        var taken = try (0..<3).map { _ in try places.take(for: anna) }
        let refusal = #expect(throws: SiteError.self) { try places.take(for: anna) }
        #expect(refusal?.kind == .unavailable && refusal?.why == "3 others of the same user are under way")
        taken.append(try places.take(for: phone))
        taken.removeFirst()
        taken.append(try places.take(for: anna))
        let full = #expect(throws: SiteError.self) { try places.take(for: phone) }
        #expect(full?.kind == .unavailable && full?.why == "4 others are under way" && full?.what == "this export")
    }

    @Test("whoever watches by playlist or by pictures, exports, or plays leaves one place to others (H6)")
    func everywhere() {
        let holds = ClipHolds(clock: TestClock())
        let exports = Exports(holds: holds) { preconditionFailure("no export is made here") }
        let readers = FrameReaders()
        for places in [LivePlayers().places, readers.places, readers.pictures, exports.places] {
            #expect(places.ofUserMost < places.most)
        }
    }

    @Test("a place holds its clips from being deleted until it is given back")
    func holds() throws {
        let (ids, holds) = (Self.ids, ClipHolds(clock: TestClock()))
        let places = Places("this media", "are being played", most: 2, ofUserMost: 2)
        var taken = try (0..<2).map { _ in try places.take(for: anna) }
        try taken[0].hold([ids[0]], by: holds)
        #expect(holds.delete(ids, always: false) { $0 } == [ids[1], ids[2]])
        taken.removeFirst()
        #expect(holds.delete(ids, always: false) { $0 } == ids)
        holds.delete([ids[2]], always: false) { _ in
            let conflict = #expect(throws: SiteError.self) { try taken[0].hold(ids, by: holds) }
            #expect(conflict?.kind == .conflict && conflict?.why.contains("clip 3") == true)
        }
    }
}
