import Foundation
import Machines
import Testing

@testable import Catalog

@Suite("What comes back from the cloud")
struct FetchedTests {
    let harness = CatalogHarness()
    private static let startMs = CatalogHarness.startMs

    /// A clip that was recorded with an event, sent, and deleted by a rule.
    static func sent(_ harness: CatalogHarness, _ catalog: Catalog) throws -> RemoteClipID {
        let event = try harness.beginEvent(catalog)
        let facts = CatalogHarness.facts("front", mediaClass: .event, event: event)
        let (clip, _) = try harness.openClip(
            catalog, facts, token: "k", video: CatalogHarness.media(fragments: 3),
            audio: CatalogHarness.media(fragments: 2), upload: CatalogHarness.upload())
        try harness.closeClip(catalog, clip)
        let told = NewRemoteEvent(
            bootID: "boot-1", beganMonotonicMs: 5, beganWallMs: 1_005, cause: "detection", level: .medium)
        let remote = try #require(try harness.acknowledge(catalog, clip, events: [told]))
        #expect(try Deleter(catalog: catalog).delete([clip], rule: "siteSize", atWallMs: 7).deleted == [clip])
        return remote
    }

    /// The same clip as it comes back, with its files below `fetching/`.
    static func fetched(_ harness: CatalogHarness, cause: ClipCause = .detection) throws -> FetchedClip {
        let folder = harness.url("fetching/1")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var opened = CatalogHarness.facts("front", mediaClass: .event)
        opened.cause = cause
        let paths = try #require(ClipPaths(camera: "front", startWallMs: startMs, token: "k"))
        let files = try [(TrackKind.video, 3), (.audio, 2)].map { kind, fragments in
            try CatalogHarness.media(fragments: fragments).write(to: folder.appendingPathComponent(kind.rawValue))
            return FetchedClip.File(
                track: NewTrack(kind: kind, codec: "avc1.64001f", path: paths.path(kind)),
                path: "fetching/1/\(kind.rawValue)")
        }
        let scans = try files.map { try CatalogHarness.scanner(harness.url($0.path).path, false) }
        return FetchedClip(
            opened: opened, closed: ClosedClip(end: opened.start.advanced(by: 300), ended: .quiet, tracks: scans),
            files: files)
    }

