import Foundation
import GRDB
import Machines
import Testing

@testable import Catalog

/// H4: frames that packets are missing from are counted for each clip.
@Suite struct DamageTests {
    let harness = CatalogHarness()

    private func scan(_ damaged: Int64) -> TrackContents {
        TrackContents(
            bytes: 34, fragments: 3, durationMs: 300, index: Data([8, 8, 8]), codec: "avc1.64001f",
            damagedFrames: damaged)
    }

    @Test func `H4 a clip says how many of its frames lack packets, until it is deleted or measured anew`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let media = CatalogHarness.media(fragments: 3)
        let (id, _) = try harness.openClip(catalog, CatalogHarness.facts("front"), video: media, audio: media)
        #expect(try catalog.clip(id)?.damagedFrames == 0)
        let end = CatalogHarness.facts("front").start.advanced(by: 300)
        try catalog.closeClip(id, ClosedClip(end: end, ended: .length, tracks: [scan(7), scan(2)]))
        #expect(try catalog.clip(id)?.damagedFrames == 9)
        let whole = try harness.record(catalog, atMs: CatalogHarness.startMs + 1_000)
        #expect(try catalog.clip(whole)?.damagedFrames == 0)
        try catalog.write(.write) { try Catalog.fill(scan(0), clip: id, 0, $0) }
        #expect(try catalog.clip(id)?.damagedFrames == 2)
        try catalog.write(.write) { try $0.execute(sql: "DELETE FROM clip WHERE id = \(id.rawValue)") }
        #expect(try catalog.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM track_damage") } == 0)
    }

    @Test func `a catalog of version 3 gets the table, and can be salvaged without it`() throws {
        defer { harness.remove() }
        var id = ClipID(rawValue: 0)
        do {
            let catalog = try harness.open()
            id = try harness.record(catalog)
            try catalog.write(.write) { db in
                try db.execute(sql: "DROP TABLE track_damage")
                try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'v4'")
            }
            let path = try #require(try catalog.read { db in try String.fetchOne(db, sql: "SELECT path FROM track") })
            #expect(Salvage(path: catalog.path).clip(path: path)?.id == id)
        }
        let catalog = try harness.open()
        #expect(try catalog.read(Schema.differences) == [])
        #expect(try catalog.clip(id)?.damagedFrames == 0)
    }
}
