internal import Foundation
internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MemorySite
internal import NIOCore
internal import ServiceLifecycle
internal import Testing

@testable import Server

/// Who follows the journal, over real connections and without.
@Suite("Following the journal", .timeLimit(.minutes(5)))
struct JournalFeedTests {
    private static func record(_ number: Int, camera: String? = "front", words: String = "") -> JournalRecord {
        JournalRecord(
            time: WallTime(ms: Int64(number)), kind: "clipOpened", priority: "info", camera: camera,
            message: "clip opened: \(number)", fields: ["VIGIL_CLIP": "\(number)", "VIGIL_DETAIL": words])
    }

    private static func numbers(_ news: JournalFeed.News) -> [UInt64] { news.records.map(\.number) }

    @Test("a reader gets what comes after its place, in batches, and nothing twice")
    func order() {
        let feed = JournalFeed(run: "r")
        for number in 1...100 { feed.add(Self.record(number)) }
        var (position, isKnown) = feed.position(after: "r.30")
        #expect(isKnown)
        var read = feed.read(&position) { _ in true }
        #expect(Self.numbers(read) == Array(31...94) && read.hasMore && read.missed == 0)
        read = feed.read(&position) { _ in true }
        #expect(Self.numbers(read) == Array(95...100) && !read.hasMore)
        #expect(feed.read(&position) { _ in true }.records.isEmpty)
        var newest = feed.position(after: nil).position
        #expect(feed.read(&newest) { _ in true }.records.isEmpty)
    }

    @Test("what the feed keeps is bounded in number and in bytes, and a reader is told how many it missed")
    func bounded() {
        let few = JournalFeed(run: "r", bounds: .init(records: 10, bytes: 1 << 20))
        for number in 1...1_000 { few.add(Self.record(number)) }
        var position = few.position(after: "r.5").position
        var read = few.read(&position) { _ in true }
        #expect(read.missed == 985 && Self.numbers(read) == Array(991...1_000))
        let small = JournalFeed(run: "r", bounds: .init(records: 1_000, bytes: 20_000))
        for number in 1...100 { small.add(Self.record(number, words: String(repeating: "x", count: 5_000))) }
        position = small.position(after: "r.99").position
        read = small.read(&position) { _ in true }
        #expect(read.missed == 0 && Self.numbers(read) == [100])
        position = small.position(after: "r.1").position
        read = small.read(&position) { _ in true }
        #expect(read.records.count <= 4 && read.missed == 99 - UInt64(read.records.count))
    }

    @Test(
        "an id of another run, one that was never given and what is no id: all that is kept, and it is said",
        arguments: [
            "other.5", "r.11", "r.", "r", "", "r.5.5", "r.-1", "r.99999999999999999999999", "5",
        ])
    func strangeIDs(_ id: String) {
        let feed = JournalFeed(run: "r")
        for number in 1...10 { feed.add(Self.record(number)) }
        var (position, isKnown) = feed.position(after: id)
        #expect(!isKnown)
        #expect(Self.numbers(feed.read(&position) { _ in true }) == Array(1...10))
    }

    /// Serves a feed at a Unix socket while `body` talks to it.
    private func serve(
        _ feed: JournalFeed, beat: Duration = .seconds(60), cameras: CameraScope = .all,
        _ change: (inout ConnectionLimits) -> Void = { _ in },
        _ body: RunningRouter.Body
    ) async throws {
        var limits = ConnectionLimits()
        change(&limits)
        let router = Router(context: APIContext.self)
        router.add(middleware: ErrorMiddleware())
        router.get("/journal") { request, context in
            var following = Reply.Following(cameras: cameras)
            following.after = request.headers[.lastEventID]
            following.beat = beat
            return Reply.journal(feed, following, holding: try await FollowerPlace.take(context.channel))
        }
        router.get("/v1/health") { _, _ in Reply.text("ok\n") }
        try await RunningRouter.serve(router, Connections(limits), body)
    }

    private func follow(_ path: String, after id: String? = nil) throws -> RawClient {
        let client = try RawClient(path)
        client.say("GET /journal HTTP/1.1\r\nHost: vigil\r\n\(id.map { "Last-Event-ID: \($0)\r\n" } ?? "")\r\n")
        return client
    }

