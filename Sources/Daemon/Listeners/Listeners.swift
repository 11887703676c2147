internal import Server
internal import Synchronization

/// What each listener of the daemon does: the control socket, and HTTP where it is configured.
final class Listeners: Sendable {
    private let state: Mutex<[ListenerState]>
    /// Ends when every listener takes connections.
    private let starting: AsyncStream<Void>
    private let up: AsyncStream<Void>.Continuation

    /// Listeners that begin at these addresses, in order.
    init(_ addresses: [String]) {
        state = Mutex(addresses.map { ListenerState(address: $0, state: .starting) })
        (starting, up) = AsyncStream.makeStream()
    }

    /// Each listener, in order.
    var all: [ListenerState] { state.withLock { $0 } }

    /// One line where a listener has failed, with no address in it.
    var complaint: String? {
        let failed = all.count { $0.state == .failed }
        return failed == 0 ? nil : "\(failed) of \(all.count) listeners have failed"
    }

    /// The listener takes connections now.
    func isUp(_ address: String) { change(address) { $0.state = .listening } }

    /// The listener takes no connection any more, for this reason; false where it never did.
    func failed(_ address: String, _ why: String) -> Bool {
        guard all.contains(where: { $0.address == address && $0.state == .listening }) else { return false }
        change(address) { ($0.state, $0.why) = (.failed, why) }
        return true
    }

    /// Waits until every listener takes connections, or the task is cancelled. For one task.
    func areUp() async { for await _ in starting {} }

    private func change(_ address: String, _ body: (inout ListenerState) -> Void) {
        let areUp = state.withLock { listeners in
            for index in listeners.indices where listeners[index].address == address { body(&listeners[index]) }
            return listeners.allSatisfy { $0.state != .starting }
        }
        if areUp { up.finish() }
    }
}
