import Catalog
import Machines
import Server
import Synchronization
import Testing

@testable import Daemon

@Suite("Pictures of messages")
struct MessagePicturesTests {
    /// Pictures of one byte more than the last, after so many tries that find none.
    private final class Maker: Sendable {
        let tries = Mutex(0)
        private let failures: [SiteError.Kind]
        private let bytes: Int

        init(failing failures: [SiteError.Kind] = [], bytes: Int = 1) {
            (self.failures, self.bytes) = (failures, bytes)
        }

        func picture() throws -> [UInt8] {
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            if number <= failures.count { throw SiteError(failures[number - 1], what: "a", why: "b", remedy: "c") }
            return Array(repeating: UInt8(truncatingIfNeeded: number), count: bytes)
        }
    }

    private let event = EventID(rawValue: 7)

    @Test("A picture is made once for all who are sent it, also later; an end has one of its own")
    func once() async {
        let (maker, clock) = (Maker(), SteppedClock())
        let pictures = MessagePictures(clock: clock) { [maker] _ in try maker.picture() }
        let found = await withTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<8 { group.addTask { await pictures.jpeg(of: event, .begin, atWallMs: clock.wallMs()) } }
            return await group.reduce(into: [[UInt8]?]()) { $0.append($1) }
        }
        #expect(found == Array(repeating: [1], count: 8))
        clock.pass(ms: 3_600_000)
        #expect(await pictures.jpeg(of: event, .begin, atWallMs: 0) == [1])
        #expect(await pictures.jpeg(of: event, .end, atWallMs: 0) == [2])
        for number in 100..<(100 + Int64(MessagePictures.keptMax)) {
            _ = await pictures.jpeg(of: EventID(rawValue: number), .begin, atWallMs: 0)
        }
        let made = maker.tries.withLock { $0 }
        #expect(
            await pictures.jpeg(of: event, .begin, atWallMs: 0)?.first == UInt8(made + 1), "it was not kept for ever")
    }

    @Test(
        "What is not written yet, or finds no place, is waited for",
        arguments: [.conflict, .notFound, .unavailable] as [SiteError.Kind])
    func waits(_ kind: SiteError.Kind) async {
        let (maker, clock) = (Maker(failing: [kind]), SteppedClock())
        let pictures = MessagePictures(clock: clock) { [maker] _ in try maker.picture() }
        #expect(await pictures.jpeg(of: event, .begin, atWallMs: clock.wallMs()) == [2])
    }

    @Test("Nobody waits longer than the wait, however the wall clock is set, and who comes too late does not wait")
    func patience() async {
        let clock = SteppedClock()
        let maker = Maker(failing: Array(repeating: .conflict, count: 1_000))
        let pictures = MessagePictures(clock: clock) { [maker] _ in
            // Each try takes so long; the wall clock stays an hour behind the event.
            clock.times.withLock { $0.monotonic += MessagePictures.waitMs / 2 }
            return try maker.picture()
        }
        #expect(await pictures.jpeg(of: event, .begin, atWallMs: clock.wallMs() + 3_600_000) == nil)
        #expect(maker.tries.withLock { $0 } == 2)
        #expect(await pictures.jpeg(of: event, .begin, atWallMs: clock.wallMs() - MessagePictures.waitMs) == nil)
        #expect(maker.tries.withLock { $0 } == 3)
    }

    @Test("A picture that is too long is left out, and not made again; a stop ends every wait")
    func bounds() async {
        let (maker, clock) = (Maker(bytes: MessagePictures.bytesMax + 1), SteppedClock())
        let pictures = MessagePictures(clock: clock) { [maker] _ in try maker.picture() }
        for _ in 0..<2 { #expect(await pictures.jpeg(of: event, .begin, atWallMs: 0) == nil) }
        #expect(maker.tries.withLock { $0 } == 1)
        let (never, asked) = (
            Maker(failing: Array(repeating: .conflict, count: 1_000)), AsyncStream.makeStream(of: Void.self)
        )
        let endless = MessagePictures(clock: clock) { [never] _ in
            asked.continuation.yield()
            return try never.picture()
        }
        async let picture = endless.jpeg(of: event, .begin, atWallMs: clock.wallMs())
        _ = await asked.stream.first { _ in true }
        await endless.stop()
        #expect(await picture == nil)
    }
}
