/// Gives the frames of a track their times in RTP, which only go forward, through every time line that a camera begins.
///
/// What lies in the past (the group of pictures under way, sent at once so that there is a picture) is pressed together to just
/// before now, so that a player shows the present and does not replay it.
public struct MediaClock: Sendable {
    /// A frame that is older than this while the clock catches up lies in the past, in milliseconds.
    static let presentMs: Int64 = 120
    /// By how much the past is pressed together.
    static let pressing: Int64 = 64

    /// A step of more than this, in milliseconds, is none of the time line: it begins anew.
    private static let stepMsMax: Int64 = 60_000
    /// What is reckoned with at most, in milliseconds: times in RTP go round once in thirteen hours.
    private static let passedMsMax: Int64 = 3_600_000

    private let rate: Int64
    /// The time in RTP of time 0 of the time line.
    private var offset: Int64
    /// The last one, without its wraps; nil before the first.
    private var last: Int64?
    private var lastArrivalMs: Int64 = 0
    private var isCatchingUp = true
    private var isBegun = false

    /// A clock that counts `rate` ticks a second, and begins at `start`, which nobody shall guess.
    public init(rate: Int, start: UInt32) {
        self.rate = Int64(rate)
        offset = Int64(start)
    }

    /// A time line begins with the next frame.
    public mutating func begin() { (isBegun, isCatchingUp) = (false, true) }

    /// What follows was sent already, or lies in the past.
    public mutating func catchUp() { isCatchingUp = true }

    /// The time of a frame, and whether it is that of its presentation.
    ///
    /// - Parameters:
    ///   - ticks: its presentation in ticks of `rate` on its time line.
    ///   - arrivalMs: when it came, in milliseconds of any clock that only goes forward.
    ///   - nowMs: now, by that clock.
    public mutating func stamp(ticks: Int64, arrivalMs: Int64, nowMs: Int64) -> (stamp: UInt32, isTrue: Bool) {
        let ticks = max(-(1 << 52), min(1 << 52, ticks))
        if let last, (ticks &+ offset &- last).magnitude > (Self.stepMsMax * rate / 1_000).magnitude { isBegun = false }
        if !isBegun {
            isBegun = true
            let passed = max(0, min(Self.passedMsMax, arrivalMs &- lastArrivalMs))
            offset = last.map { $0 &+ max(1, passed * rate / 1_000) &- ticks } ?? offset &- ticks
        }
        let ageMs = max(0, min(Self.stepMsMax, nowMs &- arrivalMs))
        if ageMs <= Self.presentMs { isCatchingUp = false }
        var time = ticks &+ offset
        if isCatchingUp { time &+= ageMs * rate / 1_000 - ageMs * rate / 1_000 / Self.pressing }
        let isTrue = !isCatchingUp && last.map { time > $0 } ?? true
        let next = last.map { max($0 &+ 1, time) } ?? time
        (last, lastArrivalMs) = (next, max(lastArrivalMs, arrivalMs))
        return (UInt32(truncatingIfNeeded: next), isTrue)
    }
}
