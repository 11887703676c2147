import Testing

@testable import Daemon

@Suite("Listing of a bucket")
struct BucketListingTests {
    private func key(_ clip: Int, _ name: String) -> String { "store/clips/front/2026/11/23/\(1_000 + clip)/\(name)" }

    @Test("Clips come when they are whole, over the pages; what is encoded is none of their own")
    func pages() throws {
        var listing = BucketListing(prefixBytes: "store/".utf8.count)
        let first = try listing.take(
            [(key(1, "clip.json"), 1), (key(1, "video.cmfv"), 2), (key(2, "audio.cmfa"), 3)], isLast: false)
        #expect(first.map(\.key) == ["clips/front/2026/11/23/1001"])
        #expect(first.first?.objects == ["clip.json": 1, "video.cmfv": 2])
        let rest = try listing.take([(key(2, "encoded/master.m3u8"), 9), (key(2, "video.cmfv"), 4)], isLast: true)
        #expect(rest.map(\.objects) == [["audio.cmfa": 3, "video.cmfv": 4]])
        #expect(try listing.take([(key(3, "clip.json"), 1)], isLast: true).count == 1)
    }

    @Test("A store that lists a key again, or goes back, on a page or behind it, is not listened to")
    func endless() throws {
        for next in [key(2, "clip.json"), key(1, "video.cmfv"), ""] {
            var listing = BucketListing(prefixBytes: 6)
            _ = try listing.take([(key(2, "clip.json"), 1)], isLast: false)
            #expect(throws: DaemonFailure.self, "\(next)") { try listing.take([(next, 1)], isLast: false) }
        }
    }

    @Test("A store that lists more than any recorder has sent is not listened to")
    func tooMany() throws {
        var listing = BucketListing(prefixBytes: 6, objectsMax: 3)
        _ = try listing.take((1...3).map { (key($0, "clip.json"), 1) }, isLast: false)
        #expect(throws: DaemonFailure.self) { try listing.take([(key(4, "clip.json"), 1)], isLast: true) }
    }

    @Test("What is held of one clip is bounded, however many objects it has")
    func many() throws {
        var listing = BucketListing(prefixBytes: 6)
        let entries = (0..<10_000).map { (key(1, "part-\(100_000 + $0)"), UInt64($0)) }
        let clips = try listing.take(entries, isLast: true)
        #expect(clips.count == 1 && clips.first?.objects.count == BucketListing.objectsOfClipMax)
    }
}
