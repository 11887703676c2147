internal import MQTT
internal import Synchronization

/// Takes topics away from a broker, and does nothing else there.
final class TopicRemoval: BrokerClient {
    private struct State {
        var left: [String]
        var isConnected = false
        var refusal: String?
    }

    private let state: Mutex<State>

    init(_ topics: [String]) { state = Mutex(State(left: topics.reversed())) }

    /// Whether the broker has taken the connection.
    var isConnected: Bool { state.withLock { $0.isConnected } }
    /// What the broker did not take, in words.
    var refusal: String? { state.withLock { $0.refusal } }

    func connected() async { state.withLock { $0.isConnected = true } }

    func next() async -> ApplicationMessage? {
        state.withLock { $0.left.popLast() }.map { ApplicationMessage(topic: $0, payload: [], isRetained: true) }
    }

    func received(_ message: ApplicationMessage) {}

    func dropped() {}

    func refused(_ words: String) { state.withLock { $0.refusal = "the broker does not take " + words } }
}
