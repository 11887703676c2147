internal import Synchronization

/// Whether a camera's sound is recorded (docs/design/settings.md). A clip has sound or has none, as it was when it was opened.
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

    /// Whether sound at a position of the ring goes into a clip that takes some.
    func includes(_ position: UInt64) -> Bool { state.withLock { $0.isOn && position >= $0.since } }
}
