internal import HTTPTypes
internal import Hummingbird
internal import Synchronization
internal import Testing

@testable import Server

/// Live answers that have ended, over a connection that goes on.
@Suite("Live answers that have ended", .timeLimit(.minutes(5)))
struct LiveEndTests {
    /// How many answers hold what they were made of.
    private final class Held: Sendable {
        private let count = Mutex(0)

        var now: Int { count.withLock { $0 } }

        func change(_ by: Int) { count.withLock { $0 += by } }
    }

    /// What an answer is made of: one element, held until nobody refers to it.
    private struct Once<Element: Sendable>: AsyncSequence, Sendable {
        private final class Place: Sendable {
            private let held: Held

            init(_ held: Held) {
                self.held = held
                held.change(1)
            }

            deinit { held.change(-1) }
        }

        private let place: Place
        private let elements: AsyncStream<Element>

        init(_ element: Element, _ held: Held) {
            place = Place(held)
            elements = AsyncStream { send in
                send.yield(element)
                send.finish()
            }
        }

        func makeAsyncIterator() -> AsyncStream<Element>.Iterator { elements.makeAsyncIterator() }
    }

    /// Routes of which each is refused while twelve answers before it are held.
    private func router(_ held: Held) -> Router<APIContext> {
        let router = Router(context: APIContext.self)
        let most = 12
        router.get("/frames") { _, context in
            guard held.now < most else { return Response(status: .serviceUnavailable) }
            let head = FrameHead(.word, count: 0, dial: 1, number: 0, arrived: WallTime(ms: 1))
            let parts = Once(FramesPart(head, FramesWord(ended: "left")), held)
            let frames = LiveFrames(parts, remind: {}, leave: {})
            return Reply.frames(frames, over: context.channel)
        }
        router.get("/movie") { _, context in
            guard held.now < most else { return Response(status: .serviceUnavailable) }
            return Reply.movie(LiveMovieBytes(Once(Array("left".utf8), held)) {}, over: context.channel)
        }
        router.get("/pictures") { _, context in
            guard held.now < most else { return Response(status: .serviceUnavailable) }
            let picture = LiveSnapshot(jpeg: Array("left".utf8), at: WallTime(ms: 1))
            return Reply.pictures(LiveSnapshots(Once(picture, held)) {}, over: context.channel)
        }
        return router
    }

    @Test("hold nothing, however many there were before on the connection", arguments: ["frames", "movie", "pictures"])
    func released(_ path: String) async throws {
        let held = Held()
        try await RunningRouter.serve(router(held), Connections(ConnectionLimits())) { socket, _ in
            let client = try RawClient(socket)
            for number in 1...13 {
                client.say("GET /\(path) HTTP/1.1\r\nHost: vigil\r\n\r\n")
                // The last chunk.
                let answer = await client.hear(until: "\r\n0\r\n\r\n", within: 120)
                #expect(answer?.hasPrefix("HTTP/1.1 200 ") == true && answer?.contains("left") == true, "\(number)")
            }
        }
        #expect(held.now == 0)
    }
}
