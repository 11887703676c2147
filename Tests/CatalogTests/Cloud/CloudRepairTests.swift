import Foundation
import GRDB
import Machines
import Testing

@testable import Catalog

@Suite("Catalogs that are old, damaged or lost, and what they knew of the cloud")
struct CloudRepairTests {
    let harness = CatalogHarness()

    /// A catalog as version 6 made it, with a clip, one that was being written, and an event.
    private func makeVersion6() throws {
        try FileManager.default.createDirectory(atPath: harness.root, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: harness.root + "/" + Catalog.fileName)
        try Schema.migrator.migrate(queue, upTo: "v6")
        let paths = try #require(ClipPaths(camera: "front", startWallMs: CatalogHarness.startMs, token: "k"))
        try FileManager.default.createDirectory(
            atPath: harness.root + "/" + paths.folder, withIntermediateDirectories: true)
        try CatalogHarness.media(fragments: 3).write(to: harness.url(paths.path(.video)))
        try CatalogHarness.media(fragments: 2).write(to: harness.url(paths.path(.audio)))
        try queue.write { db in
            #expect(try !db.tableExists("upload"))
            try db.execute(
                sql: """
                    INSERT INTO event (id, camera, boot_id, began_monotonic_ms, began_wall_ms, cause, level)
                    VALUES (1, 'front', 'b', 1, 1, 'detection', 5)
                    """)
            for (id, ordinal, kind) in [(1, 0, TrackKind.video), (2, 0, .audio)] {
                try db.execute(
                    sql: """
                        INSERT INTO clip (id, camera, boot_id, start_monotonic_ms, start_wall_ms, cause, event, policy,
                            policy_revision, class) VALUES (?, 'front', 'b', ?, ?, 'detection', 1, 'p', 'r', 'event')
                        """, arguments: [id, id * 1000, CatalogHarness.startMs + Int64(id) * 1000])
                try db.execute(
                    sql: "INSERT INTO track (clip, ordinal, kind, codec, path) VALUES (?, ?, ?, 'c', ?)",
                    arguments: [id, ordinal, kind.rawValue, paths.path(kind)])
            }
            try db.execute(
                sql: """
                    UPDATE clip SET state = 'closed', ended = 'quiet', end_monotonic_ms = 1300, end_wall_ms = start_wall_ms + 300,
                        bytes = 34 WHERE id = 1
                    """)
            try db.execute(sql: "UPDATE track SET bytes = 34, fragments = 3, duration_ms = 300 WHERE clip = 1")
            try db.execute(sql: "INSERT INTO track_index (clip, ordinal, fragments) VALUES (1, 0, x'080808')")
        }
        try queue.close()
    }

