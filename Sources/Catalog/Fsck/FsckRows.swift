import Foundation
import GRDB

/// The part of a check that needs the database alone.
enum FsckRows {
    private static let recoveryRemedy = "start the daemon, or run `vigil fsck --repair`"

    static func findings(_ db: Database) throws -> [Finding] {
        try unsettled(db) + noTracks(db) + chains(db) + overlaps(db) + sizes(db) + totals(db) + uploads(db)
    }

    private static func unsettled(_ db: Database) throws -> [Finding] {
        let clips = try Row.fetchAll(
            db, sql: "SELECT id, camera, state FROM clip WHERE state <> 'closed' ORDER BY id"
        ).map { row in
            let open = try row.value(2) as String == Clip.State.open.rawValue
            return try Finding(
                severity: .warning, kind: open ? .openClip : .unfinishedDeletion,
                subject: "clip \(row.value(0) as Int64) of \(row.value(1) as String)",
                words: open ? "was being written when the daemon died" : "was being deleted when the daemon died",
                remedy: recoveryRemedy)
        }
        let events = try Row.fetchAll(db, sql: "SELECT id, camera FROM event WHERE why IS NULL ORDER BY id").map {
            try Finding(
                severity: .warning, kind: .activeEvent,
                subject: "event \($0.value(0) as Int64) of \($0.value(1) as String)",
                words: "was active when the daemon died", remedy: recoveryRemedy)
        }
        return clips + events
    }

    private static func noTracks(_ db: Database) throws -> [Finding] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, camera FROM clip WHERE state = 'closed'
                    AND NOT EXISTS (SELECT 1 FROM track WHERE track.clip = clip.id)
                """
        ).map {
            try Finding(
                severity: .error, kind: .noTracks, subject: "clip \($0.value(0) as Int64) of \($0.value(1) as String)",
                words: "has no tracks", remedy: "run `vigil fsck --repair`: the row goes into the ledger as missing")
        }
    }

    /// Chains are told by the monotonic clock of one boot; a chain never reaches over a restart.
    private static func chains(_ db: Database) throws -> [Finding] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT c.id, c.camera, p.id, c.start_monotonic_ms - p.end_monotonic_ms,
                    p.camera <> c.camera OR p.boot_id <> c.boot_id
                FROM clip c JOIN clip p ON p.id = c.chained_to
                WHERE c.state <> 'deleting' AND p.state = 'closed'
                    AND (p.camera <> c.camera OR p.boot_id <> c.boot_id OR c.start_monotonic_ms <> p.end_monotonic_ms)
                """
        ).map { row in
            let foreign = try row.value(4) as Bool
            let gap = try row.value(3) as Int64
            let words =
                try foreign
                ? "continues clip \(row.value(2) as Int64), which is of another camera or boot"
                : "continues clip \(row.value(2) as Int64) with a \(gap > 0 ? "hole" : "overlap") of \(gap.magnitude) ms"
            // Interrupted clips are measured by a scan, whose durations are rounded to milliseconds.
            let severity: Finding.Severity = !foreign && gap.magnitude <= 2 ? .note : .warning
            return try Finding(
                severity: severity, kind: .brokenChain,
                subject: "clip \(row.value(0) as Int64) of \(row.value(1) as String)",
                words: words, remedy: "nothing to do: players seek over it")
        }
    }

    /// By how much sound may outlast the picture of its clip: a frame of AAC at 8 kHz with doubled rate. A scan takes the longer of
    /// both for the clip's end, the recorder the picture's.
    private static let soundMsMax = 256

    private static func overlaps(_ db: Database) throws -> [Finding] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, camera, previous, previous_end - start_monotonic_ms FROM (
                    SELECT id, camera, start_monotonic_ms,
                        lag(id) OVER w AS previous, lag(end_monotonic_ms) OVER w AS previous_end
                    FROM clip WHERE state = 'closed' AND boot_id <> '\(Rebuild.unknown)'
                    WINDOW w AS (PARTITION BY camera, boot_id ORDER BY start_monotonic_ms, id)
                ) WHERE previous_end > start_monotonic_ms + 2 AND previous_end > start_monotonic_ms + 2 + min(\(soundMsMax),
                    (SELECT ifnull(max(duration_ms) FILTER (WHERE kind = 'audio') - max(duration_ms) FILTER (WHERE kind = 'video'), 0)
                    FROM track WHERE track.clip = previous))
                """
        ).map { row in
            try Finding(
                severity: .warning, kind: .overlap,
                subject: "clip \(row.value(0) as Int64) of \(row.value(1) as String)",
                words: "begins \(row.value(3) as Int64) ms before clip \(row.value(2) as Int64) ends",
                remedy: "nothing to do: media is stored twice there, none is lost")
        }
    }

    private static func uploads(_ db: Database) throws -> [Finding] {
        let strays = try Row.fetchAll(db, sql: Catalog.strayUploadsSQL).map { row in
            try Finding(
                severity: .warning, kind: .strayUpload,
                subject: "upload \(row.value(0) as Int64) of \(row.value(1) as String)",
                words: "waits for the end of a clip that is not being written", remedy: "run `vigil fsck --repair`")
        }
        return strays
    }

    /// `total` and not `sum`, here and wherever sizes are added up: `sum` fails where a row holds what no file has, and one such
    /// row would keep all others from being checked. Up to 2^53 bytes it is exact.
    static let remoteTotalsSQL = """
        SELECT camera || ' in the cloud', CAST(total(clips) AS INTEGER), CAST(total(bytes) AS INTEGER) FROM (
            SELECT camera, clips, bytes FROM remote_usage
            UNION ALL
            SELECT camera, -count(*), -total(bytes) FROM remote_clip GROUP BY camera
        ) GROUP BY camera HAVING total(clips) <> 0 OR total(bytes) <> 0
        """

    static let totalsSQL = """
        SELECT camera || ' ' || class, CAST(total(clips) AS INTEGER), CAST(total(bytes) AS INTEGER) FROM (
            SELECT camera, class, clips, bytes FROM usage
            UNION ALL
            SELECT camera, class, -count(*), -total(bytes) FROM clip WHERE state <> 'deleting' GROUP BY camera, class
        ) GROUP BY camera, class HAVING total(clips) <> 0 OR total(bytes) <> 0
        """

    static func totals(_ db: Database) throws -> [Finding] {
        try [totalsSQL, remoteTotalsSQL].flatMap { try Row.fetchAll(db, sql: $0) }.map { row in
            try Finding(
                severity: .error, kind: .wrongTotals, subject: row.value(0),
                words: "totals are off by \(row.value(1) as Int64) clips and \(row.value(2) as Int64) bytes",
                remedy: "run `vigil fsck --repair`")
        }
    }

    /// The closed clips whose size is not that of their tracks; what has no tracks is told as that.
    static let wrongSizes = """
        state = 'closed' AND bytes <> (SELECT total(bytes) FROM track WHERE track.clip = clip.id)
            AND EXISTS (SELECT 1 FROM track WHERE track.clip = clip.id)
        """

    private static func sizes(_ db: Database) throws -> [Finding] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, camera, CAST(bytes AS INTEGER), CAST((SELECT total(bytes) FROM track WHERE track.clip = clip.id) AS INTEGER)
                FROM clip WHERE \(wrongSizes) ORDER BY id
                """
        ).map { row in
            try Finding(
                severity: .error, kind: .wrongTotals,
                subject: "clip \(row.value(0) as Int64) of \(row.value(1) as String)",
                words: "has \(row.value(2) as Int64) bytes, its tracks have \(row.value(3) as Int64)",
                remedy: "run `vigil fsck --repair`")
        }
    }
}