    @Test("records come as they are said; who connects again goes on behind the last id, or is told what is gone")
    func resumed() async throws {
        let feed = JournalFeed(run: "r", bounds: .init(records: 3))
        try await serve(feed) { path, _ in
            let client = try follow(path)
            let head = try #require(await client.hear(until: "retry: 2000\nid: r.0\n\n"))
            #expect(head.contains("200 OK") && head.lowercased().contains("content-type: text/event-stream"))
            feed.add(Self.record(1, words: "two\nlines: \u{2028}\r\ndata: no"))
            let first = try #require(await client.hear(until: "\n\n"))
            #expect(first.contains("id: r.1\ndata: {\"camera\":\"front\",\"fields\":{"))
            #expect(first.contains(#""kind":"clipOpened","message":"clip opened: 1","priority":"info","time":"1970-"#))
            #expect(first.contains(#""VIGIL_DETAIL":"two\nlines: "#) && !first.contains("\ndata: no"))
            for number in 2...3 { feed.add(Self.record(number)) }
            let again = try follow(path, after: "r.1")
            let rest = try #require(await again.hear(until: "id: r.3"))
            #expect(rest.contains("id: r.2\n") && !rest.contains("id: r.1\ndata") && !rest.contains("missed"))
            for number in 4...9 { feed.add(Self.record(number)) }
            let late = try #require(await follow(path, after: "r.1").hear(until: "id: r.9"))
            #expect(late.contains("event: missed\ndata: {\"records\":5}\n\nid: r.7\n") || late.contains("id: r.7\n"))
            #expect(late.contains("{\"records\":5}"))
            let strange = try #require(await follow(path, after: "other.1").hear(until: "id: r.9"))
            #expect(strange.contains("event: missed\ndata: {\"records\":null}\n\n"))
        }
    }

    @Test("a reader with rights on one camera hears of no other and of nothing about the site")
    func scoped() async throws {
        let feed = JournalFeed(run: "r")
        try await serve(feed, cameras: .only(["front"])) { path, _ in
            let client = try follow(path)
            _ = try #require(await client.hear(until: "retry"))
            feed.add(Self.record(1, camera: "back"))
            feed.add(Self.record(2, camera: nil))
            feed.add(Self.record(3))
            let heard = try #require(await client.hear(until: "id: r.3"))
            #expect(!heard.contains("r.1") && !heard.contains("r.2"))
        }
    }

    @Test("while nothing happens a comment says that the connection lives")
    func beats() async throws {
        try await serve(JournalFeed(run: "r"), beat: .milliseconds(30)) { path, _ in
            let client = try follow(path)
            #expect(await client.hear(until: ":\n\n") != nil)
            #expect(await client.hear(until: ":\n\n") != nil)
        }
    }

    @Test("at a stop the answer ends at once and whole, with what was said last")
    func stopped() async throws {
        let feed = JournalFeed(run: "r")
        try await serve(feed) { path, stop in
            let client = try follow(path)
            _ = try #require(await client.hear(until: "retry"))
            feed.add(Self.record(1))
            await stop()
            let rest = try #require(await client.hear())
            #expect(rest.contains("id: r.1") && rest.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test(
        "who follows is counted apart: when all places are taken others cannot follow, and every request is answered (H6)"
    )
    func places() async throws {
        let feed = JournalFeed(run: "r")
        try await serve(feed, { ($0.most, $0.ofPeerMost, $0.followersMost) = (3, 2, 6) }) { path, _ in
            // One after the other: until it follows, each takes an ordinary place.
            var readers: [RawClient] = []
            for _ in 0..<6 {
                readers.append(try follow(path))
                #expect(await readers.last?.hear(until: "retry") != nil)
            }
            #expect(try await RawClient.status("GET /v1/health", at: path) == 200)
            #expect(try await RawClient.status("GET /journal", at: path) == 503)
            readers.removeLast()
            // Its place is free when the server has seen that it went away.
            var next: String?
            for _ in 0..<1_000 where next == nil {
                feed.add(Self.record(1))
                let reader = try follow(path)
                let head = await reader.hear(until: "\r\n\r\n")
                if head?.contains("200 OK") == true { next = head }
            }
            #expect(next != nil)
        }
    }

    @Test("who does not take what is said is cut off by the bound of every answer, and nothing is kept for it")
    func slow() async throws {
        let feed = JournalFeed(run: "r")
        try await serve(feed, { $0.stalledMax = .milliseconds(300) }) { path, _ in
            let reader = try follow(path)
            _ = try #require(await reader.hear(until: "retry"))
            let talking = Task {
                while !Task.isCancelled {
                    feed.add(Self.record(1, words: String(repeating: "x", count: 4_000)))
                    await Task.yield()
                }
            }
            defer { talking.cancel() }
            // It reads nothing until the other end has hung up.
            #expect(await reader.isHungUp())
        }
    }
}
