import Foundation
import GRDB
import Testing

@testable import Catalog

@Suite("What is set for single cameras")
struct SettingTests {
    let harness = CatalogHarness()

    private func setting(_ key: String, _ value: String?, _ at: Int64, camera: String = "front") -> CameraSetting {
        CameraSetting(camera: camera, key: key, value: value, sinceWallMs: at, by: "anna")
    }

    @Test("The newest change of a key holds, also where the wall clock was set back, and what held before is known")
    func newest() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        try catalog.set([setting("mode", "off", 10), setting("sensitivity", "10", 10)])
        try catalog.set([setting("mode", "event", 30), setting("mode", "off", 5, camera: "back")])
        try catalog.set([setting("sensitivity", nil, 20)])
        func held(_ camera: String, _ at: Int64 = .max) throws -> [String] {
            try catalog.settings(of: camera, atWallMs: at).map { "\($0.key) \($0.value ?? "none")" }
        }
        #expect(try held("front") == ["mode event", "sensitivity none"])
        #expect(try held("front", 19) == ["mode off", "sensitivity 10"])
        #expect(try held("front", 9) == [])
        #expect(try held("back") == ["mode off"])
        #expect(try catalog.settings(of: "front").first?.by == "anna")
    }

    @Test("A value that breaks a rule of the schema changes nothing, the others of the same command neither")
    func whole() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        for bad in [setting("", "red", 2), setting("mode", "", 2), setting("mode", "off", 2, camera: "")] {
            #expect(throws: CatalogError.self) { try catalog.set([setting("rotation", "180", 1), bad]) }
        }
        #expect(try catalog.settings(of: "front").isEmpty)
    }

    @Test("What was set before keys were free holds after it, and what is set then comes after it")
    func migrated() throws {
        defer { harness.remove() }
        try FileManager.default.createDirectory(atPath: harness.root, withIntermediateDirectories: true)
        let pool = try DatabasePool(path: harness.root + "/catalog.sqlite")
        try Schema.migrator.migrate(pool, upTo: "v14")
        try pool.write { db in
            for (id, value) in [(7, "off"), (9, "event")] {
                try db.execute(
                    sql: "INSERT INTO camera_setting VALUES (?, 'front', 'mode', ?, ?, 'anna')",
                    arguments: [id, value, id])
            }
        }
        try pool.close()
        let catalog = try harness.open()
        #expect(try catalog.settings(of: "front").map(\.value) == ["event"])
        try catalog.set([setting("microphone", "off", 10)])
        let ids = try catalog.read { db in try Int.fetchAll(db, sql: "SELECT id FROM camera_setting ORDER BY id") }
        #expect(ids == [7, 9, 10])
        #expect(try catalog.read(Schema.differences) == [])
    }

    @Test("A hundred changes of a key are kept")
    func bounded() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        try catalog.set([setting("rotation", "180", 0)])
        for at in 1...(Int64(Catalog.settingsKept) + 20) { try catalog.set([setting("mode", "off", at)]) }
        let kept = try catalog.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM camera_setting") }
        #expect(kept == Catalog.settingsKept + 1)
        #expect(try catalog.settings(of: "front").map(\.sinceWallMs) == [Int64(Catalog.settingsKept) + 20, 0])
    }
}
