internal import Synchronization

/// How far the parts of one upload have come together.
final class PartsProgress: Sendable {
    private struct State {
        var done: UInt64
        var parts: [Int: UInt64] = [:]
    }

    private let progress: TransferProgress?
    private let state: Mutex<State>

    /// A sum that begins with what is there already.
    init(_ there: UInt64, _ progress: TransferProgress?) {
        self.progress = progress
        state = Mutex(State(done: there))
        if there > 0 { progress?(there) }
    }

    /// Part `number` has come as far as `bytes`.
    func set(_ bytes: UInt64, of number: Int) {
        guard let progress else { return }
        let done = state.withLock { state in
            state.done += bytes - min(bytes, state.parts[number] ?? 0)
            state.parts[number] = max(bytes, state.parts[number] ?? 0)
            return state.done
        }
        progress(done)
    }
}
