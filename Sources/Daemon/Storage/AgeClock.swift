internal import Journal
internal import Machines
internal import Synchronization

/// The wall time by which recordings, what is known of them, traces and plans grow old. A clock that is set far ahead, by a wrong time
/// server or a wrong battery clock, would take away at once what is kept for some time: it is doubted for six hours. Until then they
/// grow old by the time of before, and the rules of size and free room hold as ever. Safe to use from any thread.
final class AgeClock: Sendable {
    /// How far ahead of all that was known before a clock may be and is believed at once, in milliseconds.
    static let leapMs: Int64 = 86_400_000
    /// For how long a clock must stay that is further ahead, in milliseconds.
    static let doubtMs: Int64 = 21_600_000

    private struct State {
        /// Wall time minus boot time, the highest that was believed.
        var offset: Int64
        var doubtedSince: Instant?
    }

    private let clock: any Clocks
    private let state: Mutex<State>

    /// A clock that goes on from `lastWallMs`, the last moment that an earlier run has seen, UTC epoch milliseconds.
    init(_ clock: any Clocks, lastWallMs: Int64?) {
        self.clock = clock
        state = Mutex(State(offset: (lastWallMs ?? clock.wallMs()).subtractingClamped(clock.now().ms)))
    }

    /// UTC epoch milliseconds.
    func wallMs() -> Int64 { read().wallMs }

    /// Both times at one moment; the wall time in UTC epoch milliseconds.
    func read() -> (now: Instant, wallMs: Int64) {
        let (now, wall) = (clock.now(), clock.wallMs())
        let offset = wall.subtractingClamped(now.ms)
        return state.withLock { state in
            if offset.subtractingClamped(state.offset) > Self.leapMs {
                let since = state.doubtedSince ?? now
                state.doubtedSince = since
                if now - since < Self.doubtMs { return (now, now.ms.addingClamped(state.offset)) }
            }
            state.offset = max(state.offset, offset)
            state.doubtedSince = nil
            return (now, wall)
        }
    }

    /// Why nothing grows old, in words; nil where the clock is believed. As of the last `wallMs()`.
    var doubt: String? {
        guard state.withLock({ $0.doubtedSince }) != nil else { return nil }
        return "it is more than a day ahead of the time that was known before"
    }
}
