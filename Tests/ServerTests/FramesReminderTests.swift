internal import Hummingbird
internal import Synchronization
internal import Testing

@testable import Server

@Suite("Decoded frames of a camera that is away", .timeLimit(.minutes(5)))
struct FramesReminderTests {
    @Test("A reader is told again and again that it is away, so that no answer is silent for long")
    func reminded() async throws {
        let router = Router(context: APIContext.self)
        router.get("/frames") { _, context in
            let (parts, send) = AsyncStream.makeStream(of: FramesPart.self)
            let word = FrameHead(.word, count: 0, dial: 1, number: 0, arrived: WallTime(ms: 1))
            let left = Mutex(3)
            let frames = LiveFrames(
                parts,
                remind: {
                    send.yield(FramesPart(word, FramesWord(lost: true)))
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { send.finish() }
                }, leave: {})
            return Reply.frames(frames, over: context.channel, remindedEvery: .milliseconds(1))
        }
        try await RunningRouter.serve(router, Connections(ConnectionLimits())) { socket, _ in
            let client = try RawClient(socket)
            client.say("GET /frames HTTP/1.1\r\nHost: vigil\r\n\r\n")
            // The last chunk.
            let answer = try #require(await client.hear(until: "\r\n0\r\n\r\n", within: 120))
            #expect(answer.ranges(of: #"{"lost":true}"#).count == 3)
        }
    }
}