    @Test("A catalog of version 6 is opened as it is, and what it holds can be sent")
    func migration() throws {
        defer { harness.remove() }
        try makeVersion6()
        let catalog = try harness.open()
        #expect(try catalog.read(Schema.differences) == [])
        let report = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run()
        #expect(report.interrupted == [ClipID(rawValue: 2)] && report.problems.isEmpty)
        #expect(try catalog.clips(ClipQuery()).map(\.ended) == [.quiet, .interrupted])
        #expect(try catalog.uploads(UploadQuery()).isEmpty && catalog.remoteUsage().isEmpty)
        #expect(try catalog.retentionWindow(limit: 9).clips.count == 2)
        let job = try catalog.enqueueUpload(of: ClipID(rawValue: 1), CatalogHarness.upload(), atWallMs: 1)
        #expect(try catalog.nextUploads(limit: 9) == [job] && job.bytes == 34)
        try catalog.close()
        #expect(
            try Fsck.run(root: harness.root, scanner: CatalogHarness.scanner, options: .init(deep: true)).findings == []
        )
    }

    @Test("A rebuild keeps queue, remote clips and subscriptions, and finds the clips of jobs again by their keys")
    func rebuild() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        // Ids in the new catalog are others: the first clip of this one is gone.
        let gone = try harness.record(catalog, upload: CatalogHarness.upload())
        _ = try Deleter(catalog: catalog).delete([gone], rule: "siteSize", atWallMs: 1)
        let waiting = try harness.record(catalog, atMs: CatalogHarness.startMs + 1_000, upload: CatalogHarness.upload())
        let there = try harness.record(catalog, atMs: CatalogHarness.startMs + 2_000, upload: CatalogHarness.upload())
        try harness.acknowledge(catalog, there)
        try catalog.recordObject(
            UploadObject(name: "video.cmfv", track: 0, bytes: 34, multipart: "m"), of: harness.job(catalog, waiting).id)
        // Two that were being written, one of them unwanted.
        for (second, choice) in [(Int64(3), UploadChoice.all), (4, .events())] {
            try harness.openClip(
                catalog, CatalogHarness.facts("front", atMs: CatalogHarness.startMs + second * 1000),
                video: CatalogHarness.media(fragments: 2), upload: CatalogHarness.upload(choice))
        }
        try catalog.saveSubscription(
            CloudSubscription(camera: "front", plan: .none, retentionMs: 1, state: "noService"))
        let jobs = try catalog.uploads(UploadQuery())
        try catalog.close()

        let report = try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner)
        #expect(report.clips == 4 && report.tables["upload"] == 5 && report.tables["remote_clip"] == 1)
        catalog = try harness.open()
        let rebuilt = try catalog.uploads(UploadQuery())
        #expect(rebuilt.map(\.id) == jobs.dropFirst().map(\.id))
        #expect(rebuilt.map(\.standing) == [.due, .over, .due, .due])
        #expect(rebuilt.map(\.isSourceGone) == [false, false, false, true] && rebuilt.last?.clip == nil)
        for job in rebuilt.dropLast() {
            let id = try #require(job.clip)
            let clip = try #require(try catalog.clip(id))
            #expect(clip.tracks[0].path.hasPrefix(job.key) && clip.state == .closed && clip.bytes == job.bytes)
        }
        #expect(try catalog.objects(of: rebuilt[2].id).map(\.multipart) == ["m"])
        #expect(try catalog.remoteUsage().map(\.clips) == [1] && catalog.subscriptions().count == 1)
        try catalog.close()
        #expect(
            try Fsck.run(root: harness.root, scanner: CatalogHarness.scanner, options: .init(deep: true)).findings == []
        )
    }

    @Test("A check finds jobs that wait for nobody, and totals that are off; a repair sets both right")
    func fsck() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clip = try harness.record(catalog, upload: CatalogHarness.upload())
        _ = try catalog.enterRemote(CatalogHarness.found(atMs: CatalogHarness.startMs))
        try catalog.write(.write) { db in
            try db.execute(sql: "UPDATE upload SET standing = 'open', queued_wall_ms = NULL")
            try db.execute(sql: "UPDATE remote_usage SET clips = 7")
        }
        try catalog.close()
        func check(repair: Bool) throws -> FsckReport {
            try Fsck.run(root: harness.root, scanner: CatalogHarness.scanner, options: .init(repair: repair))
        }
        #expect(try Set(check(repair: false).findings.map(\.kind)) == [.strayUpload, .wrongTotals])
        #expect(try check(repair: true).findings == [])
        let repaired = try harness.open()
        #expect(try harness.job(repaired, clip).standing == .due && repaired.remoteUsage().map(\.clips) == [1])
    }

    @Test("Rows about the cloud that hold what no column may are damage, not the end of the process (H8)")
    func hostileRows() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clip = try harness.record(catalog, upload: CatalogHarness.upload())
        let job = try harness.job(catalog, clip)
        try catalog.recordObject(UploadObject(name: "v", bytes: 1, multipart: "m"), of: job.id)
        let event = NewRemoteEvent(bootID: "b", beganMonotonicMs: 1, beganWallMs: 1, cause: "detection", level: .low)
        let remote = try #require(try catalog.enterRemote(CatalogHarness.found("side", atMs: 1, events: [event])))
        let going = try #require(try catalog.enterRemote(CatalogHarness.found("yard", atMs: 1)))
        try catalog.removeRemote([going], rule: "x", atWallMs: 1)
        try catalog.saveSubscription(
            CloudSubscription(
                camera: "front", plan: .active(untilWallMs: 1), gone: .at(wallMs: 1), retentionMs: 1, state: "x"))
        let tables = [
            "upload", "upload_object", "upload_notice", "remote_clip", "remote_description",
            "remote_event",
            "remote_event_clip", "remote_usage", "remote_deletion", "cloud_subscription",
        ]
        var tried = 0
        for table in tables {
            let columns = try catalog.read { db in try db.columns(in: table).map(\.name) }
            for column in columns {
                for value in ["'no word'", "x'00ff'", "1e300", "9223372036854775807", "-9223372036854775808", "NULL"] {
                    do {
                        try catalog.write(.write) { db in
                            try db.execute(sql: "PRAGMA ignore_check_constraints = 1")
                            try db.execute(sql: "PRAGMA defer_foreign_keys = 1")
                            try db.execute(sql: "UPDATE \(table) SET \(column) = \(value)")
                            tried += 1
                            ask(db)
                            throw CancellationError()
                        }
                    } catch {
                        // Nothing of it is kept: what was asked about is as it was.
                    }
                }
            }
        }
        #expect(tried > 200)
        #expect(try catalog.upload(job.id) == job && catalog.remoteClip(remote) != nil)
    }

    /// Any answer will do.
    private func ask(_ db: Database) {
        _ = try? Row.fetchAll(db, sql: "SELECT \(Catalog.uploadColumns) FROM upload").map(Catalog.upload)
        _ = try? Catalog.settleUpload(of: ClipID(rawValue: 1), bytes: 1, endWallMs: 1, db)
        _ = try? Catalog.want(for: EventID(rawValue: 1), db)
        _ = try? Catalog.remoteClip(db, "1", [])
        _ = try? FsckRows.findings(db)
        _ = try? Row.fetchAll(db, sql: Catalog.oldestSQL, arguments: ["front", "continuous", 9])
    }
}
