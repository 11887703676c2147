import Foundation
import GRDB
import Machines
import Testing

@testable import Catalog

@Suite struct CatalogTests {
    let harness = CatalogHarness()

    @Test func `a clip lives from open to closed to gone, and the ledger remembers it`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let event = catalog.newEventID()
        try catalog.beginEvent(
            event,
            NewEvent(
                camera: "front", bootID: "boot-1", began: Moment(monotonicMs: 5, wallMs: CatalogHarness.startMs),
                cause: "detection", level: .medium))
        let (id, tracks) = try harness.openClip(
            catalog, CatalogHarness.facts("front", mediaClass: .event, event: event),
            video: CatalogHarness.media(fragments: 3),
            audio: CatalogHarness.media(fragments: 2))
        let open = try #require(try catalog.clip(id))
        #expect(open.state == .open && open.end == nil && open.bytes == 0)
        #expect(open.opened == CatalogHarness.facts("front", mediaClass: .event, event: event))
        #expect(open.tracks.map(\.path) == tracks.map(\.path))
        #expect(try catalog.openClips().map(\.id) == [id])
        #expect(try catalog.clips(ClipQuery()).isEmpty)
        #expect(try catalog.clips(ClipQuery(includingOpen: true)).map(\.id) == [id])

        try harness.closeClip(catalog, id, ended: .quiet)
        let closed = try #require(try catalog.clip(id))
        #expect(closed.state == .closed && closed.ended == .quiet)
        #expect(closed.end == closed.start.advanced(by: 300))
        #expect(closed.bytes == 34 + 24 && closed.tracks.map(\.fragments) == [3, 2])
        #expect(try catalog.fragmentIndex(of: id, ordinal: 1) == Data([8, 8]))
        #expect(
            try catalog.fragmentIndexes(of: [id, ClipID(rawValue: 77)]) == [
                id: [0: Data([8, 8, 8]), 1: Data([8, 8])]
            ])
        #expect(try catalog.clips(of: #require(try catalog.event(event))).map(\.id) == [id])
        #expect(throws: CatalogError.self) { try harness.closeClip(catalog, id) }

        try catalog.endEvent(event, at: Moment(monotonicMs: 9, wallMs: CatalogHarness.startMs + 4), why: .quiet)
        #expect(try catalog.events(EventQuery(camera: "front")).first?.why == .quiet)

        let report = try Deleter(catalog: catalog).delete([id], rule: "eventsAge", atWallMs: 99)
        #expect(report.deleted == [id] && report.freedBytes == 58 && report.failures.isEmpty)
        #expect(try catalog.clip(id) == nil)
        #expect(harness.files(under: "clips").isEmpty)
        let gone = try catalog.deletions(camera: "front", fromWallMs: 0, toWallMs: .max)
        #expect(gone.map(\.rule) == ["eventsAge"] && gone.first?.startWallMs == CatalogHarness.startMs)
        #expect(try catalog.usage() == [Usage(camera: "front", mediaClass: .event, clips: 0, bytes: 0)])
    }

    @Test func `a protected clip is deleted by no rule`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let id = try harness.record(catalog)
        #expect(try catalog.protect([id, ClipID(rawValue: 77)], true) == [id])
        #expect(try Deleter(catalog: catalog).delete([id], rule: "siteSize", atWallMs: 1).deleted.isEmpty)
        #expect(try catalog.clip(id)?.state == .closed)
        #expect(try catalog.oldest(camera: "front", mediaClass: .continuous, limit: 9).isEmpty)
        try catalog.protect([id], false)
        #expect(try catalog.oldest(camera: "front", mediaClass: .continuous, limit: 9).map(\.id) == [id.rawValue])
        #expect(try Deleter(catalog: catalog).delete([id], rule: "siteSize", atWallMs: 1).deleted == [id])
    }

    @Test func `a late track joins an open clip, and no other`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let (id, _) = try harness.openClip(
            catalog, CatalogHarness.facts("front"), token: "a", video: CatalogHarness.media(fragments: 2))
        let path = try #require(ClipPaths(camera: "front", startWallMs: CatalogHarness.startMs, token: "a")).path(
            .audio)
        try CatalogHarness.media(fragments: 2).write(to: harness.url(path))
        #expect(try catalog.addTrack(NewTrack(kind: .audio, codec: "opus", path: path), to: id) == 1)
        try harness.closeClip(catalog, id)
        #expect(try catalog.clip(id)?.tracks.map(\.kind) == [.video, .audio])
        let other = NewTrack(kind: .audio, codec: "opus", path: path.replacing("-a.", with: "-b."))
        #expect(throws: CatalogError.self) { try catalog.addTrack(other, to: id) }
    }

    @Test func `pages follow each other without a gap or a repeat, both ways`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        try CatalogFill.fill(catalog, CatalogFill.Plan(cameras: 3, clipsPerCamera: 20, indexBytes: 4))
        for order in [ClipQuery.Order.oldestFirst, .newestFirst] {
            for camera in [nil, "cam01"] {
                let all = try catalog.clips(ClipQuery(camera: camera, order: order)).map(\.id)
                #expect(all.count == (camera == nil ? 60 : 20))
                var query = ClipQuery(camera: camera, limit: 7, order: order)
                var paged: [ClipID] = []
                while true {
                    let page = try catalog.clips(query)
                    guard let last = page.last else { break }
                    #expect(page.count <= 7)
                    paged += page.map(\.id)
                    query.after = ClipQuery.Key(startWallMs: last.start.wallMs, id: last.id)
                }
                #expect(paged == all)
            }
        }
    }

    @Test func `an interval finds what reaches into it, and only that`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let base = CatalogHarness.startMs
        let first = try harness.record(catalog, atMs: base, fragments: 50)
        let second = try harness.record(catalog, atMs: base + 5000, fragments: 10)
        let (open, _) = try harness.openClip(
            catalog, CatalogHarness.facts("front", atMs: base + 6000), video: CatalogHarness.media(fragments: 1))
        func spans(_ from: Int64, _ to: Int64) throws -> [ClipID] {
            try catalog.timeline(camera: "front", fromWallMs: base + from, toWallMs: base + to).map(\.id)
        }
        #expect(try spans(4999, 5000) == [first])
        #expect(try spans(5000, 5001) == [second])
        #expect(try spans(4999, 5001) == [first, second])
        #expect(try spans(-10, 0).isEmpty)
        #expect(try spans(100_000, 100_001) == [open])
        #expect(
            try catalog.timelines(fromWallMs: base, toWallMs: base + 1).mapValues { $0.map(\.id) } == ["front": [first]]
        )
        let late = ClipQuery(camera: "front", fromWallMs: base + 100_000, includingOpen: true)
        #expect(try catalog.clips(late).map(\.id) == [open])
        let early = ClipQuery(fromWallMs: base + 4999, toWallMs: base + 5000)
        #expect(try catalog.clips(early).map(\.id) == [first])

        let boundaries = [base - 1000, base + 2000, base + 5500, base + 9000]
        #expect(try catalog.recordedMs(camera: "front", boundaries: boundaries) == [2000, 3500, 500])
        #expect(try catalog.recordedMs(camera: "front", boundaries: [base]) == [])
        #expect(try catalog.recordedMs(camera: "back", boundaries: boundaries) == [0, 0, 0])
    }

    @Test func `overrides, the heartbeat and pairs of clocks survive`() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        let override = CameraOverride(camera: "front", key: .softRecording, value: true, sinceWallMs: 1, by: "cli")
        try catalog.setOverride(override)
        try catalog.heartbeat(bootID: "boot-1", Moment(monotonicMs: 1, wallMs: 2))
        try catalog.heartbeat(bootID: "boot-2", Moment(monotonicMs: 3, wallMs: 4))
        try catalog.recordClock(bootID: "boot-1", Moment(monotonicMs: 1, wallMs: 2))
        try catalog.close()
        catalog = try harness.open()
        #expect(try catalog.overrides() == [override])
        #expect(try catalog.lastHeartbeat()?.bootID == "boot-2")
        let pairs = try catalog.read { db in
            try Row.fetchAll(db, sql: "SELECT boot_id, monotonic_ms, wall_ms FROM clock")
        }
        #expect(pairs == [["boot_id": "boot-1", "monotonic_ms": 1, "wall_ms": 2]])
    }

    @Test func `the retention window is oldest first across cameras, and the totals are those of the rows`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        try CatalogFill.fill(catalog, CatalogFill.Plan(cameras: 3, clipsPerCamera: 40, indexBytes: 4))
        let window = try catalog.retentionWindow(limit: 5)
        #expect(window.clips.map(\.endMs) == window.clips.map(\.endMs).sorted())
        #expect(window.clips.count == 3 * (5 + 3) && window.truncated.count == 3)
        // How many of its first clips hold all of a camera that is older than what is missing of it.
        let stored = try catalog.retentionWindow(limit: 1_000).clips
        for (camera, whole) in window.truncated {
            let missing = try #require(stored.first { $0.camera == camera && !window.clips.contains($0) })
            #expect(window.clips.firstIndex { $0.endMs > missing.endMs } ?? window.clips.count >= whole)
            #expect(whole >= 5)
        }
        let usage = try catalog.usage()
        #expect(window.storedBytes.values.reduce(0, +) == usage.reduce(0) { $0 + $1.bytes })
        // With every clip in it, the window also knows what is protected.
        let all = try catalog.retentionWindow(limit: 1_000)
        #expect(all.clips.count == 120 && all.truncated.isEmpty)
        #expect(all.protectedBytes.values.allSatisfy { $0 == 0 })
        let saved = try #require(all.clips.first)
        #expect(try catalog.protect([ClipID(rawValue: saved.id)], true).count == 1)
        let without = try catalog.retentionWindow(limit: 1_000)
        #expect(!without.clips.contains(saved) && without.protectedBytes[saved.camera] == saved.bytes)
        #expect(try catalog.protect([ClipID(rawValue: saved.id)], false).count == 1)
        // A clip that is being written is neither in it nor taken for protected.
        let media = CatalogHarness.media(fragments: 3)
        _ = try harness.openClip(catalog, CatalogHarness.facts("front"), video: media, audio: media)
        let open = try catalog.retentionWindow(limit: 1_000)
        #expect(open.clips.count == 120 && open.protectedBytes.count == 4)
        #expect(open.protectedBytes.values.allSatisfy { $0 == 0 })
        #expect(usage.reduce(0) { $0 + $1.clips } == 120)
        #expect(usage.reduce(0) { $0 + $1.bytes } == 120 * 309_600_000)
        try catalog.forget(beforeWallMs: .max)
    }
}
