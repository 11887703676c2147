import Machines

/// What one dial has sent, against what it may send. Used by the input's thread only.
///
/// Frames and bytes fill buckets that empty at the rate that is allowed, as far as arrival tells the time: a burst after the
/// dial is taken, a flood is not. What passes a bound is not taken, and nothing after it.
struct InputMeter {
    /// A measure that may rise by `rate` a second, and by what `spanMs` allow in one go.
    private struct Bucket {
        let rate: Int
        let spanMs: Int64
        /// What is in it, in thousandths.
        private var level: Int64 = 0
        private var last: Instant?

        init(rate: Int, spanMs: Int64) {
            self.rate = max(1, min(rate, 1 << 32))
            self.spanMs = max(1, min(spanMs, 3_600_000))
        }

        /// False when it does not fit.
        mutating func take(_ amount: Int, at now: Instant) -> Bool {
            let passedMs = last.map { max(0, min(now - $0, spanMs)) } ?? 0
            last = max(last ?? now, now)
            level = max(0, level - passedMs * Int64(rate)) + Int64(max(0, min(amount, 1 << 40))) * 1_000
            return level <= spanMs * Int64(rate)
        }
    }

    private static let minuteMs: Int64 = 60_000

    private let changesMax: Int
    private var frames: Bucket
    private var bytes: Bucket
    /// When parameters changed within the last minute.
    private var changes: [Instant] = []
    /// The bound that was passed first, in words; nil while none was.
    private(set) var excess: String?

    init(limits: InputLimits) {
        changesMax = max(1, limits.changesPerMinuteMax)
        frames = Bucket(rate: limits.frameRateMax, spanMs: limits.burstMs)
        bytes = Bucket(rate: limits.byteRateMax, spanMs: limits.burstMs)
    }

    /// Notes a frame; false when it is not to be taken.
    mutating func take(_ frame: Frame) -> Bool {
        guard excess == nil else { return false }
        if !frames.take(1, at: frame.arrival) {
            excess = "more than \(frames.rate) frames a second over \(frames.spanMs / 1_000) s (frame rate)"
        } else if !bytes.take(frame.cost, at: frame.arrival) {
            excess = "more than \(bytes.rate >> 20) MiB a second over \(bytes.spanMs / 1_000) s (byte rate)"
        }
        return excess == nil
    }

    /// Notes that parameters of a track have changed.
    mutating func change(at now: Instant) {
        changes.removeAll { now - $0 >= InputMeter.minuteMs }
        changes.append(now)
        guard excess == nil, changes.count > changesMax else { return }
        excess = "more than \(changesMax) changes of the stream's parameters in a minute (stream changes)"
    }
}
