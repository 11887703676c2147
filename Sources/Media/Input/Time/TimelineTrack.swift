import Machines

/// What the timeline remembers of one track. Times are ticks of the track; foreign numbers are brought into ±2^52
/// before anything is computed with them, so no sum here can overflow.
struct TimelineTrack: Sendable {
    let kind: TrackKind
    let timescale: Int64
    private let bits: Int
    /// Whether arrival is no witness against the stamps.
    let isTrusted: Bool
    var reorders: Bool
    /// Stamp minus time.
    private(set) var base: Int64 = 0
    /// The highest time given out.
    private(set) var highest: Int64 = 0
    /// Arrival of the last frame, in ticks since the timeline's begin.
    private(set) var lastElapsed: Int64 = 0
    /// The most that the track has been ahead of arrival.
    private(set) var lead: Int64 = .min
    private(set) var isPlaced = false
    /// Frames in a row that repeated or fell behind.
    var behind = 0
    var rate = RateCheck()
    var guess = ClockGuess()
    /// The stamp that means the same moment on every track that has one.
    var zero: Int64?
    /// The usual distance of two frames; 0 while unknown.
    private var typical: Int64 = 0
    /// Time minus arrival while the clock is not believed.
    private var arrivalOffset: Int64 = 0
    /// Where the last frame ends, when its duration is known.
    private var end: Int64?
    private var lastStamp: Int64?
    /// The clock counts at another rate than promised: from `raw` on, which means `stamp`, so many ticks are so many.
    private var scale: (raw: Int64, stamp: Int64, ticks: Int64, ofRate: Int64)?
    /// Whether stamps are counted in another rate than the one that was promised.
    var isScaled: Bool { scale != nil }
    /// Whether the stamps are those of RTP, which a careless camera makes itself.
    var isRTP: Bool { bits == 32 }
    /// The last times given out, to find repeats in a stream that reorders.
    private var recent: [Int64] = []
    private var report: (stamp: Int64, wallUs: Int64)?

    init(clock: Timeline.Clock) {
        kind = clock.kind
        timescale = Int64(clock.timescale)
        bits = clock.bits
        isTrusted = clock.isTrusted
        reorders = clock.kind == .video
    }

    /// How far the next frame is expected after the last, at least one tick.
    var nextStep: Int64 { max(1, end.map { $0 - highest } ?? typical) }

    func ticks(ms: Int64) -> Int64 {
        // A century, so that a thousand ticks a millisecond stay in range.
        let ms = max(-(1 << 42), min(1 << 42, ms))
        return ms / 1000 * timescale + ms % 1000 * timescale / 1000
    }

    func ticks(us: Int64) -> Int64 {
        let us = TimelineTrack.bounded(us)
        return us / 1_000_000 * timescale + (us % 1_000_000 * timescale) / 1_000_000
    }

    /// Within ±2^60: a track of one tick a second can claim any time.
    func microseconds(_ ticks: Int64) -> Int64 {
        max(-(1 << 60), min(1 << 60, ticks.scaled(1_000_000, timescale)))
    }

    /// Ticks from the common moment to `stamp`; nil when the track knows of none.
    func sinceZero(_ stamp: Int64) -> Int64? {
        guard let zero else { return nil }
        let zeroBits = UInt32(truncatingIfNeeded: zero)
        return bits == 32
            ? Int64(Int32(truncatingIfNeeded: UInt32(truncatingIfNeeded: stamp) &- zeroBits))
            : stamp &- TimelineTrack.bounded(zero)
    }

    /// When the common moment is on the timeline, in microseconds.
    var zeroTime: Int64? {
        guard isPlaced, let since = sinceZero(base) else { return nil }
        return -microseconds(since)
    }

    func isRecent(_ pts: Int64) -> Bool { recent.contains(pts) }

    /// The time that the stamp means. Stamps may be anything, and only their distances mean something, so the difference wraps;
    /// it is bounded, so that it can be computed with.
    func mapped(_ stamp: Int64) -> Int64 { TimelineTrack.bounded(stamp &- base) }

    /// The stamp without its wraps.
    mutating func unwrap(_ raw: Int64) -> Int64 {
        let stamp = unwrapped(raw)
        lastStamp = stamp
        return scaled(stamp)
    }

    /// A stamp in ticks of the track, whatever the camera counts in.
    private func scaled(_ stamp: Int64) -> Int64 {
        guard let scale else { return stamp }
        let step = max(-(1 << 42), min(1 << 42, stamp &- scale.raw))
        return scale.stamp &+ step * scale.ticks / scale.ofRate
    }

    /// From the last stamp on the clock counts `rate` ticks a second (1 000…1 000 000), and the last stamp means `pts`.
    mutating func count(rate: Int64, at pts: Int64) {
        guard let lastStamp else { return }
        scale = (lastStamp, lastStamp, timescale, max(1_000, rate))
        anchor(stamp: lastStamp, at: pts)
        self.rate = RateCheck()
        // What the camera said in its own count cannot be compared with that any more.
        zero = nil
        report = nil
    }

