import Catalog
import Foundation
import Synchronization
import Testing

@testable import Daemon

@Suite("What was read from the store is kept at hand")
struct CloudCacheTests {
    /// A root, and a store of which it is counted how often each range was asked for.
    private final class House: Sendable {
        let root = NSTemporaryDirectory() + "vigil-cache-\(UUID().uuidString.prefix(8))"
        let catalog: Catalog
        let asked = Mutex<[Int: Int]>([:])

        init() throws { catalog = try Catalog(root: root) }
        deinit { try? FileManager.default.removeItem(atPath: root) }

        func cache(_ bytesMax: Int64 = 100 << 20) -> CloudCache {
            CloudCache(catalog: catalog, waitMs: 600_000) { bytesMax }
        }

        func range(_ number: Int, key: String = "clips/a") -> CloudCache.Range {
            CloudCache.Range(store: "s", key: key, object: "video.cmfv", number: number)
        }

        static func content(_ number: Int) -> [UInt8] {
            Array(repeating: UInt8(truncatingIfNeeded: number), count: 1_000)
        }

        /// Reads a range off the cooperative pool, as players do.
        func read(_ cache: CloudCache, _ number: Int, key: String = "clips/a") async throws -> [UInt8] {
            let range = range(number, key: key)
            return try await Blocking.always {
                try cache.read(range) {
                    self.asked.withLock { $0[number, default: 0] += 1 }
                    return Self.content(number)
                }
            }
        }

        /// Waits until so many files are kept: they are written after who asked has them.
        func kept(_ count: Int) async throws {
            try await waitUntil("\(count) files", seen: { "\(files.count) are kept" }, { files.count == count })
        }

        var files: [String] {
            (FileManager.default.enumerator(atPath: root + "/cloud")?.allObjects as? [String] ?? [])
                .filter { $0.contains("video.cmfv") && !$0.contains(".new") }
        }
    }

    @Test("a range is asked for once, also after a restart; one that was damaged is asked for again")
    func once() async throws {
        let house = try House()
        var cache = house.cache()
        #expect(try await house.read(cache, 7) == House.content(7))
        try await house.kept(1)
        #expect(try await house.read(cache, 7) == House.content(7))
        cache = house.cache()
        #expect(try await house.read(cache, 7) == House.content(7))
        #expect(house.asked.withLock { $0 } == [7: 1])
        let path = house.root + "/cloud/" + (try #require(house.files.first))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try await house.read(cache, 7) == House.content(7))
        #expect(house.asked.withLock { $0 } == [7: 2])
    }

    @Test("what was used longest ago goes first, and never more is kept than may be")
    func bounded() async throws {
        let house = try House()
        // Three ranges, and a little.
        let cache = house.cache(3_500)
        for number in 0..<3 { _ = try await house.read(cache, number) }
        try await house.kept(3)
        _ = try await house.read(cache, 0)
        _ = try await house.read(cache, 3)
        try await house.kept(2)
        #expect(Set(house.files.compactMap { $0.split(separator: ".").last }) == ["0", "3"])
        // Where nothing may be kept, a range is asked for again as soon as the answer before is over.
        let small = try House()
        let none = small.cache(10)
        while small.asked.withLock({ $0[1, default: 0] }) < 2 {
            #expect(try await small.read(none, 1) == House.content(1))
        }
        #expect(small.files.isEmpty)
    }

    @Test("a clip that goes takes its ranges with it, and no others")
    func forgotten() async throws {
        let house = try House()
        let cache = house.cache()
        for number in 0..<2 { _ = try await house.read(cache, number) }
        _ = try await house.read(cache, 5, key: "clips/b")
        try await house.kept(3)
        cache.forget("clips/a", store: "s")
        #expect(house.files.count == 1)
        _ = try await house.read(cache, 5, key: "clips/b")
        #expect(house.asked.withLock { $0[5] } == 1)
    }

    @Test("many who want the same range wait for one answer, and a failure is not kept")
    func together() async throws {
        let house = try House()
        let cache = house.cache()
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let range = house.range(1)
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await Blocking.fetching.run {
                        try cache.read(range) {
                            house.asked.withLock { $0[1, default: 0] += 1 }
                            begin.finish()
                            for await _ in gate { break }
                            return [1, 2, 3]
                        }
                    }
                }
            }
            for await _ in begun {}
            open.finish()
            for try await bytes in group { #expect(bytes == [1, 2, 3]) }
        }
        #expect(house.asked.withLock { $0[1] } == 1)
        struct Away: Error {}
        let other = house.range(2)
        await #expect(throws: Away.self) {
            try await Blocking.fetching.run { try cache.read(other) { throw Away() } }
        }
        #expect(try await house.read(cache, 2) == House.content(2))
    }
}
