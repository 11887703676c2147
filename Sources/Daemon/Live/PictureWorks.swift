internal import Foundation
internal import Server
internal import Synchronization

/// Where pictures of live view are decoded and encoded: on few threads of a low priority, for so many viewers at once.
final class PictureWorks: Sendable {
    /// Threads.
    static let threads = 2
    /// Pictures that wait for one.
    static let waitingMax = 64
    /// Viewers who are sent pictures: each has a decoder.
    static let viewersMost = 16

    private let queue = Blocking(
        "vigil.pictures", "pictures", runningMax: threads, waitingMax: waitingMax, qos: .utility)
    private let viewers = Mutex(0)

    /// One viewer's place; who lets go of it gives it back.
    final class Place: Sendable {
        private let works: PictureWorks

        fileprivate init(_ works: PictureWorks) { self.works = works }

        deinit { works.viewers.withLock { $0 -= 1 } }
    }

    /// Makes a picture. Throws `unavailable` where too many wait.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await queue.run(work)
    }

    /// A place for a viewer. Throws `unavailable` where there is none.
    func place() throws(SiteError) -> Place {
        let isTaken = viewers.withLock { viewers in
            guard viewers < Self.viewersMost else { return false }
            viewers += 1
            return true
        }
        guard isTaken else {
            throw SiteError(
                .unavailable, what: "the pictures were not begun",
                why: "\(Self.viewersMost) viewers are sent pictures, which is the most",
                remedy: "ask for single pictures (live.jpg), or use a player for video")
        }
        return Place(self)
    }
}
