internal import Journal
internal import ServiceLifecycle

/// Runs one listener. One that cannot begin to listen ends the start; one that fails later is told, and everything else goes
/// on. At a stop it is the last to end: cameras and clips are closed before, and requests under way have a bound.
struct ListenerService: Service {
    /// How long requests under way may go on after the stop has come to the listeners, in milliseconds.
    static let endingMsMax: Int64 = 5_000
    /// How long it is waited for them to end after they were cancelled, in milliseconds.
    static let cancellingMsMax: Int64 = 2_000

    /// Where it listens, as `listeners` knows it.
    let address: String
    let listeners: Listeners
    let journal: Journal
    /// Serves until graceful shutdown; calls its argument once when callers can connect. Throws where it cannot listen.
    let serve: @Sendable (_ onListening: @escaping @Sendable () async -> Void) async throws -> Void

    func run() async throws {
        let outcome = await served()
        guard let outcome, !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
        var why = "it stopped taking connections"
        if case .failure(let error) = outcome { why += " (\(error))" }
        guard listeners.failed(address, why) else { return try outcome.get() }
        journal.send(.listenerFailed, fields: [(.path, address), (.detail, why)])
        try? await gracefulShutdown()
    }

    /// How serving ended; nil where its end was not waited for. It runs in a task of its own, since a request may sit in a
    /// call that no cancellation ends.
    private func served() async -> Result<Void, any Error>? {
        let (ends, end) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let (left, leave) = AsyncStream.makeStream(of: Void.self)
        let serving = Task { [serve, listeners, address] in
            defer { leave.finish() }
            do {
                try await serve { listeners.isUp(address) }
                end.yield(.success(()))
            } catch { end.yield(.failure(error)) }
            end.finish()
        }
        let bound = Task {
            do {
                try await gracefulShutdown()
                try await Task.sleep(for: .milliseconds(Self.endingMsMax))
                serving.cancel()
                try await Task.sleep(for: .milliseconds(Self.cancellingMsMax))
            } catch { return }
            end.finish()
        }
        defer { bound.cancel() }
        let outcome = await withTaskCancellationHandler {
            for await outcome in ends { return Optional(outcome) }
            return nil
        } onCancel: {
            serving.cancel()
        }
        if Task.isCancelled { await Self.wait(for: left, leave) }
        return outcome
    }

    /// Waits until a cancelled service has put away what it made, such as a socket file, for `cancellingMsMax` at most; in a task
    /// of its own, since a cancelled one waits for nothing.
    private static func wait(for left: AsyncStream<Void>, _ leave: AsyncStream<Void>.Continuation) async {
        await Task {
            let bound = Task {
                try await Task.sleep(for: .milliseconds(cancellingMsMax))
                leave.finish()
            }
            for await _ in left {}
            bound.cancel()
        }.value
    }
}