    private func unwrapped(_ raw: Int64) -> Int64 {
        guard bits == 32 else { return TimelineTrack.bounded(raw) }
        guard let lastStamp else { return Int64(UInt32(truncatingIfNeeded: raw)) }
        let step = Int32(truncatingIfNeeded: UInt32(truncatingIfNeeded: raw) &- UInt32(truncatingIfNeeded: lastStamp))
        return lastStamp &+ Int64(step)
    }

    /// From now on `stamp` means the time `pts`.
    mutating func anchor(stamp: Int64, at pts: Int64) { base = stamp &- pts }

    /// Moves what comes from now on by `ticks`.
    mutating func shift(by ticks: Int64) {
        base &-= ticks
        if lead != .min { lead &+= ticks }
    }

    /// From now on time goes as arrival does, beginning with the next step.
    mutating func followArrival(_ elapsed: Int64) { arrivalOffset = highest + max(1, rate.meanStep) - elapsed }

    /// The time by arrival alone, evened out: frames come in bursts although they were taken regularly.
    func byArrival(_ elapsed: Int64) -> Int64 {
        let step = max(1, rate.meanStep)
        let expected = highest + step
        let error = elapsed + arrivalOffset - expected
        guard error.magnitude < timescale.magnitude else { return max(highest + 1, elapsed + arrivalOffset) }
        return max(highest + 1, expected + max(-step / 4, min(step / 4, error)))
    }

    /// Audio follows on its predecessor where the stamp is near enough: a jitter of the stamp is no hole in the sound.
    func smoothed(_ mapped: Int64) -> Int64 {
        guard kind == .audio, let end else { return mapped }
        let error = mapped - end
        let length = max(1, end - highest)
        if error > timescale / 10 { return mapped }
        if error.magnitude <= max(length * 3 / 2, timescale / 50).magnitude { return end }
        return end + max(-length / 8, min(length / 8, error))
    }

    mutating func accept(pts: Int64, elapsed: Int64, durationTicks: Int64?, isRepaired: Bool) {
        let step = pts - highest
        if isPlaced, !isRepaired, step > 0, step < timescale {
            typical = typical == 0 ? step : (typical * 7 + step) / 8
        }
        if !isPlaced || pts > highest {
            highest = pts
            end = durationTicks.flatMap { $0 > 0 && $0 < timescale * 60 ? pts + $0 : nil }
        }
        if kind == .video {
            if recent.count == 32 { recent.removeFirst() }
            recent.append(pts)
        }
        lead = max(lead, pts - elapsed)
        lastElapsed = max(lastElapsed, elapsed)
        isPlaced = true
    }

    mutating func report(raw: Int64, wallUs: Int64) {
        report = (scaled(unwrapped(raw)), max(-(1 << 60), min(1 << 60, wallUs)))
    }

    /// The wall clock at time 0 in microseconds since 1970.
    var wallZeroUs: Int64? { report.map { $0.wallUs - microseconds($0.stamp &- base) } }

    func wallClockMs(_ stamp: Int64) -> Int64? {
        report.map { ($0.wallUs + microseconds(stamp &- $0.stamp)) / 1000 }
    }

    fileprivate static func bounded(_ value: Int64) -> Int64 { max(-(1 << 52), min(1 << 52, value)) }
}

/// Watches whether a clock runs as fast as arrival does, over windows of ten seconds; two wrong windows in a row
/// convict it, a right one acquits it. A pause in arrival begins a new window, because what follows catches up.
struct RateCheck: Sendable {
    private(set) var isLying = false
    /// The mean distance of two frames by arrival, in ticks.
    private(set) var meanStep: Int64 = 0
    private var wrong = 0
    private var begin: (stamp: Int64, elapsed: Int64)?
    private var frames: Int64 = 0
    private var lastElapsed: Int64 = 0

    /// Notes a frame; true when the verdict has changed with it.
    mutating func note(stamp: Int64, elapsed: Int64, timescale: Int64) -> Bool {
        defer { lastElapsed = elapsed }
        guard let begin, elapsed - lastElapsed <= timescale else {
            self.begin = (stamp, elapsed)
            frames = 0
            return false
        }
        frames += 1
        let passed = elapsed - begin.elapsed
        guard passed >= timescale * 10 else { return false }
        let claimed = TimelineTrack.bounded(stamp &- begin.stamp)
        self.begin = (stamp, elapsed)
        meanStep = passed / max(1, frames)
        frames = 0
        // Wrong: less than 0.7 or more than 1.4 times as fast; right again: within a tenth.
        let isWrong =
            isLying
            ? (claimed - passed).magnitude > (passed / 10).magnitude
            : claimed < passed / 10 * 7 || claimed > passed / 10 * 14
        wrong = isWrong ? wrong + 1 : 0
        let verdict = isLying ? isWrong : wrong >= 2
        defer { isLying = verdict }
        return verdict != isLying
    }
}
