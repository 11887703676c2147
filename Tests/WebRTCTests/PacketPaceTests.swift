import Testing

@testable import WebRTC

@Suite struct PacketPaceTests {
    @Test("a few packets go at once, more as time passes, and rest saves up no more than a few")
    func pace() {
        var pace = PacketPace()
        #expect(pace.take(20, nowMs: 1_000) == 20)
        #expect(pace.take(20, nowMs: 1_000) == 12)
        #expect(pace.take(20, nowMs: 1_000) == 0)
        #expect(pace.take(20, nowMs: 1_002) == 10)
        #expect(pace.take(500, nowMs: 1_000_000) == 32)
        // A clock that goes back earns nothing.
        #expect(pace.take(500, nowMs: 0) == 0)
        #expect(pace.take(0, nowMs: 1) == 0 && pace.take(9, nowMs: 1) == 5)
    }
}
