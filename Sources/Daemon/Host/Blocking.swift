internal import Foundation
internal import Server
internal import Synchronization

/// Runs blocking work (files, the catalog) on threads of its own, so that it never holds one of the few threads that
/// asynchronous code shares. So much at once, so much more waiting; what goes beyond is refused.
final class Blocking: Sendable {
    /// How much that callers ask for is worked on at once.
    static let requestsMax = 16
    /// How much of it waits: more than the listeners have connections.
    static let requestsWaitingMax = 240
    /// How much of the daemon's own work is done at once, and waits: far more than there are kinds of it, and of each kind one
    /// waits for the one before.
    static let ownMax = 16

    /// What callers ask for: files and the catalog.
    private static let requests = Blocking(
        "vigil.blocking", "requests", runningMax: requestsMax, waitingMax: requestsWaitingMax)
    /// The daemon's own work: its start, its end, its configuration. No request holds it up.
    private static let own = Blocking("vigil.own", "works of the daemon", runningMax: ownMax, waitingMax: ownMax)
    /// Answers that read the trace and run machines. Below everything else, so that no recording is late for one.
    static let explanations = Blocking(
        "vigil.explaining", "explanations", runningMax: ExplanationBounds.concurrentMax, waitingMax: 0, qos: .utility)

    /// What becomes of work that is handed in.
    private enum Place { case now, later, never }

    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let name: String
    private let runningMax: Int
    private let waitingMax: Int
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// Threads for work that `name` calls by its plural.
    init(_ label: String, _ name: String, runningMax: Int, waitingMax: Int, qos: DispatchQoS = .default) {
        self.name = name
        self.runningMax = runningMax
        self.waitingMax = waitingMax
        queue = DispatchQueue(label: label, qos: qos, attributes: .concurrent)
    }

    /// The result of `work` that a caller asked for, run on another thread. Throws `unavailable` where too much waits.
    static func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await requests.run(work)
    }

    /// The result of the daemon's own work, run on another thread, whatever requests wait. Throws `unavailable` where too much of
    /// that work waits.
    static func always<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await own.run(work)
    }

    /// The result of `work`, run on another thread. Throws `unavailable` where too much waits.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let job: @Sendable () -> Void = { continuation.resume(with: Swift.Result { try work() }) }
            let place = state.withLock { state -> Place in
                if state.running < runningMax {
                    state.running += 1
                    return .now
                }
                guard state.waiting.count < waitingMax else { return .never }
                state.waiting.append(job)
                return .later
            }
            switch place {
            case .now: queue.async { self.work(job) }
            case .later: break
            case .never: continuation.resume(throwing: refusal)
            }
        }
    }

    /// Does `job`, and then what waits, one after another.
    private func work(_ job: @Sendable () -> Void) {
        job()
        while let next = next() { next() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private var refusal: SiteError {
        SiteError(
            .unavailable, what: "the request was not begun",
            why: "\(runningMax) \(name) are under way" + (waitingMax > 0 ? " and \(waitingMax) wait" : ""),
            remedy: "ask again when one of them is done")
    }
}
