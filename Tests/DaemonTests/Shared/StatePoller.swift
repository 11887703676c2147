import Foundation

/// Asks the daemon for all cameras at once, again and again, on a thread of its own: many cases wait for its answers.
final class StatePoller: Sendable {
    struct DidNotCome: Error { let what, log: String }

    struct View: Sendable {
        var events: [String: [ReportedEvent]] = [:]
        /// What the triggers do, and the recorders.
        var triggers: [String: String] = [:]
        var recorders: [String: String] = [:]
        /// The length of the ring in milliseconds, of cameras that stream.
        var rings: [String: Int] = [:]
    }

    private let daemon: RunningDaemon
    private let view = Awaited(View())

    init(_ daemon: RunningDaemon) {
        self.daemon = daemon
        Thread.detachNewThread { [view] in
            while !view.isOver, daemon.isRunning {
                if let seen = try? Self.look(daemon) { view.change { $0 = seen } }
                // What cases wait for is what the daemon answers, and that changes without a word: a ring grows, a blind time ends, a
                // line of the journal is ahead of the list. So it is asked again, often enough for the plans of cases and not so
                // often that asking is most of the load. The pause decides nothing.
                Thread.sleep(forTimeInterval: 0.2)
            }
            view.end()
        }
    }

    func end() { view.end() }

    private static func look(_ daemon: RunningDaemon) throws -> View {
        let told = try daemon.ask("GET", "/v1/events?limit=1000")
        let events = try JSONDecoder().decode([ReportedEvent].self, from: Data(told.text.utf8))
        var view = View(events: Dictionary(grouping: events, by: \.camera))
        for state in try daemon.state() {
            guard let camera = state["camera"] as? String else { continue }
            view.triggers[camera] = state["trigger"] as? String
            view.recorders[camera] = state["recorder"] as? String
            let ring = state["ring"] as? [String: Any]
            view.rings[camera] = state["link"] as? String == "streaming" ? ring?["durationMs"] as? Int ?? 0 : nil
        }
        return view
    }

    /// Waits for what is seen; gives what it is.
    func wait<Fact>(_ what: String, _ fact: (View) throws -> Fact?) throws -> Fact {
        if let found = try view.wait(for: fact) { return found }
        throw DidNotCome(what: what, log: String(daemon.log.suffix(3_000)))
    }
}