    @Test("It is what it was, protected, with its event and its job, and its time is no longer a deleted one")
    func whole() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let remote = try Self.sent(harness, catalog)
        #expect(try catalog.deletions(camera: "front", fromWallMs: 0, toWallMs: .max).count == 1)
        let id = try catalog.enterFetched(Self.fetched(harness), of: remote)
        let clip = try #require(try catalog.clip(id))
        #expect(clip.state == .closed && clip.protected && clip.ended == .quiet && clip.opened.cause == .detection)
        let event = try #require(clip.opened.event)
        #expect(try catalog.events(EventQuery()).map(\.id) == [event])
        #expect(clip.tracks.map(\.bytes) == [34, 24] && clip.bytes == 58)
        #expect(harness.files(under: "clips") == clip.tracks.map(\.path).sorted())
        #expect(try catalog.deletions(camera: "front", fromWallMs: 0, toWallMs: .max).isEmpty)
        #expect(try catalog.localClips(of: [remote]) == [remote: id] && catalog.remoteOnly(camera: "front").isEmpty)
        let job = try harness.job(catalog, id)
        #expect(try !job.isSourceGone && catalog.remoteClip(remote) != nil)
        // No rule takes it; released, it goes alone and the cloud keeps its copy; fetched again and deleted by a person, both go.
        let deleter = Deleter(catalog: catalog)
        #expect(try deleter.delete([id], rule: "siteSize", atWallMs: 8).deleted.isEmpty)
        try catalog.protect([id], false)
        #expect(try deleter.delete([id], rule: "siteSize", atWallMs: 8).deleted == [id])
        #expect(try catalog.remoteOnly(camera: "front").map(\.id) == [remote])
        let again = try catalog.enterFetched(Self.fetched(harness), of: remote)
        try catalog.protect([again], false)
        #expect(try deleter.delete([again], rule: "command", by: .person, atWallMs: 9).deleted == [again])
        #expect(try catalog.remoteClip(remote) == nil && catalog.remoteDeletions(limit: 9).count == 1)
    }

    @Test(
        "An event of which the disk has no row comes back with the clip, over and seen; one that it has stays as it is")
    func events() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let person = EventLabel(
            name: "person", at: Moment(monotonicMs: 60, wallMs: Self.startMs + 60),
            box: LabelBox(x: 0.1, y: 0.2, width: 0.3, height: 0.4))
        let dog = EventLabel(name: "dog", at: Moment(monotonicMs: 70, wallMs: Self.startMs + 70))
        let told = NewRemoteEvent(
            bootID: "boot-0", beganMonotonicMs: 50, beganWallMs: Self.startMs + 50, endedWallMs: Self.startMs + 250,
            cause: "detection", level: .low, detections: 3, zones: ["door", ""])
        var found = try CatalogHarness.found(atMs: Self.startMs, events: [told])
        found.bytes = 58
        let remote = try #require(try catalog.enterRemote(found))
        var fetched = try Self.fetched(harness)
        fetched.events = [
            FetchedClip.Event(
                begun: NewEvent(
                    camera: "front", bootID: "boot-0", began: Moment(monotonicMs: 50, wallMs: Self.startMs + 50),
                    cause: "detection", level: .low), lengthMs: 200, why: .quiet,
                detail: EventDetail(detections: 3, zones: ["door", ""]), labels: [person, dog])
        ]
        // A clip that is being recorded is not sent for it.
        try harness.openClip(
            catalog, CatalogHarness.facts("front", atMs: Self.startMs + 60_000), token: "n",
            video: CatalogHarness.media(fragments: 1), upload: CatalogHarness.upload(.events()))
        let id = try catalog.enterFetched(fetched, of: remote)
        let event = try #require(try catalog.events(EventQuery()).first)
        #expect(event.ended == Moment(monotonicMs: 250, wallMs: Self.startMs + 250) && event.why == .quiet)
        #expect(event.isSeen && event.begun.level == .low)
        #expect(try catalog.detail(of: event.id) == EventDetail(detections: 3, zones: ["door", ""]))
        #expect(try catalog.labels(of: event.id) == [person, dog])
        #expect(try catalog.clip(id)?.opened.event == event.id)
        func alone() throws -> Int {
            try catalog.remoteEvents(camera: "front", fromWallMs: 0, toWallMs: .max, isGone: true).count
        }
        #expect(try alone() == 0 && catalog.nextUploads(limit: 9).isEmpty)
        #expect(try catalog.uploads(UploadQuery()).allSatisfy { !$0.isWanted })
        try catalog.protect([id], false)
        _ = try Deleter(catalog: catalog).delete([id], rule: "siteSize", atWallMs: 8)
        var again = try Self.fetched(harness)
        again.events = fetched.events
        again.events[0].why = .limit
        #expect(try alone() == 1 && catalog.clip(catalog.enterFetched(again, of: remote))?.opened.event == event.id)
        #expect(try catalog.events(EventQuery()).map(\.why) == [.quiet])
    }

    @Test("A clip that the disk has, or the cloud has no more, is refused, and its files stay where they are")
    func refused() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let remote = try Self.sent(harness, catalog)
        func expectRefusal(_ words: String) throws {
            let fetched = try Self.fetched(harness)
            let error = #expect(throws: CatalogError.self) { try catalog.enterFetched(fetched, of: remote) }
            #expect(error?.reason.contains(words) == true, "\(error as Any)")
            #expect(harness.files(under: "fetching").count == 2)
        }
        let id = try catalog.enterFetched(Self.fetched(harness), of: remote)
        try expectRefusal("the disk has it as clip \(id)")
        try catalog.protect([id], false)
        _ = try Deleter(catalog: catalog).delete([id], rule: "siteSize", atWallMs: 8)
        // Deleted in the moment in which the files are moved.
        let fetched = try Self.fetched(harness)
        #expect(throws: CatalogError.self) {
            try catalog.enterFetched(fetched, of: remote) { step in
                if step == "durable" { try catalog.removeRemote([remote], rule: "command", atWallMs: 9) }
            }
        }
        #expect(harness.files(under: "clips").isEmpty && harness.files(under: "fetching").count == 2)
        try expectRefusal("the cloud's copy was deleted meanwhile")
    }

    @Test("Files of another clip or of no clip are refused")
    func strangers() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let remote = try Self.sent(harness, catalog)
        var fetched = try Self.fetched(harness)
        fetched.files[1].track.path = "clips/front/../../catalog.sqlite"
        #expect(throws: CatalogError.self) { try catalog.enterFetched(fetched, of: remote) }
        fetched = try Self.fetched(harness)
        fetched.files = []
        #expect(throws: CatalogError.self) { try catalog.enterFetched(fetched, of: remote) }
        let other = try #require(try catalog.enterRemote(CatalogHarness.found(atMs: Self.startMs - 9_000)))
        fetched = try Self.fetched(harness)
        #expect(throws: CatalogError.self) { try catalog.enterFetched(fetched, of: other) }
        #expect(harness.files(under: "clips").isEmpty && harness.files(under: "fetching").count == 2)
    }
}

extension CrashTests {
    @Test func `a clip that comes back can be cut anywhere: it is whole on the disk, or only in the cloud`() throws {
        try cutEverywhere(
            prepare: { harness, catalog in _ = try FetchedTests.sent(harness, catalog) },
            { harness, catalog, hook in
                let fetched = try FetchedTests.fetched(harness)
                _ = try catalog.enterFetched(fetched, of: RemoteClipID(rawValue: 1), hook: hook)
            },
            after: { _, catalog, cut, report in
                let clips = try catalog.clips(ClipQuery(camera: "front"))
                #expect(clips.count == (cut == "entered" ? 1 : 0) && clips.allSatisfy(\.protected), "after \(cut)")
                #expect(try catalog.remoteClip(RemoteClipID(rawValue: 1)) != nil, "after \(cut)")
                let moved = ["moved video": 1, "moved audio": 2, "durable": 2][cut] ?? 0
                #expect(report.setAside.count == moved, "after \(cut)")
            })
    }
}
