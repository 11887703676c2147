/// A moment of wall time in NTP's 64-bit form (seconds since 1900 in the high half, fractions in the low), as `prft` and
/// RTCP sender reports carry it.
public struct WallClock: Hashable, Sendable {
    /// The 64 bits.
    let ntp: UInt64

    /// From the 64 bits of a sender report.
    public init(ntp: UInt64) { self.ntp = ntp }

    /// From milliseconds since 1970; wraps in 2036 as NTP does.
    public init(unixMs: Int64) {
        let seconds = unixMs.dividedReportingOverflow(by: 1000).partialValue
        var remainder = unixMs % 1000
        var whole = seconds &+ 2_208_988_800
        if remainder < 0 {
            remainder += 1000
            whole &-= 1
        }
        let fraction = (UInt64(remainder) << 32) / 1000
        ntp = UInt64(truncatingIfNeeded: whole) << 32 | fraction
    }

    /// Milliseconds since 1970, rounded, for moments between 1968 and 2104 (a clear high bit is taken as after 2036).
    var unixMs: Int64 {
        let era: Int64 = ntp >> 63 == 0 ? 1 << 32 : 0
        let seconds = Int64(ntp >> 32) + era - 2_208_988_800
        return seconds * 1000 + Int64(((ntp & 0xffff_ffff) * 1000 + (1 << 31)) >> 32)
    }
}
