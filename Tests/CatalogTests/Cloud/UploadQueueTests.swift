import Foundation
import GRDB
import Machines
import Testing

@testable import Catalog

@Suite("The upload queue")
struct UploadQueueTests {
    let harness = CatalogHarness()
    private let media = CatalogHarness.media(fragments: 3)
    private let startMs = CatalogHarness.startMs

    private func open(
        _ catalog: Catalog, _ upload: NewUpload?, atMs: Int64 = CatalogHarness.startMs, event: EventID? = nil
    ) throws -> ClipID {
        try harness.openClip(
            catalog,
            CatalogHarness.facts("front", atMs: atMs, mediaClass: event == nil ? .continuous : .event, event: event),
            video: media, upload: upload
        ).id
    }

    @Test("A job is entered with its clip's row, waits for the end, and is due with it; its stage is to be told")
    func lifecycle() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clip = try open(catalog, CatalogHarness.upload(live: true))
        let open = try harness.job(catalog, clip)
        #expect(open.standing == .open && open.isWanted && open.queuedWallMs == nil && open.bytes == 0)
        #expect(try catalog.nextUploads(limit: 9).isEmpty && catalog.liveUploads().map(\.id) == [open.id])
        #expect(throws: CatalogError.self) {
            try catalog.saveUpload(open.id, CatalogHarness.kept("uploading"), .due, atWallMs: 1)
        }
        try catalog.saveLiveUpload(
            open.id, CatalogHarness.kept("uploading"), notice: NewUploadNotice(number: 2, stage: "uploading"),
            atWallMs: 2)
        try harness.closeClip(catalog, clip)
        let due = try harness.job(catalog, clip)
        let path = try #require(try catalog.clip(clip)?.tracks.first?.path)
        #expect(due.standing == .due && due.bytes == 34 && due.queuedWallMs == startMs + 300)
        #expect(due.key + ".cmfv" == path && due.owner == "shop" && due.importance == .continuous)
        #expect(try catalog.nextUploads(limit: 9) == [due] && catalog.liveUploads().isEmpty)
        let notices = try catalog.untoldNotices(limit: 9)
        #expect(Set(notices.map(\.stage)) == ["queued", "uploading"] && notices.allSatisfy { $0.id.upload == due.id })
        #expect(try catalog.upload(of: harness.record(catalog, atMs: startMs + 1_000)) == nil)
    }

    @Test("What a live job came to while its clip was written is where it stands with the clip's end")
    func liveEnds() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        for (number, (phase, standing)) in [
            ("queued", UploadStanding.due), ("removing", .due), ("uploadFailed", .failed), ("removeFailed", .failed),
            ("cancelled", .over), ("purged", .over), ("deleted", .over),
        ].enumerated() {
            let atMs = startMs + Int64(number) * 1_000
            let clip = try open(catalog, CatalogHarness.upload(guarded: true, live: true), atMs: atMs)
            let job = try harness.job(catalog, clip)
            try catalog.saveLiveUpload(job.id, CatalogHarness.kept(phase), failure: "403", atWallMs: 2)
            #expect(try harness.job(catalog, clip).standing == .open && harness.job(catalog, clip).failure == "403")
            if number % 2 == 0 {
                try harness.closeClip(catalog, clip)
            } else {
                // Recovery finds nothing in it, but something was sent.
                try catalog.recordObject(UploadObject(name: "live.json", bytes: 0), of: job.id)
                try catalog.discard(clip)
            }
            let ended = try #require(try catalog.upload(job.id))
            #expect(ended.standing == standing && ended.queuedWallMs != nil, "\(phase)")
            #expect(ended.isSourceGone == (number % 2 == 1))
        }
        // Of what is open, nothing is in the queue.
        #expect(try catalog.nextUploads(limit: 9).map(\.kept.phase) == ["queued", "removing"])
    }

    @Test("What is sent live goes at any hour; the others wait")
    func liveHours() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        for (number, isLive) in [false, true].enumerated() {
            let clip = try open(catalog, CatalogHarness.upload(live: isLive), atMs: startMs + Int64(number) * 1_000)
            try harness.closeClip(catalog, clip)
        }
        let store = CatalogHarness.store
        #expect(try catalog.nextUploads(limit: 9, to: store, sending: [], live: ["front"]).map(\.isLive) == [true])
        #expect(try catalog.nextUploads(limit: 9, to: store, sending: ["front"], live: []).count == 2)
        #expect(try catalog.nextUploads(limit: 9, to: store, sending: [], live: ["back"]).isEmpty)
    }

    @Test("A policy that sends events sends the clips in which one lies, by level and cause, whenever it begins")
    func choice() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let doors = UploadChoice.events(levels: [.low, .medium], causes: [.detection])
        // Nothing of it: the job goes with the clip's end.
        let quiet = try open(catalog, CatalogHarness.upload(doors))
        #expect(try harness.job(catalog, quiet).isWanted == false)
        try harness.closeClip(catalog, quiet)
        #expect(try catalog.upload(of: quiet) == nil && catalog.untoldNotices(limit: 9).isEmpty)
        // A movement that is too small, a command, and another camera's event change nothing; one that fits does.
        let clip = try open(catalog, CatalogHarness.upload(doors), atMs: startMs + 1_000)
        for (camera, cause, level) in [
            ("front", "detection", Sensitivity.high), ("front", "command", nil), ("side", "detection", .low),
        ] {
            let event = try harness.beginEvent(catalog, camera, cause: cause, level: level)
            #expect(try harness.job(catalog, clip).isWanted == false)
            try catalog.endEvent(event, at: Moment(monotonicMs: 9, wallMs: 9), why: .quiet)
        }
        _ = try harness.beginEvent(catalog, level: .medium)
        #expect(try harness.job(catalog, clip).isWanted && harness.job(catalog, clip).importance == .event)
        try harness.closeClip(catalog, clip)
        // It goes on in the next clip, and a command in it is more important.
        let next = try open(catalog, CatalogHarness.upload(.events()), atMs: startMs + 2_000)
        #expect(try harness.job(catalog, next).isWanted && harness.job(catalog, next).importance == .event)
        _ = try harness.beginEvent(catalog, cause: "command", level: nil)
        #expect(try harness.job(catalog, next).importance == .command)
        try harness.closeClip(catalog, next)
        #expect(try catalog.nextUploads(limit: 9).map(\.clip) == [next, clip])
    }

    @Test("The most important go first, of the same importance the oldest; what is in hand is left out")
    func order() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let event = try harness.beginEvent(catalog, cause: "source", level: nil)
        try catalog.endEvent(event, at: Moment(monotonicMs: 9, wallMs: 9), why: .quiet)
        var clips: [ClipID] = []
        for (second, of) in [(4, nil), (3, event), (2, nil), (1, event)] as [(Int64, EventID?)] {
            let clip = try open(catalog, CatalogHarness.upload(), atMs: startMs + second * 1000, event: of)
            try harness.closeClip(catalog, clip)
            clips.append(clip)
        }
        let asked = try harness.record(catalog, atMs: startMs + 9_000)
        _ = try catalog.enqueueUpload(of: asked, CatalogHarness.upload(), atWallMs: 5)
        let queue = try catalog.nextUploads(limit: 9)
        #expect(queue.map(\.clip) == [asked, clips[3], clips[1], clips[2], clips[0]])
        #expect(
            try catalog.nextUploads(limit: 2, except: [queue[0].id, queue[2].id]).map(\.clip) == [clips[3], clips[2]])
        // A camera without a plan, and another store, leave nothing; what is to go needs no plan.
        #expect(try catalog.nextUploads(limit: 9, sending: ["back"]).isEmpty)
        #expect(try catalog.nextUploads(limit: 9, to: "elsewhere", sending: ["front"]).isEmpty)
        // A failed job rests until somebody asks.
        try catalog.saveUpload(
            queue[0].id, CatalogHarness.kept("uploadFailed"), .failed, failure: "403",
            notice: NewUploadNotice(number: 2, stage: "uploadFailed"),
            atWallMs: 6)
        #expect(try catalog.nextUploads(limit: 1).map(\.clip) == [clips[3]])
        #expect(try catalog.upload(queue[0].id)?.failure == "403")
        let page = try catalog.uploads(UploadQuery(cameras: ["front"], standings: [.due], limit: 3))
        #expect(page.map(\.clip) == [clips[3], clips[2], clips[1]])
        #expect(
            try catalog.uploads(UploadQuery(standings: [.due], after: page.last?.id)).map(\.clip) == [clips[0]])
        let totals = try catalog.uploadTotals()
        #expect(totals.map(\.standing) == [.due, .failed] && totals.map(\.jobs) == [4, 1])
        #expect(totals.map(\.bytes) == [4 * 34, 68])
    }

    @Test(
        "A job keeps the key that was decided when it was made, also one that is not known yet; without it nothing is sent"
    )
    func keys() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        var clips: [ClipID] = []
        for (second, key) in [(1, nil), (2, "0123456789abcdef"), (3, "")] as [(Int64, String?)] {
            var upload = CatalogHarness.upload()
            upload.keyID = key
            let clip = try open(catalog, upload, atMs: startMs + second * 1000)
            try harness.closeClip(catalog, clip)
            clips.append(clip)
        }
        func next(_ keys: Set<String>) throws -> [ClipID?] {
            try catalog.nextUploads(limit: 9, to: CatalogHarness.store, sending: ["front"], keys: keys).map(\.clip)
        }
        #expect(try clips.map { try harness.job(catalog, $0).keyID } == [nil, "0123456789abcdef", ""])
        #expect(try next([]) == [clips[0]] && next(["0123456789abcdef"]) == [clips[0], clips[1]])
        #expect(try next([""]) == [clips[0], clips[2]])
        // It is decided once.
        let waiting = try harness.job(catalog, clips[2]).id
        try catalog.recordKey("fedcba9876543210", of: waiting)
        #expect(throws: CatalogError.self) { try catalog.recordKey("0000000000000000", of: waiting) }
        #expect(throws: CatalogError.self) {
            try catalog.recordKey("0000000000000000", of: harness.job(catalog, clips[0]).id)
        }
        // What ends a job needs no key.
        try catalog.close()
        catalog = try harness.open()
        #expect(try harness.job(catalog, clips[2]).keyID == "fedcba9876543210")
        #expect(try next(["fedcba9876543210"]) == [clips[0], clips[2]])
        _ = try catalog.markDeleting([clips[1]], rule: "command", atWallMs: 9)
        #expect(try Set(next([])) == [clips[0], clips[1]])
    }

    @Test("A clip that somebody asks for is refused while it is written, queued, there, or still being removed")
    func push() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        func push(_ clip: ClipID) throws -> UploadJob {
            var upload = CatalogHarness.upload()
            (upload.owner, upload.note) = ("ann", "the broken window")
            return try catalog.enqueueUpload(of: clip, upload, atWallMs: 5)
        }
        let clip = try open(catalog, nil)
        #expect(throws: CatalogError.self) { try push(clip) }
        try harness.closeClip(catalog, clip)
        let job = try push(clip)
        #expect(
            job.importance == .asked && job.owner == "ann" && job.note == "the broken window" && job.standing == .due)
        #expect(throws: CatalogError.self) { try push(clip) }
        let remote = try #require(try harness.acknowledge(catalog, clip))
        #expect(throws: CatalogError.self) { try push(clip) }
        try catalog.removeRemote([remote], rule: "cloudAge", atWallMs: 7)
        #expect(throws: CatalogError.self) { try push(clip) }
        // The job that brought it is due again: its machine takes the copy away.
        #expect(try catalog.remoteDeletions(limit: 9).map(\.upload) == [job.id])
        #expect(try catalog.upload(job.id)?.standing == .due && catalog.upload(job.id)?.removal == "cloudAge")
        try catalog.saveUpload(job.id, CatalogHarness.kept("removing"), .due, atWallMs: 8)
        #expect(throws: CatalogError.self) { try push(clip) }
        try catalog.saveUpload(job.id, CatalogHarness.kept("purged"), .over, atWallMs: 9)
        try catalog.settleRemoteDeletion(key: job.key, store: job.store, atWallMs: 9)
        #expect(try push(clip).id > job.id)
        #expect(try catalog.uploads(UploadQuery()).map(\.standing) == [.due, .over])
        #expect(try catalog.uploads(UploadQuery(clip: clip)).map(\.clip) == [clip, clip])
        #expect(try catalog.uploads(UploadQuery(clip: ClipID(rawValue: clip.rawValue + 1))).isEmpty)
    }

    @Test("Each stage is one notice, over a restart and a repeat; jobs that are over make room when all is told")
    func stages() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        let clips = try (0..<3).map { number in
            try harness.record(
                catalog, atMs: CatalogHarness.startMs + Int64(number) * 1000, upload: CatalogHarness.upload())
        }
        for clip in clips { try harness.acknowledge(catalog, clip) }
        // A write that is repeated because its answer was lost makes no second notice.
        let queued = NewUploadNotice(number: 1, stage: "queued")
        try catalog.saveUpload(
            harness.job(catalog, clips[2]).id, CatalogHarness.kept("done", counted: true), .over, notice: queued,
            atWallMs: 99)
        let all = try catalog.untoldNotices(limit: 9)
        #expect(all.map(\.stage).sorted() == ["done", "done", "done", "queued", "queued", "queued"])
        for clip in clips {
            let mine = try all.filter { try $0.id.upload == harness.job(catalog, clip).id }
            #expect(Set(mine.map(\.id.number)) == [1, 3])
        }
        let last = try #require(try all.first { try $0.id.upload == harness.job(catalog, clips[2]).id })
        try catalog.markTold(all.map(\.id).filter { $0 != last.id })
        try catalog.close()
        catalog = try harness.open()
        #expect(try catalog.untoldNotices(limit: 9) == [last])
        #expect(try catalog.trimUploads(keeping: 0) == 2)
        #expect(try catalog.uploads(UploadQuery()).map(\.clip) == [clips[2]])
        try catalog.markTold([last.id])
        #expect(try catalog.trimUploads(keeping: 1) == 0 && catalog.trimUploads(keeping: 0) == 1)
    }

    @Test("The stages of a job are told in their order, wherever the clock was set meanwhile")
    func stagesOfASetClock() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clip = try harness.record(catalog, upload: CatalogHarness.upload())
        let job = try harness.job(catalog, clip).id
        let first = try #require(try catalog.untoldNotices(limit: 9).first)
        try catalog.saveUpload(
            job, CatalogHarness.kept("uploading"), .due,
            notice: NewUploadNotice(number: first.id.number + 1, stage: "uploading"), atWallMs: first.wallMs - 60_000)
        var told: [Int64] = []
        while case let untold = try catalog.untoldNotices(limit: 9), !untold.isEmpty {
            told += untold.map { Int64($0.id.number) }
            try catalog.markTold(untold.map(\.id))
        }
        let number = Int64(first.id.number)
        #expect(told == [number, number + 1])
    }

    @Test("What the store has of a transfer is known after a restart, and forgotten when the upload counts")
    func objects() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        let clip = try harness.record(catalog, upload: CatalogHarness.upload())
        let job = try harness.job(catalog, clip)
        var object = UploadObject(name: "video.cmfv", track: 0, bytes: 34, multipart: "m1")
        try catalog.recordObject(object, of: job.id)
        try catalog.recordObject(UploadObject(name: "clip.json", bytes: 2), of: job.id)
        try catalog.recordSent(17, of: job.id)
        try catalog.close()
        catalog = try harness.open()
        let known = try catalog.objects(of: job.id)
        #expect(known.map(\.name) == ["video.cmfv", "clip.json"] && known[0] == object)
        #expect(try catalog.upload(job.id)?.sentBytes == 17)
        object.sha256 = String(repeating: "0", count: 64)
        object.multipart = nil
        object.isThere = true
        try catalog.recordObject(object, of: job.id)
        #expect(try catalog.objects(of: job.id)[0] == object)
        try harness.acknowledge(catalog, clip)
        #expect(try catalog.objects(of: job.id).isEmpty)
        #expect(throws: CatalogError.self) { try catalog.recordObject(object, of: job.id) }
    }
}
