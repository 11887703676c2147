import Foundation
import Machines
import Testing

@testable import Catalog

@Suite("Strips of small pictures below the root")
struct ThumbnailTests {
    private let hour = ThumbnailStore.hour(CatalogHarness.startMs)

    @Test("A strip is kept as it was given, one for each camera and hour, and no strange name or file is followed")
    func kept() throws {
        let harness = CatalogHarness()
        defer { harness.remove() }
        let catalog = try harness.open()
        let store = ThumbnailStore(catalog: catalog)
        #expect(store.read(camera: "front", hour: hour) == nil)
        try store.keep(Data("one".utf8), camera: "front", hour: hour)
        try store.keep(Data("two".utf8), camera: "front", hour: hour + 1)
        try store.keep(Data("more".utf8), camera: "front", hour: hour)
        #expect(store.read(camera: "front", hour: hour) == Data("more".utf8))
        #expect(store.read(camera: "front", hour: hour + 1) == Data("two".utf8))
        #expect(store.read(camera: "back", hour: hour) == nil)
        #expect(harness.files(under: "thumbnails").count == 2)
        for name in ["../front", "", "a/b", String(repeating: "x", count: 65)] {
            try store.keep(Data("x".utf8), camera: name, hour: hour)
            #expect(store.read(camera: name, hour: hour) == nil)
        }
        for hour in [Int64.min, -1, .max] { #expect(store.read(camera: "front", hour: hour) == nil) }
        let file = try #require(harness.files(under: "thumbnails").first)
        let path = harness.url(file).path
        try FileManager.default.removeItem(atPath: path)
        symlink("/etc/passwd", path)
        #expect(store.read(camera: "front", hour: hour) == nil || store.read(camera: "front", hour: hour + 1) == nil)
        #expect(harness.files(under: "thumbnails").count == 2)
    }

    @Test("The oldest go where all together take more than they may; the newest stays")
    func bounded() throws {
        let harness = CatalogHarness()
        defer { harness.remove() }
        let store = ThumbnailStore(catalog: try harness.open(), bytesMax: 2_500)
        for number in 0..<6 {
            try store.keep(Data(repeating: 1, count: 1_000), camera: "c\(number % 2)", hour: hour + Int64(number))
            // Which of two is older is told by the file system's clock, which ticks every few milliseconds.
            for file in harness.files(under: "thumbnails") {
                let old =
                    try FileManager.default.attributesOfItem(atPath: harness.url(file).path)[.modificationDate] as? Date
                try FileManager.default.setAttributes(
                    [.modificationDate: (old ?? .now).addingTimeInterval(-60)], ofItemAtPath: harness.url(file).path)
            }
        }
        #expect(harness.files(under: "thumbnails").count == 2)
        #expect(store.read(camera: "c1", hour: hour + 5) != nil && store.read(camera: "c0", hour: hour + 4) != nil)
        try store.keep(Data(repeating: 1, count: 9_000), camera: "c0", hour: hour)
        #expect(harness.files(under: "thumbnails").count == 1 && store.read(camera: "c0", hour: hour)?.count == 9_000)
    }

    @Test(
        "With a clip go the strips of all hours that it reaches into, and no others; no check calls a strip unclaimed")
    func deleted() throws {
        let harness = CatalogHarness()
        defer { harness.remove() }
        var catalog = try harness.open()
        var store = ThumbnailStore(catalog: catalog)
        let opened = try harness.openClip(
            catalog, CatalogHarness.facts("front"), video: CatalogHarness.media(fragments: 3))
        try harness.closeClip(catalog, opened.id)
        for (camera, shift) in [("front", Int64(-1)), ("front", 0), ("front", 1), ("back", 0)] {
            try store.keep(Data("x".utf8), camera: camera, hour: hour + shift)
        }
        try catalog.close()
        let check = try Fsck.run(root: harness.root, scanner: CatalogHarness.scanner, options: .init(deep: true))
        #expect(check.findings.isEmpty, "\(check.findings)")
        catalog = try harness.open()
        store = ThumbnailStore(catalog: catalog)
        let report = try Deleter(catalog: catalog).delete([opened.id], rule: "operator", atWallMs: 0)
        #expect(report.deleted == [opened.id])
        #expect(store.read(camera: "front", hour: hour) == nil)
        #expect(
            store.read(camera: "front", hour: hour - 1) != nil && store.read(camera: "front", hour: hour + 1) != nil)
        #expect(store.read(camera: "back", hour: hour) != nil)
    }

    @Test("Events are counted by the day in which they began")
    func events() throws {
        let harness = CatalogHarness()
        defer { harness.remove() }
        let catalog = try harness.open()
        for (camera, ms) in [
            ("front", Int64(999)), ("front", 1_000), ("front", 1_999), ("front", 2_000), ("back", 1_500),
        ] {
            try catalog.beginEvent(
                catalog.newEventID(),
                NewEvent(
                    camera: camera, bootID: "b", began: Moment(monotonicMs: ms, wallMs: ms), cause: "command",
                    level: nil))
        }
        #expect(try catalog.eventCounts(camera: "front", boundaries: [1_000, 2_000, 3_000]) == [2, 1])
        #expect(try catalog.eventCounts(camera: "front", boundaries: [1_000]) == [])
        #expect(try catalog.eventCounts(camera: "none", boundaries: [0, 9_000]) == [0])
    }
}
