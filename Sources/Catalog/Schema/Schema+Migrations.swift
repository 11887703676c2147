import Foundation
import GRDB

extension Schema {
    /// The migrations in order. A released one is never changed.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            for statement in version1 { try db.execute(sql: statement) }
        }
        migrator.registerMigration("v2") { db in for statement in version2 { try db.execute(sql: statement) } }
        migrator.registerMigration("v3") { db in for statement in version3 { try db.execute(sql: statement) } }
        migrator.registerMigration("v4") { db in for statement in version4 { try db.execute(sql: statement) } }
        migrator.registerMigration("v5") { db in for statement in version5 { try db.execute(sql: statement) } }
        migrator.registerMigration("v6") { db in
            for statement in version6 { try db.execute(sql: statement) }
            try fillEventZones(db)
        }
        migrator.registerMigration("v7") { db in for statement in version7 { try db.execute(sql: statement) } }
        migrator.registerMigration("v8") { db in for statement in version8 { try db.execute(sql: statement) } }
        migrator.registerMigration("v9") { db in for statement in version9 { try db.execute(sql: statement) } }
        migrator.registerMigration("v10") { db in for statement in version10 { try db.execute(sql: statement) } }
        migrator.registerMigration("v11") { db in for statement in version11 { try db.execute(sql: statement) } }
        migrator.registerMigration("v12") { db in for statement in version12 { try db.execute(sql: statement) } }
        migrator.registerMigration("v13") { db in for statement in version13 { try db.execute(sql: statement) } }
        migrator.registerMigration("v14") { db in for statement in version14 { try db.execute(sql: statement) } }
        migrator.registerMigration("v15") { db in for statement in version15 { try db.execute(sql: statement) } }
        migrator.registerMigration("v16", migrate: replaceCameraSettings)
        migrator.registerMigration("v17") { db in for statement in version17 { try db.execute(sql: statement) } }
        return migrator
    }

    /// Refuses a database that is not a catalog, or one that a newer Vigil has written.
    static func admit(_ db: Database, path: String) throws {
        let id = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        // The list of migrations is there before the first of them: a first start may have been cut off between the two.
        let objects =
            try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") ?? 0
        guard id == applicationID || (id == 0 && objects == 0) else {
            throw CatalogError(.open, path: path, cause: .notACatalog)
        }
        let unknown = try migrator.appliedIdentifiers(db).subtracting(migrator.migrations).sorted()
        guard unknown.isEmpty else { throw CatalogError(.open, path: path, cause: .newerSchema(unknown)) }
    }

    /// Differences between the schema of `db` and the expected one; empty if they are equal. A catalog keeps the comments of the
    /// version that made it, so what they say is no difference.
    static func differences(_ db: Database) throws -> [String] {
        let stored = try Row.fetchAll(
            db,
            sql: """
                SELECT name, sql FROM sqlite_master
                WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations'
                """)
        var found: [String: String] = [:]
        for row in stored { found[try row.value(0) as String] = try row.value(1) as String }
        var differences: [String] = []
        for statement in statements {
            let name = self.name(of: statement)
            switch found.removeValue(forKey: name) {
            case nil: differences.append("\(name) is missing")
            case let text? where bare(text) == bare(statement): break
            case _?: differences.append("\(name) is not as expected")
            }
        }
        return differences + found.keys.sorted().map { "\($0) is not known" }
    }

    /// The lines of a statement without their comments.
    private static func bare(_ statement: String) -> [Substring] {
        statement.split(separator: "\n").map { line in
            line.firstRange(of: " -- ").map { line[..<$0.lowerBound] } ?? line
        }
    }

    /// The name that a CREATE statement gives: its third word, UNIQUE not counted.
    static func name(of statement: String) -> String {
        let words = statement.split(whereSeparator: { $0 == " " || $0 == "(" || $0 == "\n" }).filter { $0 != "UNIQUE" }
        return words.count > 2 ? String(words[2]) : statement
    }
}
