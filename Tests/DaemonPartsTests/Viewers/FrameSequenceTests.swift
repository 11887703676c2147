import Journal
import Machines
import Media
import Server
import Testing

@testable import Daemon

@Suite("Decoded frames of a session", .serialized, .timeLimit(.minutes(15)))
struct FrameSequenceTests {
    @Test("Each time line has a number of its own, also where the session changes between streams that count the same")
    func dials() async throws {
        let house = try ViewerHouse()
        // Whoever is too slow for a stream is cut off; on a busy machine that may be us.
        var tries = 0
        while try await !isSeenWhole(house) {
            tries += 1
            try #require(tries < 5, "cut off as slow each time")
        }
        _ = try await house.end()
    }

    @Test("Who was told of memory does not hold it: at the end it is free at once")
    func shared() async throws {
        let house = try ViewerHouse()
        let id = try await house.connected()
        try await house.ask(id, .startPreview(.hd, others: 0))
        let viewer = try await house.sessions.picture(of: id, camera: "front")
        let readers = FrameReaders()
        let live = LiveRequest(camera: "front", session: id, caller: ViewerHouse.caller())
        var request = FramesRequest(live, width: 64, perSecond: 30)
        request.isShared = true
        let place = try readers.places.take(for: live.caller)
        let sequence = FrameSequence(viewer, readers, place, request, clock: SystemHost().clock)
        var frames = sequence.makeAsyncIterator()
        func next() async throws -> FramesPart {
            while let part = await frames.next() { if part.head.content != .word { return part } }
            throw HasEnded()
        }
        let (memory, slot) = (try await next(), try await next())
        #expect(memory.head.content == .memory && memory.descriptor != nil && slot.head.content == .slot)
        let before = left(of: readers.budget)
        try #require(sequence.slots).end()
        // Four slots of a page at least.
        try await house.wait("the memory to be free") { left(of: readers.budget) >= before + 4 * 4_096 }
        viewer.leave()
        while await frames.next() != nil {}
        _ = try await house.end()
    }

    /// How much of a budget is left.
    private func left(of budget: DecoderBudget) -> Int {
        var (least, most) = (0, budget.bytesMax)
        while least < most {
            let middle = least + (most - least + 1) / 2
            if budget.take(middle) != nil { least = middle } else { most = middle - 1 }
        }
        return least
    }

    /// That the frames ended before what was looked for.
    private struct HasEnded: Error {}

    /// Looks at the numbers; false where the frames end meanwhile.
    private func isSeenWhole(_ house: ViewerHouse) async throws -> Bool {
        do { try await look(house) } catch is HasEnded { return false }
        return true
    }

    private func look(_ house: ViewerHouse) async throws {
        let id = try await house.connected()
        try await house.ask(id, .startPreview(.hd, others: 0))
        let viewer = try await house.sessions.picture(of: id, camera: "front")
        let readers = FrameReaders()
        let live = LiveRequest(camera: "front", session: id, caller: ViewerHouse.caller())
        let request = FramesRequest(live, width: 64, perSecond: 30)
        let place = try readers.places.take(for: live.caller)
        var frames = FrameSequence(viewer, readers, place, request, clock: SystemHost().clock).makeAsyncIterator()

        /// The head of the next frame of another dial than `before`.
        func head(after before: UInt32) async throws -> FrameHead {
            while let part = await frames.next() {
                if part.head.content == .yuv420p, part.head.dial != before { return part.head }
            }
            throw HasEnded()
        }

        let first = try await head(after: 0)
        try await house.ask(id, .definition(.sd))
        let second = try await head(after: first.dial)
        try await house.ask(id, .definition(.hd))
        let third = try await head(after: second.dial)
        #expect([first.dial, second.dial, third.dial] == [1, 2, 3])
        #expect(first.number < second.number && second.number < third.number)
        // The same dial begun anew is on the same time line.
        try viewer.restart()
        guard let again = await frames.next(), again.head.content == .yuv420p else { throw HasEnded() }
        #expect(again.head.dial == 3)
        viewer.leave()
        var last = again
        while let part = await frames.next() { last = part }
        #expect(last.head.content == .word && String(decoding: last.content, as: UTF8.self) == #"{"ended":"left"}"#)
    }
}
