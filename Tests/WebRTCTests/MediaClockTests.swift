import RandomSource
import Testing

@testable import WebRTC

@Suite struct MediaClockTests {
    @Test("what is seen as it comes has its own times")
    func present() {
        var clock = MediaClock(rate: 90_000, start: 1_000)
        clock.begin()
        for index in Int64(0)..<100 {
            let time = clock.stamp(ticks: 5_000 + index * 3_600, arrivalMs: 700 + index * 40, nowMs: 705 + index * 40)
            #expect(time.stamp == 1_000 + UInt32(index) * 3_600 && time.isTrue)
        }
    }

    @Test("the group of pictures under way is pressed to just before now")
    func past() {
        var clock = MediaClock(rate: 90_000, start: 0)
        clock.begin()
        // Two seconds of pictures, handed out at once.
        var stamps: [UInt32] = []
        for index in Int64(0)...50 {
            stamps.append(clock.stamp(ticks: index * 3_600, arrivalMs: index * 40, nowMs: 2_000).stamp)
        }
        let now: UInt32 = 180_000
        #expect(stamps == stamps.sorted() && Set(stamps).count == stamps.count)
        #expect(stamps[0] >= now - 3_000 && stamps[50] == now)
        #expect(clock.stamp(ticks: 51 * 3_600, arrivalMs: 2_040, nowMs: 2_041) == (now + 3_600, true))
        // The same group again, for who lost the picture.
        clock.catchUp()
        let again = (Int64(0)...51).map { clock.stamp(ticks: $0 * 3_600, arrivalMs: $0 * 40, nowMs: 2_050) }
        #expect(again.allSatisfy { !$0.isTrue } && again[0].stamp > now + 3_600 && again[51].stamp < now + 7_200)
        #expect(clock.stamp(ticks: 52 * 3_600, arrivalMs: 2_080, nowMs: 2_081) == (now + 7_200, true))
    }

    @Test("another time line goes on where the one before was, by when it came")
    func anotherLine() {
        var clock = MediaClock(rate: 90_000, start: 77)
        clock.begin()
        #expect(clock.stamp(ticks: 1 << 40, arrivalMs: 1_000, nowMs: 1_001).stamp == 77)
        clock.begin()
        #expect(clock.stamp(ticks: 12, arrivalMs: 3_000, nowMs: 3_001).stamp == 77 + 180_000)
    }

    @Test("a leap of the camera's clock is none of the picture's")
    func leap() {
        var clock = MediaClock(rate: 90_000, start: 0)
        clock.begin()
        #expect(clock.stamp(ticks: 0, arrivalMs: 1_000, nowMs: 1_001).stamp == 0)
        #expect(clock.stamp(ticks: 1 << 50, arrivalMs: 1_040, nowMs: 1_041).stamp == 3_600)
        #expect(clock.stamp(ticks: (1 << 50) + 3_600, arrivalMs: 1_080, nowMs: 1_081).stamp == 7_200)
    }

    @Test("times only go forward, whatever a camera says")
    func anything() {
        var random = SeededGenerator(seed: 3_550)
        for _ in 0..<200 {
            var clock = MediaClock(rate: 90_000, start: .random(in: .min ... .max, using: &random))
            var last: UInt32?
            for _ in 0..<200 {
                if Int.random(in: 0..<20, using: &random) == 0 { clock.begin() }
                if Int.random(in: 0..<20, using: &random) == 0 { clock.catchUp() }
                let isNear = Bool.random(using: &random)
                func any(_ near: ClosedRange<Int64>) -> Int64 {
                    .random(in: isNear ? near : .min ... .max, using: &random)
                }
                let time = clock.stamp(ticks: any(0...10_000), arrivalMs: any(0...5_000), nowMs: any(0...9_000))
                if let last { #expect(Int32(bitPattern: time.stamp &- last) > 0) }
                last = time.stamp
            }
        }
    }
}
