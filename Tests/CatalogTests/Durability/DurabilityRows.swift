import GRDB
import Machines

@testable import Catalog

/// What a catalog says of one clip, in the words of `model/Durability.tla`.
struct DurabilityRows {
    let catalog: Catalog
    let paths: ClipPaths
    /// The clip; nil where it has had no row yet.
    let clip: ClipID?
    let person: String
    let rule: String

    /// The state of its row.
    var state: String {
        get throws {
            let row = try catalog.pool.read { db in
                try Row.fetchOne(
                    db,
                    sql: """
                        SELECT state, ended FROM clip
                        WHERE id = (SELECT clip FROM track WHERE path = ?) OR (id = ? AND camera = 'front')
                        """, arguments: [paths.path(.video), clip?.rawValue])
            }
            guard let row else { return "none" }
            let word: String = row["state"]
            return word == "closed" && row["ended"] == "interrupted" ? "interrupted" : word
        }
    }

    /// The fragments that its row promises.
    func rows() throws -> Int64 {
        guard try ["closed", "interrupted", "deleting"].contains(state) else { return 0 }
        return try catalog.pool.read { db in
            try Int64.fetchOne(db, sql: "SELECT fragments FROM track WHERE path = ?", arguments: [paths.path(.video)])
                ?? 0
        }
    }

    /// The record of its upload. Everybody is shown the cloud's copy while it counts, and only then.
    var job: String {
        get throws {
            try catalog.pool.read { db in
                let isShown = try Catalog.remoteID(of: paths.stem, db) != nil
                let job = try job(db)
                return isShown == (job == "counted") ? job : "\(job), the copy is \(isShown ? "" : "not ")shown"
            }
        }
    }

    private func job(_ db: Database) throws -> String {
        let owes = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM remote_deletion WHERE key = ? AND done_wall_ms IS NULL)",
            arguments: [paths.stem])
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM upload WHERE key = ?", arguments: [paths.stem])
        else { return "-" }
        let standing: String = row["standing"]
        let phase: String = row["phase"]
        if standing == "over", phase == "deleted", owes == false { return "removed" }
        if phase == "removing" { return "removing" }
        if owes == true || row["removal"] != nil { return "leaving" }
        if row["counted"] == 1 { return "counted" }
        if row["source_gone"] == 1 { return "leaving" }
        return standing == "open" ? "open" : "sealed"
    }

    /// The notice that its upload counts.
    var note: String {
        get throws {
            try catalog.pool.read { db in
                let told = try Int64.fetchOne(
                    db,
                    sql: """
                        SELECT told FROM upload_notice
                        WHERE stage = 'done' AND upload = (SELECT id FROM upload WHERE key = ?)
                        """, arguments: [paths.stem])
                return told.map { $0 == 0 ? "owed" : "told" } ?? "-"
            }
        }
    }

    /// Who has deleted it.
    var by: String {
        get throws {
            try catalog.pool.read { db in
                let rules = try String.fetchAll(
                    db,
                    sql: """
                        SELECT rule FROM deletion WHERE camera = 'front'
                        UNION ALL SELECT rule FROM remote_deletion WHERE key = ?
                        """, arguments: [paths.stem])
                return rules.contains(person) ? "person" : rules.contains(rule) ? "rule" : "-"
            }
        }
    }
}
