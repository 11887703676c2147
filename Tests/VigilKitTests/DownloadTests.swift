import HTTPTypes
import Synchronization
import Testing

@testable import VigilKit

@Suite("Downloads", .timeLimit(.minutes(1)))
struct DownloadTests {
    private static let request = DownloadRequest(
        camera: "front", from: WallTime(ms: 1_000_000), to: WallTime(ms: 1_060_000))
    /// As many bytes as three pieces and a bit.
    private static let movie = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }

    /// What a sink was given.
    private final class Taken: Sendable {
        let all = Mutex<(bytes: [UInt8], progress: [DownloadProgress])>(([], []))
        var bytes: [UInt8] { all.withLock { $0.bytes } }
        var progress: [DownloadProgress] { all.withLock { $0.progress } }
        func take(_ bytes: [UInt8], _ progress: DownloadProgress) {
            all.withLock {
                $0.bytes += bytes
                $0.progress.append(progress)
            }
        }
    }

    @Test("All bytes come once and in order, and the progress says how many; what stopped goes on where it was")
    func resume() async throws {
        let server = MovieServer(Self.movie)
        let downloads = Downloads(Vigil(server), pieceBytes: 65_536)
        let whole = Taken()
        let end = try await downloads.download(Self.request) { whole.take($0, $1) }
        #expect(whole.bytes == Self.movie)
        #expect(whole.progress.map(\.bytes) == [65_536, 131_072, 196_608, 200_000])
        #expect(end == .done(try #require(whole.progress.last)) && whole.progress.last?.isDone == true)
        let rest = Taken()
        _ = try await downloads.resume(whole.progress[1]) { rest.take($0, $1) }
        #expect(rest.bytes == Array(Self.movie[131_072...]))
        // What is whole asks for nothing.
        let asked = server.asked
        #expect(try await downloads.resume(try #require(whole.progress.last)) { _, _ in } == end)
        #expect(server.asked == asked)
    }

    @Test("A newer download cancels the older one, which has let go of its sink before; cancel ends the one under way")
    func newer() async throws {
        let downloads = Downloads(Vigil(MovieServer(Self.movie)), pieceBytes: 65_536)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let isInSink = Mutex(false)
        let older = Task {
            try await downloads.download(Self.request) { _, _ in
                isInSink.withLock { $0 = true }
                defer { isInSink.withLock { $0 = false } }
                begin.yield()
                try await Task.sleep(for: .seconds(600))
            }
        }
        for await _ in begun { break }
        let taken = Taken()
        let newer = try await downloads.download(Self.request) { bytes, progress in
            #expect(isInSink.withLock { !$0 })
            taken.take(bytes, progress)
        }
        #expect(try await older.value == .superseded)
        #expect(newer == .done(try #require(taken.progress.last)) && taken.bytes == Self.movie)
        let end = try await downloads.download(Self.request) { _, _ in await downloads.cancel() }
        #expect(end == .cancelled)
        // Whoever waits may be cancelled, too.
        let task = Task {
            try await downloads.download(Self.request) { _, _ in try await Task.sleep(for: .seconds(600)) }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A movie that is another one by now is refused as a conflict, whatever was kept of it")
    func changed() async throws {
        let server = MovieServer(Self.movie)
        let downloads = Downloads(Vigil(server), pieceBytes: 65_536)
        let taken = Taken()
        _ = try await downloads.download(Self.request) { taken.take($0, $1) }
        let kept = try #require(taken.progress.first)
        func progress(_ bytes: Int64, _ size: Int64, _ tag: String) -> DownloadProgress {
            DownloadProgress(request: Self.request, bytes: bytes, size: size, tag: tag, skipped: nil)
        }
        let others = [
            progress(kept.bytes, kept.size, "\"other\""), progress(kept.bytes, kept.size + 1, kept.tag),
            progress(.max - 1, .max, kept.tag), progress(kept.bytes, kept.size, "a\r\nb"),
        ]
        for other in others {
            await #expect {
                try await downloads.resume(other) { _, _ in Issue.record("bytes of another movie") }
            } throws: {
                guard case VigilError.refused(let refusal)? = $0 as? VigilError else { return false }
                return refusal.kind == .conflict
            }
        }
        server.tag = "\"new\""
        await #expect(throws: VigilError.self) { try await downloads.resume(kept) { _, _ in } }
        // A number that no download ever had begins with the begin.
        server.tag = kept.tag
        let whole = Taken()
        _ = try await downloads.resume(progress(-5, kept.size, kept.tag)) { whole.take($0, $1) }
        #expect(whole.bytes == Self.movie)
    }

    @Test(
        "What a server says of ranges that are none is not believed",
        arguments: [
            "", "bytes", "bytes */200000", "bytes 0-65535/*", "bytes 0-65535", "bytes 1-65536/200000",
            "bytes 0-99/200000",
            "bytes 65535-0/200000", "bytes 0-65535/65535", "bytes 0-9223372036854775807/9223372036854775807",
            "bytes -1-65535/200000", "bytes +0-65535/200000", "bytes 0-65535/200000/1",
            "bytes 0-65535/99999999999999999999",
        ])
    func hostile(_ range: String) async {
        let server = MovieServer(Self.movie)
        server.range = range
        await #expect(throws: VigilError.self) {
            try await Downloads(Vigil(server), pieceBytes: 65_536).download(Self.request) { _, _ in
                Issue.record("bytes of \(range)")
            }
        }
    }

    @Test("A piece that is longer than what was asked for is not read to its end")
    func endless() async {
        let server = MovieServer(Self.movie)
        server.isEndless = true
        await #expect(throws: VigilError.self) {
            try await Downloads(Vigil(server), pieceBytes: 65_536).download(Self.request) { _, _ in
                Issue.record("bytes without end")
            }
        }
    }
}

