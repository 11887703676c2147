import Catalog
import Cloud
import Foundation
import Machines
import Media
import Synchronization
import Testing

@testable import Daemon

/// What is known of a clip that was sent while it was recorded, when its file is whole.
@Suite struct LivePiecesTests {
    /// Three fragments of 1,000 bytes after a header of 100.
    private static let index = FragmentIndex(
        timescale: 1_000, headerBytes: 100,
        entries: (0..<3 as Range<UInt64>).map { number -> FragmentIndex.Entry in
            FragmentIndex.Entry(
                offset: 100 + number * 1_000, size: 1_000, decodeTime: number * 2_000, durationTicks: 2_000,
                sampleCount: 50, startsWithKey: true)
        })

    private static func row(_ name: String, _ first: Int64, _ bytes: Int64, there: Bool = true) -> UploadObject {
        UploadObject(
            name: name, track: 0, firstByte: first, bytes: bytes, sha256: String(repeating: "7", count: 64),
            isThere: there)
    }

    @Test("Pieces that were sent or begun stay, with their digests; what is missing follows")
    func completed() throws {
        let sent = [
            Self.row("video.000002.cmfv", 1_100, 1_000, there: false), Self.row("audio.000001.cmfa", 0, 77),
            UploadObject(name: "live.json", bytes: 0), Self.row("video.000001.cmfv", 0, 1_100),
        ]
        let objects = try #require(LivePieces.objects(of: .video, Self.index, sent))
        #expect(objects.map(\.name) == (1...3).map { CloudKeys.piece(.video, $0) })
        #expect(objects.map(\.range) == [0..<1_100, 1_100..<2_100, 2_100..<3_100])
        #expect(objects.map(\.sha256.isEmpty) == [false, false, true])
        // A track of which nothing was sent is in pieces, too: its list had no end.
        #expect(LivePieces.objects(of: .video, Self.index, [sent[2]])?.map(\.range) == [0..<3_100])
    }

    @Test("Pieces of another file, or with a hole, are none of this one")
    func others() {
        #expect(LivePieces.objects(of: .video, Self.index, [Self.row("video.000001.cmfv", 0, 1_099)]) == nil)
        #expect(LivePieces.objects(of: .video, Self.index, [Self.row("video.000001.cmfv", 0, 4_100)]) == nil)
        #expect(LivePieces.objects(of: .video, Self.index, [Self.row("video.000002.cmfv", 1_100, 1_000)]) == nil)
    }

    @Test("A clip was sent live where a piece or live.json was begun, and not for a whole file or its parts")
    func wasLive() {
        for name in ["live.json", "video.000001.cmfv", "audio.000009.cmfa"] {
            #expect(LivePieces.isAny(of: [UploadObject(name: name, bytes: 1)]), "\(name)")
        }
        for name in ["video.cmfv", "clip.json", "index.m3u8", "event-1.jpg"] {
            #expect(!LivePieces.isAny(of: [UploadObject(name: name, bytes: 1)]), "\(name)")
        }
        #expect(!LivePieces.isAny(of: []))
    }

