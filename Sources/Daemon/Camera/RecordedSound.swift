internal import Synchronization

/// Whether a camera's sound is recorded (docs/design/settings.md). A clip takes sound or takes none, as it is at its
/// first frame.
final class RecordedSound: Sendable {
    private struct State {
        var isOn = true
        /// Where in the ring it was switched.
        var since: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Whether sound that comes now is recorded.
    var isOn: Bool { state.withLock { $0.isOn } }

    /// Switches it, from a position of the ring on.
    func turn(_ isOn: Bool, from position: UInt64) {
        state.withLock { if $0.isOn != isOn { $0 = State(isOn: isOn, since: position) } }
    }

    /// Whether sound at a position of the ring is recorded: before it was switched last, it was the other way round.
    func includes(_ position: UInt64) -> Bool { state.withLock { (position >= $0.since) == $0.isOn } }
}
