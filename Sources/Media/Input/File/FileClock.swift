import CLibav

/// The times of one stream of a file, as far as they can be believed. What lies further than `usMax` from zero is no time that
/// a recording has; it counts as missing, so that no sum of a few times can overflow, whatever a file says (H8).
struct FileClock {
    /// About 35 years, in microseconds.
    static let usMax: Int64 = 1 << 50

    private static let microsecond = AVRational(num: 1, den: 1_000_000)
    private let base: AVRational

    /// A clock whose ticks last `base` seconds; nil where that is no length of time.
    init?(_ base: AVRational) {
        guard base.num > 0, base.den > 0 else { return nil }
        self.base = base
    }

    /// A time in the stream's ticks, if it is there and can be believed.
    func believed(_ ticks: Int64) -> Int64? { us(ticks) == nil ? nil : ticks }

    /// The same in microseconds.
    func us(_ ticks: Int64) -> Int64? {
        guard ticks != vigil_av_nopts else { return nil }
        let us = av_rescale_q(ticks, base, FileClock.microsecond)
        return (-FileClock.usMax...FileClock.usMax).contains(us) ? us : nil
    }

    /// A time, moved by `loopUs` microseconds (0…`usMax`), in ticks of `scale` a second.
    func time(_ ticks: Int64, movedByUs loopUs: Int64, scale: Int32) -> Int64? {
        guard believed(ticks) != nil, scale > 0 else { return nil }
        let tick = AVRational(num: 1, den: scale)
        // Each is below 2^62: 2^50 µs with at most 2^31 ticks a second.
        return av_rescale_q(ticks, base, tick) + av_rescale_q(loopUs, FileClock.microsecond, tick)
    }

    /// How long a packet lasts, in ticks of `scale` a second; nil where it does not say so, or nothing lasts so long.
    func duration(_ ticks: Int64, scale: Int32) -> Int64? {
        guard ticks > 0, believed(ticks) != nil, scale > 0 else { return nil }
        return av_rescale_q(ticks, base, AVRational(num: 1, den: scale))
    }

    /// How long a packet lasts, in microseconds; 0 where it does not say so.
    func durationUs(_ ticks: Int64) -> Int64 { max(0, us(ticks) ?? 0) }

    /// So many microseconds (at most `usMax`) in the stream's ticks, at least one.
    func ticks(us: Int64) -> Int64 { max(1, av_rescale_q(us, FileClock.microsecond, base)) }
}