    @Test(
        "The pieces of a clip that is closed are its file; pieces with other bytes are told, and it is sent as a whole")
    func digests() throws {
        let root = NSTemporaryDirectory() + "vigil-pieces-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let catalog = try Catalog(root: root)
        let paths = try #require(ClipPaths(camera: "front", startWallMs: 1_795_428_000_000, token: "k"))
        try catalog.makeFolder(of: paths)
        let content = (0..<3_100).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try Data(content).write(to: URL(fileURLWithPath: catalog.absolutePath(of: paths.path(.video))))
        let start = Moment(monotonicMs: 5, wallMs: 1_795_428_000_000)
        let clip = try catalog.openClip(
            NewClip(
                camera: "front", bootID: "b", start: start, cause: .continuous, policy: "p", policyRevision: "1",
                mediaClass: .continuous),
            tracks: [NewTrack(kind: .video, codec: "avc1.64001f", path: paths.path(.video))])
        let event = catalog.newEventID()
        func moment(_ ms: Int64) -> Moment { Moment(monotonicMs: 5 + ms, wallMs: start.wallMs + ms) }
        try catalog.beginEvent(event, NewEvent(camera: "front", bootID: "b", began: moment(1_000), cause: "detection"))
        let box = LabelBox(x: 0.1, y: 0.2, width: 0.3, height: 0.4)
        try catalog.recordLabel(EventLabel(name: "person", at: moment(1_500), box: box), of: event)
        try catalog.endEvent(event, at: moment(3_000), why: .quiet)
        let scan = TrackContents(bytes: 3_100, fragments: 3, durationMs: 6_000, index: Data(Self.index.encoded()))
        try catalog.closeClip(
            clip,
            ClosedClip(end: Moment(monotonicMs: 6_005, wallMs: start.wallMs + 6_000), ended: .length, tracks: [scan]))
        func source(_ sent: [UploadObject]) throws -> UploadSource {
            var source = try #require(try UploadSource(of: clip, key: paths.stem, sent: sent, in: catalog))
            try source.digest { false }
            return source
        }
        let whole = try source([])
        #expect(
            whole.description.events.map(\.labels) == [
                [
                    ClipDescription.Label(
                        label: "person", atMonotonicMs: 1_505, atWallMs: start.wallMs + 1_500, box: box)
                ]
            ])
        #expect(!whole.wasLive && whole.description.tracks[0].objects.map(\.name) == ["video.cmfv"])
        let begun = try source([UploadObject(name: "live.json", bytes: 0)])
        #expect(begun.wasLive && begun.description.tracks[0].objects.map(\.name) == ["video.000001.cmfv"])
        var first = UploadObject(name: "video.000001.cmfv", track: 0, bytes: 1_100, isThere: true)
        let piece = try LiveSource.content(
            of: PiecePlan.Piece(number: 1, bytes: 0..<1_100),
            LiveSource.Track(
                ordinal: 0, kind: .video, codec: "avc1.64001f", path: catalog.absolutePath(of: paths.path(.video)),
                index: Self.index, size: nil, durable: 3, encrypted: nil))
        first.sha256 = piece.sha256
        let sent = try source([first])
        #expect(sent.misfits.isEmpty && sent.description.tracks[0].objects.map(\.bytes) == [1_100, 2_000])
        #expect(sent.description.tracks[0].objects[0].sha256 == piece.sha256)
        // Whatever it was sent as, it is the same clip.
        #expect(sent.seal == whole.seal && begun.seal == whole.seal)
        _ = try ClipDescription(parsing: sent.description.encoded)
        first.sha256 = String(repeating: "7", count: 64)
        let other = try source([first])
        #expect(other.misfits == [paths.path(.video)] && other.seal == whole.seal)
        #expect(other.description.tracks == whole.description.tracks)
        // It has fewer bytes than were sent.
        first.bytes = 4_000
        #expect(try source([first]).misfits == [paths.path(.video)])
    }

    @Test("The worker hears of clips that begin and grow, and of events while one is written; of nothing else")
    func news() throws {
        let heard = Mutex<[String]>([])
        let clips = LiveClips()
        clips.whenNews { news in heard.withLock { $0.append("\(news)") } }
        let folder = NSTemporaryDirectory() + "vigil-live-\(UUID().uuidString.prefix(8))"
        let writer = ClipWriter(pathWithoutExtension: folder) { _ in }
        let id = ClipID(rawValue: 7)
        clips.eventBegan()
        clips.grew(id)
        #expect(heard.withLock { $0 } == [] && clips[id] == nil)
        clips.began(GrowingClip(id: id, stem: "clips/front/x", written: writer.written))
        clips.grew(id)
        clips.grew(ClipID(rawValue: 8))
        clips.eventBegan()
        #expect(heard.withLock { $0 } == ["began", "grew(7)", "began"] && clips[id]?.stem == "clips/front/x")
        clips.ended(id)
        clips.grew(id)
        clips.eventBegan()
        #expect(heard.withLock { $0.count } == 3 && clips[id] == nil)
    }
}