/// A daemon that serves one movie by ranges, or lies.
private final class MovieServer: Transport, @unchecked Sendable {
    let address = "test"
    private let movie: [UInt8]
    private let lock = Mutex((tag: "\"movie\"", asked: 0))
    /// What it says of every range; nil: the truth.
    nonisolated(unsafe) var range: String?
    nonisolated(unsafe) var isEndless = false

    init(_ movie: [UInt8]) { self.movie = movie }

    var asked: Int { lock.withLock { $0.asked } }
    var tag: String {
        get { lock.withLock { $0.tag } }
        set { lock.withLock { $0.tag = newValue } }
    }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        lock.withLock { $0.asked += 1 }
        try Task.checkCancellation()
        let tag = tag
        let numbers = request.headerFields[.range]?.dropFirst("bytes=".count).split(separator: "-").compactMap {
            Int($0)
        }
        var head = HTTPResponse(status: .ok)
        head.headerFields[.eTag] = tag
        let condition = HTTPField.Name("If-Range").flatMap { request.headerFields[$0] }
        guard let numbers, numbers.count == 2, numbers[0] < movie.count, condition ?? tag == tag else {
            return TransportResponse(head: head, body: ResponseBody(Pieces(pieces: [movie], isEndless: false)))
        }
        let part = Array(movie[numbers[0]..<min(numbers[1] + 1, movie.count)])
        head.status = .partialContent
        head.headerFields[.contentRange] = range ?? "bytes \(numbers[0])-\(numbers[0] + part.count - 1)/\(movie.count)"
        return TransportResponse(head: head, body: ResponseBody(Pieces(pieces: [part], isEndless: isEndless)))
    }

    private struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
        typealias Element = [UInt8]
        var pieces: [[UInt8]]
        let isEndless: Bool
        mutating func next() async throws -> [UInt8]? {
            guard let first = pieces.first else { return nil }
            if !isEndless { pieces.removeFirst() }
            return first
        }
        func makeAsyncIterator() -> Self { self }
    }
}
