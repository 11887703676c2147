import Foundation
import GRDB
import Machines
import Testing

@testable import Catalog

@Suite("What the webhook's receiver is to be told")
struct WebhookTests {
    let harness = CatalogHarness()
    private let startMs = CatalogHarness.startMs

    /// A job whose clip is closed: its first stage is reached.
    private func job(_ catalog: Catalog, _ number: Int64) throws -> UploadJob {
        let clip = try harness.record(catalog, atMs: startMs + number * 1_000, upload: CatalogHarness.upload())
        return try harness.job(catalog, clip)
    }

    private func reach(
        _ catalog: Catalog, _ job: UploadJob, _ stage: String, _ number: Int64, failure: String? = nil,
        _ standing: UploadStanding = .due
    ) throws {
        try catalog.saveUpload(
            job.id, CatalogHarness.kept(stage), standing, failure: failure,
            notice: NewUploadNotice(number: number, stage: stage), atWallMs: 5)
    }

    private func waiting(_ catalog: Catalog) throws -> [String] {
        try catalog.nextWebhookNotices(limit: 99).map { "\($0.id.upload)-\($0.id.number) \($0.stage)" }
    }

    @Test("Without a webhook nothing waits; with one each stage does from then on, the oldest of each job first")
    func waits() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let before = try job(catalog, 0)
        #expect(try catalog.webhook() == nil && waiting(catalog) == [])
        try catalog.useWebhook(true)
        #expect(try waiting(catalog) == [])
        let series = try #require(try catalog.webhook()?.series)
        #expect(series.count == 8)
        let first = try job(catalog, 1)
        let second = try job(catalog, 2)
        try reach(catalog, first, "uploading", 2)
        try reach(catalog, first, "uploadFailed", 3, failure: "403", .failed)
        try reach(catalog, first, "uploadFailed", 3, failure: "again", .failed)
        try reach(catalog, before, "uploading", 2)
        #expect(try catalog.webhook()?.waiting == 5)
        #expect(
            try waiting(catalog) == ["\(first.id)-1 queued", "\(second.id)-1 queued", "\(before.id)-2 uploading"])
        let others = try catalog.nextWebhookNotices(limit: 1, except: [first.id])
        #expect(others.map(\.id.upload) == [second.id] && others.first?.wallMs == startMs + 2_300)
        for number in 1...2 as ClosedRange<Int64> {
            try catalog.markWebhookTold(UploadNotice.ID(upload: first.id, number: number))
        }
        // The reason is that of the stage, whatever came of the job since.
        try reach(catalog, first, "uploading", 4)
        func next() throws -> WebhookNotice? {
            try catalog.nextWebhookNotices(limit: 9).first { $0.job.id == first.id }
        }
        let failed = try #require(try next())
        #expect(failed.id.number == 3 && failed.failure == "403" && failed.attempts == 0 && failed.job.owner == "shop")
        try catalog.recordWebhookAttempt(failed.id)
        #expect(try next()?.attempts == 1)
        // Another start finds all of it, and the same series.
        try catalog.useWebhook(true)
        #expect(try catalog.webhook() == WebhookState(series: series, failingWallMs: nil, waiting: 4))
        #expect(try catalog.useWebhook(false) == 4)
        #expect(try catalog.webhook() == nil && waiting(catalog) == [])
        try reach(catalog, second, "uploading", 2)
        try catalog.useWebhook(true)
        #expect(try waiting(catalog) == [] && catalog.webhook()?.series != series)
    }

    @Test("Each mark is apart: what the journal was told waits for the receiver on, and the other way round")
    func marks() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        try catalog.useWebhook(true)
        let one = try job(catalog, 1)
        let two = try job(catalog, 2)
        let untold = try catalog.untoldNotices(limit: 9)
        try catalog.markTold([untold[0].id])
        #expect(try waiting(catalog).count == 2)
        try catalog.markWebhookTold(UploadNotice.ID(upload: two.id, number: 1))
        #expect(try waiting(catalog) == ["\(one.id)-1 queued"])
        #expect(try catalog.untoldNotices(limit: 9).map(\.id.upload) == [two.id])
    }

    @Test("A job that is over stays while the receiver is to be told of it; what is given up lets it go")
    func trims() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        try catalog.useWebhook(true)
        let jobs = try (1...4).map { try job(catalog, $0) }
        for job in jobs { try reach(catalog, job, "done", 2, .over) }
        try catalog.markTold(catalog.untoldNotices(limit: 99).map(\.id))
        #expect(try catalog.trimUploads(keeping: 0) == 0)
        for number in 1...2 as ClosedRange<Int64> {
            try catalog.markWebhookTold(UploadNotice.ID(upload: jobs[3].id, number: number))
        }
        #expect(try catalog.trimUploads(keeping: 0) == 1)
        // Six wait: the two oldest go, the first stages of two jobs.
        #expect(try catalog.trimWebhookNotices(keeping: 6) == 0 && catalog.trimWebhookNotices(keeping: 4) == 2)
        #expect(try waiting(catalog) == ["\(jobs[2].id)-1 queued", "\(jobs[0].id)-2 done", "\(jobs[1].id)-2 done"])
        #expect(try catalog.trimUploads(keeping: 0) == 0)
        #expect(try catalog.trimWebhookNotices(keeping: 0) == 4)
        #expect(try catalog.trimUploads(keeping: 0) == 3)
    }

    @Test("An outage outlives a restart and a rebuild, and so do the notices that wait, each once")
    func outlives() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        try catalog.useWebhook(true)
        try catalog.saveWebhookFailing(sinceWallMs: 77)
        let told = try job(catalog, 1)
        try catalog.markWebhookTold(UploadNotice.ID(upload: told.id, number: 1))
        let job = try job(catalog, 2)
        let state = try #require(try catalog.webhook())
        #expect(state.failingWallMs == 77 && state.waiting == 1)
        try catalog.close()
        catalog = try harness.open()
        #expect(try catalog.webhook() == state)
        try catalog.close()
        _ = try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner)
        catalog = try harness.open()
        #expect(try catalog.webhook() == state && waiting(catalog) == ["\(job.id)-1 queued"])
        try catalog.saveWebhookFailing(sinceWallMs: nil)
        #expect(try catalog.webhook()?.failingWallMs == nil)
    }

    @Test("A catalog of version 7 is taken over: what it has told is not told again")
    func migrates() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        let job = try job(catalog, 1)
        try catalog.write(.write) { db in
            for drop in ["TRIGGER webhook_notice_entered", "TABLE webhook_notice", "TABLE webhook"] {
                try db.execute(sql: "DROP \(drop)")
            }
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'v8'")
        }
        try catalog.close()
        catalog = try harness.open()
        #expect(try catalog.read(Schema.differences) == [])
        #expect(try catalog.webhook() == nil && catalog.untoldNotices(limit: 9).map(\.id.upload) == [job.id])
        try catalog.useWebhook(true)
        #expect(try waiting(catalog) == [])
    }
}
