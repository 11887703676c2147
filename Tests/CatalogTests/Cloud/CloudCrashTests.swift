import Foundation
import Machines
import Testing

@testable import Catalog

/// The same for uploads: whoever closes a clip enqueues it, and no copy is the only one before it is verified.
extension CrashTests {
    @Test func `a clip that is to be sent is in the queue from its end on, whoever closes it`() throws {
        try cutEverywhere(
            prepare: { harness, catalog in _ = try harness.record(catalog, "side") },
            { harness, catalog, hook in
                let (id, _) = try harness.openClip(
                    catalog, CatalogHarness.facts("front"), video: CatalogHarness.media(fragments: 3, torn: true),
                    upload: CatalogHarness.upload(), hook: hook)
                try harness.closeClip(catalog, id, hook: hook)
            },
            after: { _, catalog, cut, _ in
                let jobs = try catalog.uploads(UploadQuery())
                #expect(
                    try jobs.map(\.clip) == catalog.clips(ClipQuery(camera: "front")).map(\.id), "after a cut at \(cut)"
                )
                #expect(jobs.map(\.standing) == (["folder", "file", "synced"].contains(cut) ? [] : [.due]))
                #expect(jobs.allSatisfy { $0.bytes == 34 })
                #expect(try catalog.untoldNotices(limit: 9).count == jobs.count)
            })
    }

    @Test func `the job of a clip without media goes with it, unless something of it was sent or told`() throws {
        try cutEverywhere(
            prepare: { harness, catalog in
                for (camera, isLive) in [("front", false), ("gate", true), ("yard", true)] {
                    let (id, _) = try harness.openClip(
                        catalog, CatalogHarness.facts(camera), video: Data("HEADF".utf8),
                        upload: CatalogHarness.upload(live: isLive))
                    guard camera == "yard" else { continue }
                    let part = UploadObject(name: "video.000001.cmfv", track: 0, bytes: 14, isThere: true)
                    try catalog.recordObject(part, of: harness.job(catalog, id).id)
                }
            },
            { _, catalog, hook in _ = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner, hook: hook).run()
            },
            after: { _, catalog, cut, _ in
                let jobs = try catalog.uploads(UploadQuery())
                #expect(jobs.map(\.camera) == ["yard", "gate"], "after \(cut)")
                #expect(jobs.map(\.standing) == [.due, .due], "after \(cut)")
                #expect(jobs.map(\.isSourceGone) == [true, true])
                #expect(try catalog.objects(of: jobs[0].id).map(\.bytes) == [14])
            })
    }

    @Test func `an upload and the deletion of what it has saved can be cut anywhere (D4)`() throws {
        try cutEverywhere(
            prepare: { harness, catalog in
                try harness.record(catalog, upload: CatalogHarness.upload(guarded: true))
            },
            { harness, catalog, hook in
                let id = ClipID(rawValue: 1)
                let deleter = Deleter(catalog: catalog, hook: hook)
                #expect(try deleter.delete([id], rule: "siteSize", atWallMs: 7).deleted.isEmpty)
                let job = try harness.job(catalog, id)
                try catalog.recordObject(
                    UploadObject(name: "video.cmfv", track: 0, bytes: 34, multipart: "m"), of: job.id)
                try hook("sent")
                try harness.acknowledge(catalog, id)
                try hook("counted")
                #expect(try deleter.delete([id], rule: "siteSize", atWallMs: 8).deleted == [id])
            },
            after: { _, catalog, cut, _ in
                let isLocal = try !catalog.clips(ClipQuery()).isEmpty
                let isRemote = try !catalog.remoteUsage().isEmpty
                #expect(isLocal || isRemote, "after a cut at \(cut)")
                #expect(try catalog.uploads(UploadQuery()).map(\.isCounted) == [isRemote])
                #expect(try isRemote || !catalog.nextUploads(limit: 1).isEmpty)
            })
    }

    @Test func `a person's deletion of both copies can be cut anywhere`() throws {
        try cutEverywhere(
            prepare: { harness, catalog in
                for second in Int64(0)..<2 {
                    try harness.record(
                        catalog, atMs: CatalogHarness.startMs + second * 1000,
                        upload: CatalogHarness.upload(guarded: true))
                }
                try harness.acknowledge(catalog, ClipID(rawValue: 1))
            },
            { _, catalog, hook in
                _ = try Deleter(catalog: catalog, hook: hook).delete(
                    [ClipID(rawValue: 1), ClipID(rawValue: 2)], rule: "command", by: .person, atWallMs: 7)
            },
            after: { harness, catalog, cut, _ in
                let isAsked = cut != "mark"
                let (local, remote) = try (catalog.clips(ClipQuery()), catalog.remoteUsage())
                // Both or none: what is not there yet goes when it is.
                #expect(local.isEmpty == isAsked && remote.isEmpty == isAsked, "after a cut at \(cut)")
                #expect(try catalog.remoteDeletions(limit: 9).map(\.rule) == (isAsked ? ["command"] : []))
                #expect(try harness.job(catalog, ClipID(rawValue: 2)).removal == (isAsked ? "command" : nil))
            })
    }

    /// A child records, uploads and deletes by a rule, and is killed by a timer of the kernel in the middle of whatever it does.
    @Test func `a process that is killed at any moment has deleted nothing that it had to send first (D4)`()
        async throws
    {
        for round in 0..<4 {
            let harness = CatalogHarness()
            defer { harness.remove() }
            let microseconds = 170_000 + round * 83_000
            await #expect(processExitsWith: .signal(SIGALRM)) {
                [harness = harness as CatalogHarness, microseconds = microseconds as Int] in
                let catalog = try harness.open()
                _ = try harness.record(catalog, upload: CatalogHarness.upload(guarded: true))
                var timer = itimerval()
                timer.it_value = timeval(tv_sec: 0, tv_usec: microseconds)
                setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
                for second in Int64(1)... {
                    let id = try harness.record(
                        catalog, atMs: CatalogHarness.startMs + second * 1000,
                        upload: CatalogHarness.upload(guarded: true))
                    if second % 2 == 0 { try harness.acknowledge(catalog, id) }
                    let oldest = try catalog.clips(ClipQuery(limit: 4)).map(\.id)
                    _ = try Deleter(catalog: catalog).delete(oldest, rule: "siteSize", atWallMs: second)
                }
            }
            var catalog = try harness.open()
            _ = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run()
            try expectInvariants(harness, &catalog, cut: "a kill after \(microseconds) µs")
            let jobs = try catalog.uploads(UploadQuery(limit: 10_000))
            let local = Set(try catalog.clips(ClipQuery(limit: 10_000)).map(\.id))
            #expect(Set(jobs.compactMap(\.clip)).isSuperset(of: local))
            for job in jobs {
                // It is on the disk, or in the cloud, or both; and counted exactly if it is in the cloud.
                #expect(try job.isCounted == (catalog.remoteClip(key: job.key) != nil))
                #expect(job.isCounted || job.clip.map(local.contains) == true)
                #expect(job.standing == (job.isCounted ? .over : .due))
            }
        }
    }
}
