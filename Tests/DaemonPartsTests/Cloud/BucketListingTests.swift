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

    @Test(
        "A store that begins again is not listened to, however many pages it goes round", arguments: [1, 2, 3, 7, 100])
    func endless(period: Int) throws {
        var listing = BucketListing(prefixBytes: 6)
        var pages = 0
        let error = #expect(throws: DaemonFailure.self) {
            for number in 0..<10_000 {
                // Some lead into the circle.
                let clip = number < 5 ? number : 5 + (number - 5) % period
                _ = try listing.take([(key(clip, "clip.json"), 1)], isLast: false)
                pages += 1
            }
        }
        #expect(error?.description.contains("again") == true && pages < 6 * (period + 5), "\(pages)")
    }

    @Test("A store may list in another order than that of the keys")
    func order() throws {
        var listing = BucketListing(prefixBytes: 6)
        var clips = 0
        for number in (0..<1_000).reversed() {
            clips += try listing.take(
                [(key(number, "video.cmfv"), 2), (key(number, "clip.json"), 1)], isLast: number == 0
            )
            .count { $0.objects.count == 2 }
        }
        #expect(clips == 1_000)
    }

    @Test("A clip that was sent live has a piece for each fragment, and all of them are there")
    func pieces() throws {
        var listing = BucketListing(prefixBytes: 6)
        let names =
            ["clip.json"] + ["audio", "video"].flatMap { kind in (1...1_500).map { "\(kind).\(100_000 + $0).cmfv" } }
        var clips: [BucketListing.Folder] = []
        for start in stride(from: 0, to: names.count, by: 1_000) {
            let page = names[start..<min(start + 1_000, names.count)].map { (key(1, $0), UInt64(1)) }
            clips += try listing.take(page, isLast: start + 1_000 >= names.count)
        }
        #expect(clips.count == 1 && clips.first?.objects.count == names.count)
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
        let entries = (0..<BucketListing.objectsOfClipMax + 100).map { (key(1, "part-\(1_000_000 + $0)"), UInt64($0)) }
        let long = (0..<100).map { (key(1, String(repeating: "x", count: 65) + "\($0)"), UInt64($0)) }
        let clips = try listing.take(long + entries, isLast: true)
        #expect(clips.count == 1 && clips.first?.objects.count == BucketListing.objectsOfClipMax)
        #expect(clips.first?.objects.keys.allSatisfy { $0.hasPrefix("part-") } == true)
    }
}
