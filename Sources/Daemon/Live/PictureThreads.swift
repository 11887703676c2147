internal import Foundation

/// Where single pictures of live view are decoded and encoded: on few threads of a low priority.
final class PictureThreads: Sendable {
    /// Threads.
    static let threads = 2
    /// Pictures that wait for one.
    static let waitingMax = 64

    private let queue = Blocking(
        "vigil.pictures", "pictures", runningMax: threads, waitingMax: waitingMax, qos: .utility)

    /// Makes a picture. Throws `unavailable` where too many wait.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await queue.run(work)
    }
}
