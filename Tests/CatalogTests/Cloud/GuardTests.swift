import Foundation
import Machines
import Testing

@testable import Catalog

@Suite("What is deleted while something is uploaded")
struct GuardTests {
    let harness = CatalogHarness()

    private func delete(_ catalog: Catalog, _ clip: ClipID, by right: DeletionRight = .rule) throws -> Bool {
        try Deleter(catalog: catalog).delete([clip], rule: "siteSize", by: right, atWallMs: 5).deleted == [clip]
    }

    private func deletable(_ catalog: Catalog) throws -> [Int64] {
        let window = try catalog.retentionWindow(limit: 9)
        #expect(
            try window.clips.map(\.id) == catalog.oldest(camera: "front", mediaClass: .continuous, limit: 9).map(\.id))
        return window.clips.map(\.id)
    }

    private func subscription(_ plan: CloudSubscription.Plan) -> CloudSubscription {
        CloudSubscription(camera: "front", plan: plan, retentionMs: 7, state: "noData")
    }

    @Test("No rule marks a clip whose policy demands an upload before that counts (D4)")
    func guarded() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clip = try harness.record(catalog, upload: CatalogHarness.upload(guarded: true))
        let free = try harness.record(
            catalog, atMs: CatalogHarness.startMs + 1_000, upload: CatalogHarness.upload(guarded: false))
        let job = try harness.job(catalog, clip)
        for (phase, standing) in [("uploading", UploadStanding.due), ("uploadFailed", .failed), ("queued", .due)] {
            try catalog.saveUpload(job.id, CatalogHarness.kept(phase), standing, atWallMs: 1)
            #expect(try deletable(catalog) == [free.rawValue])
            #expect(try delete(catalog, clip) == false)
        }
        // Its bytes count as those that no rule may delete.
        #expect(try catalog.retentionWindow(limit: 9).protectedBytes == ["front": 68])
        #expect(try harness.acknowledge(catalog, clip) != nil)
        #expect(try deletable(catalog) == [clip.rawValue, free.rawValue])
        #expect(try delete(catalog, clip))
        // The job of a clip that did not have to wait learns that its source is gone.
        #expect(try delete(catalog, free) && harness.job(catalog, free).isSourceGone)
        #expect(try harness.job(catalog, free).removal == nil && catalog.remoteUsage().map(\.clips) == [1])
    }

    @Test("Somebody who cancels an upload takes its demand back, and a check that finds no file waits for none")
    func cancelled() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clips = try [Int64(0), 1_000].map {
            try harness.record(
                catalog, atMs: CatalogHarness.startMs + $0, upload: CatalogHarness.upload(guarded: true))
        }
        try catalog.saveUpload(
            harness.job(catalog, clips[0]).id, CatalogHarness.kept("cancelled"), .over, atWallMs: 1)
        #expect(try deletable(catalog) == [clips[0].rawValue] && delete(catalog, clips[0]))
        #expect(try delete(catalog, clips[1]) == false && delete(catalog, clips[1], by: .loss))
    }

    @Test(
        "Local recording does not depend on a subscription: without an active plan nothing waits, after a renewal it does"
    )
    func lapse() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clip = try harness.record(catalog, upload: CatalogHarness.upload(guarded: true))
        for (plan, waits) in [
            (CloudSubscription.Plan.active(untilWallMs: 9), true), (.expired(atWallMs: 9), false), (.none, false),
            (.active(untilWallMs: 99), true),
        ] {
            try catalog.saveSubscription(subscription(plan))
            #expect(try deletable(catalog).isEmpty == waits)
        }
        #expect(try delete(catalog, clip) == false)
        // Another camera's plan is another camera's.
        var other = subscription(.none)
        other.camera = "side"
        try catalog.saveSubscription(other)
        #expect(try deletable(catalog).isEmpty)
    }

    @Test("A person's deletion takes both copies, or the remote one as soon as it is there")
    func person() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clips = try (0..<3).map { number in
            try harness.record(
                catalog, atMs: CatalogHarness.startMs + Int64(number) * 1000,
                upload: CatalogHarness.upload(guarded: true))
        }
        try harness.acknowledge(catalog, clips[0])
        #expect(try delete(catalog, clips[0], by: .person))
        var owed = try catalog.remoteDeletions(limit: 9)
        #expect(try owed.map(\.key) == [harness.job(catalog, clips[0]).key] && owed.map(\.rule) == ["siteSize"])
        #expect(try catalog.remoteUsage().isEmpty)
        // In the middle of an upload: what counts after the deletion goes at once.
        #expect(try delete(catalog, clips[1], by: .person))
        #expect(try harness.job(catalog, clips[1]).removal == "siteSize" && harness.job(catalog, clips[1]).isSourceGone)
        #expect(try harness.acknowledge(catalog, clips[1]) == nil)
        owed = try catalog.remoteDeletions(limit: 9)
        #expect(try owed.count == 2 && owed[1].key == harness.job(catalog, clips[1]).key)
        #expect(try catalog.remoteUsage().isEmpty && catalog.remoteClip(key: owed[1].key) == nil)
        // Each is due for its machine, which is given the order until its record shows it; one that had failed, too.
        #expect(try catalog.nextUploads(limit: 9).map(\.clip) == [clips[0], clips[1], clips[2]])
        let last = try harness.job(catalog, clips[2])
        try catalog.saveUpload(last.id, CatalogHarness.kept("uploadFailed"), .failed, atWallMs: 6)
        #expect(try delete(catalog, clips[2], by: .person))
        #expect(
            try harness.job(catalog, clips[2]).standing == .due && harness.job(catalog, clips[2]).removal == "siteSize")
        // The store may fail at first; what is done is not asked for again.
        let first = try harness.job(catalog, clips[0])
        #expect(owed.map(\.upload) == [first.id, try harness.job(catalog, clips[1]).id])
        try catalog.saveUpload(first.id, CatalogHarness.kept("removing"), .due, failure: "503", atWallMs: 7)
        #expect(try harness.job(catalog, clips[0]).isCounted == false)
        try catalog.settleRemoteDeletion(key: first.key, store: first.store, failure: "503", atWallMs: 8)
        #expect(try catalog.remoteDeletions(limit: 1).map(\.failure) == ["503"])
        try catalog.saveUpload(first.id, CatalogHarness.kept("deleted"), .over, atWallMs: 9)
        #expect(try harness.job(catalog, clips[0]).removal == nil)
        for _ in 0..<2 { try catalog.settleRemoteDeletion(key: first.key, store: first.store, atWallMs: 9) }
        #expect(try catalog.remoteDeletions(limit: 9).map(\.key) == [owed[1].key])
    }

    @Test("A record that counts no more takes the remote copy out of every list; one that counts too early is refused")
    func uncounted() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clip = try harness.record(catalog, upload: CatalogHarness.upload(guarded: true))
        let job = try harness.job(catalog, clip)
        #expect(throws: CatalogError.self) {
            try catalog.saveUpload(job.id, CatalogHarness.kept("done", counted: true), .over, atWallMs: 1)
        }
        try harness.acknowledge(catalog, clip)
        try catalog.saveUpload(job.id, CatalogHarness.kept("removing"), .due, atWallMs: 2)
        #expect(try catalog.remoteUsage().isEmpty && catalog.remoteDeletions(limit: 9).map(\.rule) == ["removing"])
        #expect(try harness.job(catalog, clip).verified == nil)
        // What is being removed is no copy: the local one waits again.
        #expect(try delete(catalog, clip) == false)
    }

    @Test("An upload counts once, and what it counts for is its own key (S15)")
    func once() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clips = try [Int64(0), 1_000].map {
            try harness.record(catalog, atMs: CatalogHarness.startMs + $0, upload: CatalogHarness.upload())
        }
        let (job, other) = (try harness.job(catalog, clips[0]), try harness.job(catalog, clips[1]))
        #expect(throws: CatalogError.self) {
            try catalog.acknowledgeUpload(
                job.id, CatalogHarness.kept("done", counted: true), .over, CatalogHarness.remote(other), atWallMs: 1)
        }
        #expect(try catalog.upload(job.id) == job && catalog.remoteUsage().isEmpty)
        let first = try harness.acknowledge(catalog, clips[0])
        let counted = try harness.job(catalog, clips[0])
        #expect(counted.isCounted && counted.verified == Verification(how: "sha256", wallMs: 9))
        #expect(counted.standing == .over && counted.sentBytes == counted.bytes)
        #expect(try harness.acknowledge(catalog, clips[0]) == first)
        #expect(try catalog.remoteUsage().map(\.clips) == [1])
        #expect(try catalog.untoldNotices(limit: 9).filter { $0.stage == "done" }.count == 1)
    }
}
