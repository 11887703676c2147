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

/// Exports over a real connection whose reader does not do what one hopes.
@Suite("Readers of exports", .timeLimit(.minutes(5)))
struct SlowReaderTests {
    /// Zeros without end, as chunks of an export; tells when nobody holds them any more.
    private struct Endless: AsyncSequence, Sendable {
        typealias Element = [UInt8]
        typealias Failure = any Error

        final class Ended: Sendable {
            let tell: @Sendable () -> Void
            init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }
            deinit { tell() }
        }

        struct Iterator: AsyncIteratorProtocol {
            let ended: Ended
            mutating func next() async throws -> [UInt8]? { [UInt8](repeating: 0, count: 256 << 10) }
        }

        let ended: Ended
        func makeAsyncIterator() -> Iterator { Iterator(ended: ended) }
    }

    /// Serves one endless export at a Unix socket while `body` talks to it; `ended` finishes when the export has ended.
    private func serve(
        stalledMax: TimeAmount,
        _ body: @Sendable (_ connection: Int32, _ stop: @escaping RunningRouter.Stop) async throws -> Void
    ) async throws {
        var limits = ConnectionLimits()
        limits.stalledMax = stalledMax
        let (ended, tell) = AsyncStream.makeStream(of: Void.self)
        let router = Router(context: APIContext.self)
        router.get("/export") { _, context in
            let chunks = Endless(ended: Endless.Ended { tell.finish() })
            return Reply.media(ExportBytes(bytes: 1 << 40, chunks: chunks), over: context.channel)
        }
        try await RunningRouter.serve(router, Connections(limits)) { path, stop in
            let connection = try connect(path)
            defer { close(connection) }
            try await body(connection, stop)
            for await _ in ended {}
        }
    }

    /// Connects and asks for the export.
    private func connect(_ path: String) throws -> Int32 {
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(connection, $0, length) }
        }
        try #require(status == 0)
        let request = "GET /export HTTP/1.1\r\nHost: vigil\r\n\r\n"
        try #require(write(connection, request, request.utf8.count) == request.utf8.count)
        return connection
    }

    /// Waits, on a thread of its own, until the other end has closed; gives how many bytes came before.
    private static func drain(_ connection: Int32, upTo most: Int = .max) async -> Int {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var buffer = [UInt8](repeating: 0, count: 64 << 10)
                var total = 0
                while total < most, case let count = read(connection, &buffer, buffer.count), count > 0 {
                    total += count
                }
                continuation.resume(returning: total)
            }
        }
    }

    /// Waits until the other end has closed without reading anything.
    private static func hungUp(_ connection: Int32) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var poll = pollfd(fd: connection, events: 0, revents: 0)
                let minute: Int32 = 60_000
                continuation.resume(
                    returning: Glibc.poll(&poll, 1, minute) == 1 && poll.revents & Int16(POLLHUP) != 0)
            }
        }
    }

    @Test("who takes nothing is cut off after a bound, and the export ends")
    func stalled() async throws {
        try await serve(stalledMax: .milliseconds(300)) { connection, _ in
            #expect(await Self.hungUp(connection))
        }
    }

    @Test("who goes on reading is not, and a stop of the daemon does not wait for the end")
    func stopped() async throws {
        try await serve(stalledMax: .seconds(600)) { connection, stop in
            #expect(await Self.drain(connection, upTo: 50 << 20) >= 50 << 20)
            await stop()
            // What was on the way still comes; then the connection ends long before the terabyte.
            #expect(await Self.drain(connection) < 1 << 40)
        }
    }

    @Test("who goes away ends the export at once")
    func gone() async throws {
        try await serve(stalledMax: .seconds(600)) { connection, _ in
            #expect(await Self.drain(connection, upTo: 1 << 20) >= 1 << 20)
            shutdown(connection, Int32(SHUT_RDWR))
        }
    }
}
