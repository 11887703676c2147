internal import Catalog
internal import Journal
internal import Machines
internal import Synchronization

/// Keeps clips that are being read from being deleted. A hold does not outlive the process and is nowhere on disk.
///
/// Recording goes before reading: the rule that frees room asks for clips whether they are held or not, and what is read then
/// ends with an error. Every other rule waits, for `holdMsMax` at most since it first asked, so that no reader keeps media past
/// its time for ever: neither one that never ends nor many one after another (H6).
final class ClipHolds: Sendable {
    /// How long a hold counts, and how long a rule waits for all holds of a clip together, in milliseconds.
    static let holdMsMax: Int64 = 6 * 3_600_000

    private struct State {
        var last = 0
        var holds: [Int: (clips: Set<ClipID>, until: Instant)] = [:]
        /// Clips whose deletion is under way.
        var going: Set<ClipID> = []
        /// When a rule first asked for a clip that was held then.
        var asked: [ClipID: Instant] = [:]
    }

    private let clock: any Clocks
    private let state = Mutex(State())

    init(clock: any Clocks) { self.clock = clock }

    /// A hold, until it is released.
    final class Hold: Sendable {
        private let number: Int
        private let holds: ClipHolds

        fileprivate init(number: Int, holds: ClipHolds) {
            self.number = number
            self.holds = holds
        }

        deinit { holds.state.withLock { $0.holds[number] = nil } }
    }

    /// A clip that cannot be held any more.
    struct Going: Error {
        let clip: ClipID
    }

    /// Holds clips until the hold is let go of.
    ///
    /// - Throws: `Going` where one of them is being deleted.
    func hold(_ clips: [ClipID]) throws(Going) -> Hold {
        let until = clock.now() + Self.holdMsMax
        let taken: Result<Int, Going> = state.withLock { state in
            if let clip = clips.first(where: state.going.contains) { return .failure(Going(clip: clip)) }
            state.last += 1
            state.holds[state.last] = (Set(clips), until)
            return .success(state.last)
        }
        return Hold(number: try taken.get(), holds: self)
    }

    /// Runs `body` with those of `clips` that may be deleted; none of them can be held meanwhile. `always`: also those that
    /// are held.
    func delete<Answer>(_ clips: [ClipID], always: Bool, _ body: ([ClipID]) throws -> Answer) rethrows -> Answer {
        let now = clock.now()
        let free = state.withLock { state in
            let held = state.holds.values.filter { !always && now < $0.until }
            let free = clips.filter { clip in
                guard held.contains(where: { $0.clips.contains(clip) }) else { return true }
                let since = state.asked[clip] ?? now
                state.asked[clip] = since
                return now - since >= Self.holdMsMax
            }
            for clip in free { state.asked[clip] = nil }
            // What no rule has asked for again does not stay for ever.
            state.asked = state.asked.filter { now - $0.value < 2 * Self.holdMsMax }
            state.going.formUnion(free)
            return free
        }
        defer { state.withLock { $0.going.subtract(free) } }
        return try body(free)
    }
}
