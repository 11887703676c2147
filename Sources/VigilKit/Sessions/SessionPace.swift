/// Which moment of a recording is due: it advances with the machine's clock times the speed. A value.
struct SessionPace {
    private let positionMs: Int64
    private let since: ContinuousClock.Instant
    private let speed: Double

    /// At `positionMs` now, going on at `speed`; 0 stands still.
    init(positionMs: Int64, speed: Double, now: ContinuousClock.Instant = .now) {
        (self.positionMs, self.speed, since) = (positionMs, speed, now)
    }

    /// How long until a moment is due: nil where it never is, zero or less where it is.
    func wait(for ms: Int64, now: ContinuousClock.Instant = .now) -> Duration? {
        // Differences of wall times, which are bounded by the years 0 to 9999.
        let ahead = ms - positionMs
        if ahead <= 0 { return .zero }
        guard speed > 0 else { return nil }
        return .milliseconds(Int64(min(Double(ahead) / speed, 86_400_000))) - since.duration(to: now)
    }

    /// The same moment from now on, faster, slower or not at all.
    func changed(to speed: Double, now: ContinuousClock.Instant = .now) -> SessionPace {
        let passed = since.duration(to: now).components
        let passedMs = Double(passed.seconds) * 1_000 + Double(passed.attoseconds) / 1e15
        let advanced = Int64(max(0, min(passedMs * self.speed, 1e15)))
        return SessionPace(positionMs: positionMs + advanced, speed: speed, now: now)
    }
}
