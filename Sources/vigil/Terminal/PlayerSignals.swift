internal import Foundation
internal import Glibc
internal import Synchronization

/// While a player runs, what would end this program ends the player first: it would play on what it holds. A second signal ends this
/// program at once.
final class PlayerSignals: Sendable {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    private struct State {
        /// The signal that came first.
        var caught: Int32?
        /// The player's process, once there is one.
        var player: pid_t?
    }

    private let state = Mutex(State())

    /// Starts a player and waits for its end under these rules, and then does what a signal that came meanwhile would have done.
    /// Signals are caught before the player starts: none can come too early. Throws what `start` throws.
    func during(start: () throws -> PlayerProcess, wait: (PlayerProcess) async -> Int32?) async throws -> Int32? {
        var sources: [any DispatchSourceSignal] = []
        for number in Self.numbers { sources.append(await source(number)) }
        defer {
            for number in Self.numbers { signal(number, SIG_DFL) }
            for source in sources { source.cancel() }
            if let number = state.withLock({ $0.caught }) { Self.end(by: number) }
        }
        let process = try start()
        let isCaught = state.withLock { state in
            state.player = process.id
            return state.caught != nil
        }
        if isCaught { kill(process.id, SIGTERM) }
        let status = await wait(process)
        // Its number may be another process's from now on.
        state.withLock { $0.player = nil }
        return status
    }

    /// What hears of a signal; it listens when this returns. Until then the signal does what it always does: libdispatch puts a handler
    /// of its own in place, so nothing is to be ignored.
    private func source(_ number: Int32) async -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { [self] in came(number) }
        await withCheckedContinuation { continuation in
            source.setRegistrationHandler { continuation.resume() }
            source.resume()
        }
        return source
    }

    private func came(_ number: Int32) {
        let (isSecond, player) = state.withLock { state in
            defer { state.caught = number }
            return (state.caught != nil, state.player)
        }
        if isSecond {
            signal(number, SIG_DFL)
            Self.end(by: number)
        }
        if let player { kill(player, SIGTERM) }
    }

    /// Ends the program as the signal does. Tasks run on threads that hold signals back, so this one is let through.
    private static func end(by number: Int32) {
        var one = sigset_t()
        sigemptyset(&one)
        sigaddset(&one, number)
        pthread_sigmask(SIG_UNBLOCK, &one, nil)
        raise(number)
    }
}
