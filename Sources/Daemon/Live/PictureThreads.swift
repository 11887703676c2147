internal import Foundation

/// Where pictures of live view are decoded and encoded: on few threads of a low priority, for so many viewers at once.
final class PictureThreads: Sendable {
    /// Threads.
    static let threads = 2
    /// Pictures that wait for one.
    static let waitingMax = 64
    /// Viewers who are sent pictures: each has a decoder.
    let viewers = Places("a sequence of pictures", "are sent to viewers", most: 16, ofUserMost: 12)

    private let queue = Blocking(
        "vigil.pictures", "pictures", runningMax: threads, waitingMax: waitingMax, qos: .utility)

    /// Makes a picture. Throws `unavailable` where too many wait.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await queue.run(work)
    }
}
