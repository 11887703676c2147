internal import Server
internal import Synchronization

/// How many look for cameras at a time: each search has connections and datagrams of its own.
final class Discoveries: Sendable {
    /// How many do at most.
    static let atOnceMax = 2
    /// After so long no more devices of a search are asked, in milliseconds.
    static let searchMs: Int64 = 20_000
    /// How long a key frame is waited for, in milliseconds.
    static let pictureMs: Int64 = 15_000

    private let running = Mutex(0)

    /// Does `work`. Throws `unavailable` where too many look already.
    func run<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        let isTaken = running.withLock { running in
            guard running < Self.atOnceMax else { return false }
            running += 1
            return true
        }
        guard isTaken else {
            throw SiteError(
                .unavailable, what: "the search for cameras", why: "\(Self.atOnceMax) others look already",
                remedy: "try again in a minute")
        }
        defer { running.withLock { $0 -= 1 } }
        return try await work()
    }
}
