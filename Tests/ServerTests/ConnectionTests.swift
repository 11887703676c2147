internal import Foundation
internal import Hummingbird
internal import Logging
internal import MemorySite
internal import NIOCore
internal import NIOEmbedded
internal import ServiceLifecycle
internal import Synchronization
internal import Testing

@testable import Server

/// Clients that leave requests unfinished, answers unread, and connections open (H6).
@Suite("Clients hurt only themselves (H6)", .timeLimit(.minutes(5)))
struct ConnectionTests {
    /// What was told of connections that were cut off, waited for.
    private final class Cuts: Sendable {
        let told: AsyncStream<ConnectionCut>
        let tell: AsyncStream<ConnectionCut>.Continuation

        init() { (told, tell) = AsyncStream.makeStream() }

        func first() async -> ConnectionCut? { await told.first { _ in true } }
    }

    /// Requests that stay under way until they are let go.
    private final class Held: Sendable {
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
        let arrivals: AsyncStream<Void>
        private let arrived: AsyncStream<Void>.Continuation

        init() { (arrivals, arrived) = AsyncStream.makeStream() }

        func hold() async {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0.append(continuation) }
                arrived.yield()
            }
        }

        func letGo() { waiting.withLock { waiting in while let one = waiting.popLast() { one.resume() } } }
    }

    /// Serves the routes of a small site, and `/held`, under `limits` while `body` attacks.
    private func serve(
        _ change: (inout ConnectionLimits) -> Void = { _ in }, cuts: Cuts = Cuts(), held: Held = Held(),
        _ body: RunningRouter.Body
    ) async throws {
        var limits = ConnectionLimits()
        change(&limits)
        let router = API.router(site: MemorySite(clips: 1_000), gate: Gate(daemonUser: geteuid(), group: nil))
        router.get("/held") { _, _ in
            await held.hold()
            return Reply.text("held\n")
        }
        router.get("/large") { _, _ in Reply.text(String(repeating: "x", count: 32 << 20)) }
        let connections = Connections(limits) { cuts.tell.yield($0) }
        try await RunningRouter.serve(router, connections, atEnd: { held.letGo() }, body)
    }

    private static let half = "GET /v1/states HTTP/1.1\r\nHost: vigil\r\nX: "
    private static let body =
        "POST /v1/policies/check HTTP/1.1\r\nHost: vigil\r\nContent-Length: 200000\r\n\r\n{"

    @Test("half-open requests of any number keep nobody out: the ones that wait longest give up their places")
    func halfOpen() async throws {
        let cuts = Cuts()
        // Far longer than the test lasts: a place is to be taken, not to run out.
        try await serve({ $0.headMax = .minutes(10) }, cuts: cuts) { path, _ in
            let silent = try (0..<64).map { _ in try RawClient(path) }
            for question in ["GET /v1/states", "GET /v1/health"] {
                #expect(try await RawClient.status(question, at: path, within: 120) == 200)
            }
            let half = try (0..<200).map { _ in try RawClient(path) }
            for client in half { client.say(Self.half) }
            for question in ["GET /v1/states", "GET /v1/health"] {
                #expect(try await RawClient.status(question, at: path, within: 120) == 200)
            }
            let told = try #require(await cuts.first())
            #expect(told.reason == .crowded && told.peer.contains("uid \(geteuid())"))
            withExtendedLifetime((silent, half)) {}
        }
    }

    @Test(
        "a head, a body or a chunked body that does not end in time is cut off, however it drips",
        arguments: [
            (half, "y", ConnectionCut.Reason.head), (body, " ", .body),
            (
                "POST /v1/policies/check HTTP/1.1\r\nHost: vigil\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n",
                .body
            ),
            ("GET /v1/health HTTP/1.1\r\nHost: vigil\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n", .body),
        ])
    func drips(_ begin: String, _ drop: String, _ reason: ConnectionCut.Reason) async throws {
        let cuts = Cuts()
        // The other bound is far: a busy machine may hold up what a test sends.
        try await serve(
            {
                $0.headMax = reason == .head ? .milliseconds(400) : .minutes(10)
                $0.bodyMax = .milliseconds(600)
            }, cuts: cuts
        ) { path, _ in
            let client = try RawClient(path)
            #expect(client.say(begin))
            let dripping = Task {
                while !Task.isCancelled, client.say(drop) { try await Task.sleep(for: .milliseconds(20)) }
            }
            #expect(await client.hear() != nil)
            dripping.cancel()
            let told = try #require(await cuts.first())
            #expect(told.reason == reason)
        }
    }

    @Test(
        "who connects and says nothing is cut off like a head that does not end; an idle connection later, and untold")
    func silence() async throws {
        let cuts = Cuts()
        try await serve({ $0.headMax = .milliseconds(300) }, cuts: cuts) { path, _ in
            let silent = try RawClient(path)
            #expect(await silent.hear() == "")
        }
        try await serve({ ($0.headMax, $0.idleMax) = (.minutes(10), .milliseconds(600)) }, cuts: cuts) { path, _ in
            let idle = try RawClient(path)
            idle.say("GET /v1/health HTTP/1.1\r\nHost: vigil\r\n\r\n")
            #expect(await idle.hear()?.hasPrefix("HTTP/1.1 200") == true)
            cuts.tell.finish()
            var told: [ConnectionCut.Reason] = []
            for await cut in cuts.told { told.append(cut.reason) }
            #expect(told == [.head])
        }
    }

    @Test("an answer that nobody takes is cut off and told with its request; a slow reader is not")
    func unread() async throws {
        let cuts = Cuts()
        try await serve({ $0.stalledMax = .milliseconds(500) }, cuts: cuts) { path, _ in
            let stalled = try RawClient(path)
            stalled.say("GET /large?x=1 HTTP/1.1\r\nHost: vigil\r\n\r\n")
            let told = try #require(await cuts.first())
            #expect(told.reason == .unread && told.request == "GET /large" && told.count == 1)
            #expect(await stalled.hear() != nil)
        }
        try await serve({ $0.stalledMax = .seconds(60) }) { path, _ in
            let taking = try RawClient(path)
            taking.say("GET /large HTTP/1.1\r\nHost: vigil\r\nConnection: close\r\n\r\n")
            #expect(try #require(await taking.hear()).utf8.count > 32 << 20)
        }
    }

    @Test("pipelined questions whose answers nobody takes are cut off")
    func pipelined() async throws {
        let cuts = Cuts()
        try await serve({ $0.stalledMax = .milliseconds(500) }, cuts: cuts) { path, _ in
            let greedy = try RawClient(path)
            greedy.say(String(repeating: "GET /v1/clips?limit=1000 HTTP/1.1\r\nHost: vigil\r\n\r\n", count: 60))
            #expect(try #require(await cuts.first()).reason == .unread)
            #expect(await greedy.hear() != nil)
        }
    }

    @Test("a body without end is cut off after a bound, refused or not, and who sends too much is still told so")
    func endlessBody() async throws {
        let cuts = Cuts()
        try await serve({ $0.bodyMax = .seconds(600) }, cuts: cuts) { path, _ in
            let client = try RawClient(path)
            client.say("PUT /v1/policies/x HTTP/1.1\r\nHost: vigil\r\nContent-Length: 1000000000000\r\n\r\n")
            let part = String(repeating: " ", count: 64 << 10)
            let sending = Task { while !Task.isCancelled, client.say(part) { await Task.yield() } }
            let heard = try #require(await client.hear())
            await sending.value
            #expect(heard.hasPrefix("HTTP/1.1 413"))
            #expect(try #require(await cuts.first()).reason == .longBody)
        }
    }

    @Test("who is refused amid a body and leaves the rest of it unsent is cut off like any other that is late")
    func refusedAmidBody() async throws {
        let cuts = Cuts()
        try await serve({ $0.bodyMax = .seconds(2) }, cuts: cuts) { path, _ in
            let client = try RawClient(path)
            client.say(
                "PUT /v1/policies/x HTTP/1.1\r\nHost: vigil\r\nConnection: close\r\nContent-Length: 2000000\r\n\r\n")
            // More than a body may have, and less than what is cut off for its length.
            let part = String(repeating: " ", count: 60 << 10)
            Thread.detachNewThread { for _ in 0..<16 where client.say(part) {} }
            let heard = try #require(await client.hear())
            #expect(heard.hasPrefix("HTTP/1.1 413"))
            #expect(try #require(await cuts.first()).reason == .body)
        }
    }

    @Test("where every connection is being answered, health has places of its own, and the others are told so")
    func placesForHealth() async throws {
        let (held, cuts) = (Held(), Cuts())
        try await serve({ ($0.most, $0.ofPeerMost, $0.healthMost) = (4, 4, 2) }, cuts: cuts, held: held) { path, _ in
            let busy = try (0..<4).map { _ in try RawClient(path) }
            for client in busy { client.say("GET /held HTTP/1.1\r\nHost: vigil\r\n\r\n") }
            var arrivals = held.arrivals.makeAsyncIterator()
            for _ in busy { await arrivals.next() }
            #expect(try await RawClient.status("GET /v1/health", at: path) == 200)
            #expect(try await RawClient.status("GET /v1/states", at: path) == 503)
            // The places for health are none for half-open requests either.
            let half = try (0..<20).map { _ in try RawClient(path) }
            for client in half { client.say("GET /v1/hea") }
            // Two are left when all have been taken up. Before that one of them may take the place of who asks next.
            let closed = await withTaskGroup(of: String?.self) { group in
                for client in half { group.addTask { await client.hear() } }
                return await group.prefix(18).reduce(into: [String?]()) { $0.append($1) }
            }
            #expect(closed.count == 18 && closed.allSatisfy { $0 != nil })
            #expect(try await RawClient.status("GET /v1/health", at: path) == 200)
            held.letGo()
            withExtendedLifetime((busy, half)) {}
        }
    }

    @Test("one user leaves places to others")
    func byPeer() throws {
        let connections = Connections(
            {
                var limits = ConnectionLimits()
                (limits.most, limits.ofPeerMost) = (6, 4)
                return limits
            }())
        let (greedy, other) = (Connections.Peer(key: "a", name: "a"), Connections.Peer(key: "b", name: "b"))
        let channels = (0..<8).map { _ in EmbeddedChannel() }
        let places = channels.prefix(5).map { connections.admit($0, of: greedy) }
        #expect(places.compactMap { $0?.isForHealth } == [false, false, false, false, false])
        // The fifth took the place of the first, not one of the two that are left.
        for place in places.dropFirst() { if let place { connections.yields(place, from: nil) } }
        #expect(connections.admit(channels[5], of: greedy)?.isForHealth == true)
        #expect(connections.admit(channels[6], of: other)?.isForHealth == false)
        #expect(connections.admit(channels[7], of: other)?.isForHealth == false)
    }

    @Test("who asks for another protocol when the connection has just ended is told so, and waits for nothing")
    func changedTooLate() throws {
        let connections = Connections(.web)
        let channel = EmbeddedChannel()
        let place = try #require(connections.admit(channel, of: .init(key: "a", name: "a")))
        let connection = Connection(channel, place, connections)
        let requests = ConnectionRequests(connection)
        try channel.pipeline.syncOperations.addHandlers([ConnectionBytes(connection), requests])
        // The handlers are there for a moment longer than the connection.
        channel.pipeline.fireChannelInactive()
        let loop = channel.embeddedEventLoop
        #expect(throws: ChannelError.ioOnClosedChannel) { _ = try requests.expectWebSocket(on: loop).wait() }
        #expect(throws: ChannelError.ioOnClosedChannel) {
            _ = try requests.expectFrameSocket(on: loop, { _ in true }, misused: {}).wait()
        }
    }

    @Test(
        "who has spoken and was not read yet keeps its place while others wait for their clients, and keeps nobody out")
    func spoken() throws {
        var limits = ConnectionLimits()
        (limits.most, limits.ofPeerMost, limits.healthMost) = (2, 2, 0)
        let connections = Connections(limits)
        let peer = Connections.Peer(key: "a", name: "a")
        let channels = (0..<5).map { _ in EmbeddedChannel() }
        let told = Mutex<[Int]>([])
        for (number, channel) in channels.enumerated() {
            channel.closeFuture.whenComplete { _ in told.withLock { $0.append(number) } }
        }
        func closed() -> [Int] {
            for channel in channels { channel.embeddedEventLoop.run() }
            return told.withLock { $0 }
        }
        // One has spoken, one is silent; who comes next takes the place of the silent one, and of the next silent one.
        #expect(connections.admit(channels[0], of: peer, isWaiting: true) != nil)
        #expect(connections.admit(channels[1], of: peer) != nil)
        #expect(connections.admit(channels[2], of: peer) != nil)
        #expect(connections.admit(channels[3], of: peer, isWaiting: true) != nil)
        #expect(closed() == [1, 2])
        // Where all have spoken, the oldest goes.
        #expect(connections.admit(channels[4], of: peer) != nil)
        #expect(closed() == [1, 2, 0])
    }

    @Test("a stop waits for no half-open request, no endless body and no unread answer")
    func stop() async throws {
        try await serve { path, stop in
            let clients = try (0..<6).map { _ in try RawClient(path) }
            clients[0].say(Self.half)
            clients[1].say(Self.body)
            clients[2].say("GET /v1/health HTTP/1.1\r\nHost: vigil\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n")
            clients[3].say("GET /large HTTP/1.1\r\nHost: vigil\r\n\r\n")
            clients[4].say(String(repeating: "GET /large HTTP/1.1\r\nHost: vigil\r\n\r\n", count: 3))
            #expect(try await RawClient.status("GET /v1/health", at: path) == 200)
            await stop()
            for client in clients { #expect(await client.hear() != nil) }
        }
    }

    @Test("cameras that push have places of their own: however many do, every request is answered (H6)")
    func pushers() async throws {
        for (pushersMost, status) in [(4, 200), (0, 503)] {
            var limits = ConnectionLimits()
            (limits.most, limits.ofPeerMost, limits.healthMost) = (2, 2, 1)
            (limits.pushersMost, limits.pushersOfPeerMost) = (pushersMost, pushersMost)
            let router = Router(context: APIContext.self)
            router.add(middleware: ErrorMiddleware())
            IngestRoute(site: MemorySite(), isReady: { true }).add(to: router)
            router.get("/v1/states") { _, _ in Reply.text("ok\n") }
            try await RunningRouter.serve(router, Connections(limits)) { path, _ in
                let login = Data("front:secret".utf8).base64EncodedString()
                var pushing: [RawClient] = []
                for _ in 0..<max(pushersMost, 2) {
                    let client = try RawClient(path)
                    client.say(
                        "PUT /ingest/front/main/a HTTP/1.1\r\nHost: vigil\r\nAuthorization: Basic \(login)\r\n"
                            + "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n")
                    #expect(await client.hear(until: "100 Continue") != nil)
                    pushing.append(client)
                }
                #expect(try await RawClient.status("GET /v1/states", at: path) == status)
            }
        }
    }
}
