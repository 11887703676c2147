import Foundation
import Machines
import Testing

@testable import Catalog

@Suite("Many rows in one transaction")
struct CatalogBatchTests {
    @Test("They are those that the daemon's own calls leave")
    func equal() throws {
        let (one, other) = (CatalogHarness(), CatalogHarness())
        defer {
            one.remove()
            other.remove()
        }
        let event = NewEvent(
            camera: "front", bootID: "boot-1", began: Moment(monotonicMs: 5, wallMs: CatalogHarness.startMs),
            cause: "detection", level: .medium)
        let end = Moment(monotonicMs: 9, wallMs: CatalogHarness.startMs + 4)
        let detail = EventDetail(detections: 3, zones: ["door"], pictureMonotonicMs: 7)
        let label = CoverageChange(camera: "front", from: end, label: .idle)
        let run = SuppressedRun(
            camera: "front", event: EventID(rawValue: 1), first: end, lastWallMs: end.wallMs, count: 2, level: .low,
            why: .blind)

        let catalog = try one.open()
        let id = catalog.newEventID()
        try catalog.beginEvent(id, event)
        let clip = CatalogHarness.facts("front", mediaClass: .event, event: id)
        let video = CatalogHarness.media(fragments: 3)
        let (clipID, tracks) = try one.openClip(catalog, clip, token: "y", video: video)
        try one.closeClip(catalog, clipID)
        try catalog.endEvent(id, at: end, why: .quiet)
        try catalog.recordDetail(detail, of: id)
        #expect(try catalog.markSeen(id, true))
        try catalog.recordCoverage(bootID: "boot-1", [label])
        try catalog.recordSuppressed(bootID: "boot-1", [run])

        let batched = try other.open()
        let closed = ClosedClip(
            end: clip.start.advanced(by: 300), ended: .length,
            tracks: [try CatalogHarness.scanner(one.url(tracks[0].path).path, false)])
        try CatalogBatch.write(batched) { batch in
            let id = try batch.add(event, end: end, why: .quiet, detail, isSeen: true)
            #expect(id == EventID(rawValue: 1))
            try batch.add(clip, closed, tracks: tracks)
            try batch.add(bootID: "boot-1", [label])
            try batch.add(bootID: "boot-1", [run])
        }

        #expect(try batched.clips(ClipQuery()) == (try catalog.clips(ClipQuery())))
        #expect(try batched.records(EventQuery()) == (try catalog.records(EventQuery())))
        #expect(try batched.usage() == (try catalog.usage()))
        #expect(try batched.fragmentIndexes(of: [clipID]) == (try catalog.fragmentIndexes(of: [clipID])))
        let span = (CatalogHarness.startMs - 10, CatalogHarness.startMs + 1_000)
        #expect(
            try batched.coverage(camera: "front", fromWallMs: span.0, toWallMs: span.1, nowWallMs: span.1)
                == (try catalog.coverage(camera: "front", fromWallMs: span.0, toWallMs: span.1, nowWallMs: span.1)))
    }
}
