import Foundation
import Synchronization

/// Asks the daemon for all cameras at once, again and again, on a thread of its own: many plays wait for its answers.
final class Sight: Sendable {
    struct DidNotCome: Error { let what, log: String }

    struct View: Sendable {
        var events: [String: [ToldEvent]] = [:]
        /// What the triggers do, and the recorders.
        var triggers: [String: String] = [:]
        var recorders: [String: String] = [:]
        /// The length of the ring in milliseconds, of cameras that stream.
        var rings: [String: Int] = [:]
    }

    private let daemon: RunningDaemon
    private let view = Mutex((view: View(), isOver: false))

    init(_ daemon: RunningDaemon) {
        self.daemon = daemon
        Thread.detachNewThread { [self] in
            while !view.withLock({ $0.isOver }) {
                if let seen = try? Self.look(daemon) { view.withLock { $0.view = seen } }
                // Often enough for the plans of plays, and not so often that asking is most of the load.
                Thread.sleep(forTimeInterval: 0.2)
            }
        }
    }

    func end() { view.withLock { $0.isOver = true } }

    private static func look(_ daemon: RunningDaemon) throws -> View {
        let told = try daemon.vigil(["events", "--json"])
        let events = try JSONDecoder().decode([ToldEvent].self, from: Data(told.output.utf8))
        var view = View(events: Dictionary(grouping: events, by: \.camera))
        for state in try daemon.json(["state"]) {
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
        let deadline = ContinuousClock.now + .seconds(RunningDaemon.patience)
        while ContinuousClock.now < deadline, daemon.isRunning {
            let seen = view.withLock { $0.view }
            if let found = try fact(seen) { return found }
            Thread.sleep(forTimeInterval: 0.02)
        }
        throw DidNotCome(what: what, log: String(daemon.log.suffix(3_000)))
    }
}
