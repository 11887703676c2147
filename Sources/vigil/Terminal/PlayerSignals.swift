internal import Foundation
internal import Glibc
internal import Synchronization

/// While a player runs, what would end this program ends the player first: it would play on what it holds. A second signal ends this
/// program at once.
final class PlayerSignals: Sendable {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    private let caught = Mutex<Int32?>(nil)
    private let player: pid_t

    /// From now on, for the player that is this process.
    init(of player: pid_t) { self.player = player }

    /// Runs `body` under these rules, and then does what a signal that came meanwhile would have done.
    func during<Value>(_ body: () async -> Value) async -> Value {
        let sources = Self.numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in came(number) }
            source.resume()
            return source
        }
        let value = await body()
        for source in sources { source.cancel() }
        for number in Self.numbers { signal(number, SIG_DFL) }
        if let number = caught.withLock({ $0 }) { Self.end(by: number) }
        return value
    }

    private func came(_ number: Int32) {
        let isSecond = caught.withLock { caught in
            defer { caught = number }
            return caught != nil
        }
        if isSecond {
            signal(number, SIG_DFL)
            Self.end(by: number)
        }
        kill(player, SIGTERM)
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
