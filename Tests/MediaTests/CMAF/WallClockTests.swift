import Testing

@testable import Media

@Suite struct WallClockTests {
    @Test("Milliseconds since 1970 survive the way through NTP's form, after 2036 too")
    func roundTrip() {
        for ms: Int64 in [0, 1, 999, 1_700_000_000_123, 2_085_978_496_000, 2_085_978_495_999, 2_500_000_000_001, -1] {
            #expect(WallClock(unixMs: ms).unixMs == ms)
        }
        #expect(WallClock(unixMs: 0).ntp == UInt64(2_208_988_800) << 32)
        #expect(WallClock(unixMs: 500).ntp == UInt64(2_208_988_800) << 32 | UInt64(1) << 31)
        _ = WallClock(unixMs: .min).unixMs
        _ = WallClock(unixMs: .max).unixMs
    }
}
