internal import Catalog
internal import Machines

/// Which moment of which clip a viewer sees: it advances by the machine's clock and the speed, to the end of what is recorded.
struct PlaybackClock: Sendable {
    /// The start of playback that it belongs to.
    let start: Session.StartNumber
    /// The clip.
    let clip: Clip
    /// The end of the day that was asked for, milliseconds since 1970.
    let dayEndMs: Int64
    /// The end of what is recorded of the clip, as far as it is known, milliseconds since 1970.
    var endMs: Int64
    /// What was shown at `since`, milliseconds since 1970.
    private var fromMs: Int64
    private var since: Instant
    private(set) var speed: Session.Speed = .normal
    private(set) var isRunning = false

    /// A clip that is held at a moment.
    init(start: Session.StartNumber, clip: Clip, endMs: Int64, dayEndMs: Int64, atMs: Int64, now: Instant) {
        self.start = start
        self.clip = clip
        self.endMs = endMs
        self.dayEndMs = dayEndMs
        fromMs = atMs
        since = now
    }

    /// The moment that is shown, milliseconds since 1970.
    func positionMs(at now: Instant) -> Int64 {
        guard isRunning else { return fromMs }
        let (advance, overflow) = (now - since).multipliedReportingOverflow(by: Int64(speed.rawValue))
        guard !overflow, now > since, endMs > fromMs else { return fromMs }
        return min(fromMs &+ advance / 100, endMs)
    }

    /// In how many milliseconds the end comes; nil while it is held.
    func untilEndMs(at now: Instant) -> Int64? {
        guard isRunning else { return nil }
        let left = max(0, endMs &- positionMs(at: now))
        let (hundredfold, overflow) = left.multipliedReportingOverflow(by: 100)
        return overflow ? left : hundredfold / Int64(speed.rawValue)
    }

    /// Advances from now on, or is held.
    mutating func run(_ isRunning: Bool, at now: Instant) {
        (fromMs, since) = (positionMs(at: now), now)
        self.isRunning = isRunning
    }

    /// Advances as fast as this from now on.
    mutating func change(_ speed: Session.Speed, at now: Instant) {
        (fromMs, since) = (positionMs(at: now), now)
        self.speed = speed
    }

    /// The next clip, from its begin on, at the same speed.
    func followed(by clip: Clip, endMs: Int64, at now: Instant) -> PlaybackClock {
        var next = PlaybackClock(
            start: start, clip: clip, endMs: endMs, dayEndMs: dayEndMs, atMs: clip.start.wallMs, now: now)
        next.speed = speed
        next.isRunning = isRunning
        return next
    }
}
