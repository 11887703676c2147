internal import Foundation
internal import Hummingbird
internal import MemorySite
internal import NIOCore
internal import Testing

@testable import Server

/// Requests for a protocol that the server does not speak, behind which HTTP's codec keeps whatever comes (H6).
@Suite("Behind a request for another protocol nothing is kept (H6)", .timeLimit(.minutes(5)))
struct UpgradeTests {
    private static let fields = "Host: vigil\r\nConnection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n"
    private static let check = #"{"text": "name: x\n"}"#

    /// Serves the routes of a small site, and `/held`, which is answered when `body` calls its last argument. Nothing runs out meanwhile.
    private func serve(
        heldIsViewer: Bool = false, tell: @escaping @Sendable (ConnectionCut) -> Void = { _ in },
        _ body: @escaping @Sendable (String, @escaping @Sendable () -> Void) async throws -> Void
    ) async throws {
        var limits = ConnectionLimits()
        (limits.headMax, limits.bodyMax, limits.idleMax) = (.minutes(10), .minutes(10), .minutes(10))
        let (held, letGo) = AsyncStream.makeStream(of: Void.self)
        let router = API.router(site: MemorySite(), gate: Gate(daemonUser: geteuid(), group: nil))
        router.get("/held") { _, context in
            if heldIsViewer {
                let channel = context.channel
                try await channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.handler(type: ConnectionRequests.self).connection
                        .becomesViewer()
                }.get()
            }
            for await _ in held {}
            return Reply.text("held\n")
        }
        try await RunningRouter.serve(router, Connections(limits, tell: tell), atEnd: { letGo.finish() }) { path, _ in
            try await body(path) { letGo.finish() }
        }
    }

    @Test(
        "it is answered as if it had not asked, and the connection says that it ends, and ends",
        arguments: [
            ("GET /v1/health HTTP/1.1\r\n\(fields)\r\n", "HTTP/1.1 200"),
            ("GET /v1/health HTTP/1.1\r\nHost: vigil\r\nUpgrade: h2c\r\n\r\n", "HTTP/1.1 200"),
            ("GET /v1/nothing HTTP/1.1\r\n\(fields)\r\n", "HTTP/1.1 404"),
            ("GET /v1/cameras/front/live HTTP/1.1\r\n\(fields)\r\n", "HTTP/1.1 400"),
            (
                "POST /v1/policies/check HTTP/1.1\r\n\(fields)Content-Length: \(check.utf8.count)\r\n\r\n\(check)",
                "HTTP/1.1 200"
            ),
            ("CONNECT vigil:80 HTTP/1.1\r\nHost: vigil\r\n\r\n", "HTTP/1.1 404"),
        ])
    func ends(_ request: String, _ status: String) async throws {
        try await serve { path, _ in
            let client = try RawClient(path)
            client.say(request)
            // What is asked behind it would never be read.
            client.say("GET /v1/health HTTP/1.1\r\nHost: vigil\r\n\r\n")
            let heard = try #require(await client.hear(within: 60))
            #expect(heard.hasPrefix(status), "\(heard)")
            #expect(heard.lowercased().ranges(of: "connection: close\r\n").count == 1, "\(heard)")
            #expect(heard.ranges(of: "HTTP/1.1 ").count == 1, "\(heard)")
        }
    }

    @Test("who asked before it is answered first, and the connection ends behind the last answer")
    func before() async throws {
        try await serve { path, _ in
            let client = try RawClient(path)
            client.say("GET /v1/health HTTP/1.1\r\nHost: vigil\r\n\r\nGET /v1/health HTTP/1.1\r\n\(Self.fields)\r\n")
            let heard = try #require(await client.hear(within: 60))
            #expect(heard.ranges(of: "HTTP/1.1 200").count == 2, "\(heard)")
            #expect(heard.lowercased().ranges(of: "connection: close\r\n").count == 1, "\(heard)")
        }
    }

    @Test("who says more and more behind it is cut off, a viewer too", arguments: [false, true])
    func floods(_ isViewer: Bool) async throws {
        let (told, tell) = AsyncStream.makeStream(of: ConnectionCut.self)
        try await serve(heldIsViewer: isViewer, tell: { tell.yield($0) }) { path, _ in
            let client = try RawClient(path)
            client.say("GET /held HTTP/1.1\r\n\(Self.fields)\r\n")
            let part = String(repeating: "x", count: 64 << 10)
            var said = 0
            while said < 64 << 20, client.say(part) {
                said += part.utf8.count
                await Task.yield()
            }
            // What the socket's buffers hold, and no more.
            #expect(said < 8 << 20)
            let cut = try #require(await told.first { _ in true })
            #expect(cut.reason == .behindLast)
        }
    }

    @Test("a little behind it is borne: it gets its answer")
    func borne() async throws {
        try await serve { path, letGo in
            let client = try RawClient(path)
            client.say("GET /held HTTP/1.1\r\n\(Self.fields)\r\n")
            client.say(String(repeating: "x", count: 1_000))
            letGo()
            #expect(await client.hear(within: 60)?.hasPrefix("HTTP/1.1 200") == true)
        }
    }
}
