internal import Dispatch
internal import Machines
internal import Synchronization

/// Wakes a camera at its next deadline. One timer, re-armed after each step; a firing that comes too early or too late is
/// harmless, because the machine looks only at the instant it is given.
final class DeadlineTimer: Sendable {
    private struct State {
        var armed: Instant?
        let source: any DispatchSourceTimer
    }

    private let state: Mutex<State>

    /// A timer that calls `fire` on a queue of its own.
    init(label: String, fire: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: label))
        source.setEventHandler(handler: DispatchWorkItem(block: fire))
        source.schedule(deadline: .distantFuture)
        source.activate()
        state = Mutex(State(armed: nil, source: source))
    }

    /// Fires at `deadline`, or not at all.
    func arm(_ deadline: Instant?, now: Instant) {
        state.withLock { state in
            guard state.armed != deadline else { return }
            state.armed = deadline
            if let deadline {
                state.source.schedule(deadline: .now() + .milliseconds(Int(clamping: max(deadline - now, 0))))
            } else {
                state.source.schedule(deadline: .distantFuture)
            }
        }
    }

    /// Forgets what is armed, so that the same deadline can be armed again.
    func disarm() { state.withLock { $0.armed = nil } }

    deinit { state.withLock { $0.source.cancel() } }
}
