internal import Journal
internal import Machines
internal import Server
internal import Synchronization

/// How the broker stands, for lists, metrics and the journal: each outage and each kind of message that is ignored is told once.
final class MQTTView: Sendable {
    private struct State {
        var broker: String?
        var isConnected = false
        /// Since when it is, or is not.
        var sinceWallMs: Int64 = 0
        var why: String?
        var hasTold = false
        var told: Set<MQTTCommand.Flaw> = []
        /// Each is of a few.
        var refusals: Set<String> = []
        var ignored: [MQTTCommand.Flaw: Int64] = [:]
        var commands: Int64 = 0
    }

    private let journal: Journal
    private let clock: any Clocks
    private let state = Mutex(State())

    init(journal: Journal, clock: any Clocks) {
        self.journal = journal
        self.clock = clock
    }

    /// Another broker is configured; nil: none.
    func begin(_ broker: String?) {
        let wallMs = clock.wallMs()
        state.withLock { state in
            (state.broker, state.isConnected, state.sinceWallMs) = (broker, false, wallMs)
            (state.why, state.hasTold, state.told, state.refusals) = (nil, false, [], [])
        }
    }

    /// The broker has taken a connection.
    func connected() {
        let wallMs = clock.wallMs()
        let (broker, since) = state.withLock { state in
            defer { (state.isConnected, state.sinceWallMs, state.why, state.hasTold) = (true, wallMs, nil, false) }
            return (state.broker ?? "", state.sinceWallMs)
        }
        journal.send(
            .mqttConnected, fields: [(.url, broker), (.durationMs, "\(max(0, wallMs - since))")])
    }

    /// The connection ended, or could not be made.
    func lost(_ words: String) {
        let wallMs = clock.wallMs()
        let news = state.withLock { state -> String? in
            if state.isConnected { (state.isConnected, state.sinceWallMs) = (false, wallMs) }
            state.why = words
            defer { state.hasTold = true }
            return state.hasTold ? nil : state.broker
        }
        if let news { journal.send(.mqttLost, fields: [(.url, news), (.why, words)]) }
    }

    /// The broker does not take a part.
    func refused(_ words: String) {
        let news = state.withLock { $0.refusals.insert(words).inserted ? $0.broker : nil }
        if let news { journal.send(.mqttRefused, fields: [(.url, news), (.why, words)]) }
    }

    /// A message counts for nothing.
    func ignored(_ flaw: MQTTCommand.Flaw, _ topic: String) {
        let isNews = state.withLock { state in
            state.ignored[flaw, default: 0] += 1
            return state.told.insert(flaw).inserted
        }
        if isNews { journal.send(.mqttIgnored, fields: [(.why, flaw.words), (.detail, String(topic.prefix(200)))]) }
    }

    /// A command was taken.
    func commanded() { state.withLock { $0.commands += 1 } }

    /// A command could not be carried out.
    func failed(_ command: MQTTCommand, _ words: String) {
        journal.send(
            .mqttCommandFailed, camera: command.camera, fields: [(.request, "\(command)"), (.why, words)])
    }

    /// How it stands; nil where no broker is configured.
    var status: MQTTStatus? {
        state.withLock { state in
            state.broker.map { broker in
                MQTTStatus(
                    broker: broker, connected: state.isConnected, since: WallTime(ms: state.sinceWallMs),
                    why: state.why, commands: state.commands, ignored: state.ignored.values.reduce(0, +))
            }
        }
    }

    /// The same as metrics; none where no broker is configured.
    var metrics: [Metric] {
        guard let status else { return [] }
        var connected = Metric(.gauge, "vigil_mqtt_connected", "Whether the broker takes what is published.")
        connected.add(status.connected ? 1 : 0)
        var messages = Metric(
            .counter, "vigil_mqtt_messages_total",
            "Messages that came to topics of commands, by what became of them: command, or why they were ignored.")
        messages.add(Double(status.commands), ("fate", "command"))
        let ignored = state.withLock { $0.ignored }
        for flaw in MQTTCommand.Flaw.allCases { messages.add(Double(ignored[flaw] ?? 0), ("fate", flaw.rawValue)) }
        return [connected, messages]
    }
}
