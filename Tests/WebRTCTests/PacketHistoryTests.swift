import Testing

@testable import WebRTC

@Suite struct PacketHistoryTests {
    @Test("a packet is sent again while it is kept, and not twice within a moment")
    func again() {
        let history = PacketHistory()
        #expect(history.again(0, nowMs: 100) == nil)
        for sequence in UInt16(65_400)...65_535 { Self.put(sequence, in: history) }
        for sequence in UInt16(0)..<300 { Self.put(sequence, in: history) }
        #expect(history.again(65_500, nowMs: 100).map { Array($0) } == [0xFF, 0xDC])
        #expect(history.again(65_500, nowMs: 104) == nil)
        #expect(history.again(65_500, nowMs: 105).map { Array($0) } == [0xFF, 0xDC])
        #expect(history.again(7, nowMs: 100).map { Array($0) } == [0, 7])
        // A number whose place another one has taken.
        Self.put(7 &+ UInt16(PacketHistory.packetsMax), in: history)
        #expect(history.again(7, nowMs: 200) == nil)
        #expect(history.again(301, nowMs: 200) == nil)
    }

    private static func put(_ sequence: UInt16, in history: PacketHistory) {
        let room = history.room(for: sequence)
        (room[0], room[1]) = (UInt8(sequence >> 8), UInt8(sequence & 0xFF))
        history.keep(sequence, count: 2)
    }
}
