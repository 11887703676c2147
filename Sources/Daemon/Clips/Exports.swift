internal import Catalog
internal import Machines
internal import Server
internal import Synchronization

/// The exports that are under way: bounded in number, since each reads from the disk that records.
final class Exports: Sendable {
    /// The most at once. Each takes a thread, two open files, and the memory of `ExportPlan` and `ClipMovie`.
    static let most = 4
    /// The most of one user, so that no user takes every place (H6).
    static let ofUserMost = 3

    private let holds: ClipHolds
    private let newQueue: @Sendable () -> any WorkQueue
    /// How many each user or token has.
    private let running = Mutex<[String: Int]>([:])

    /// `newQueue` makes the queue on which one export works.
    init(holds: ClipHolds, newQueue: @escaping @Sendable () -> any WorkQueue) {
        self.holds = holds
        self.newQueue = newQueue
    }

    /// A place among those under way, given back with the last reference to it.
    final class Place: Sendable {
        private let exports: Exports
        private let user: String
        private let hold = Mutex<ClipHolds.Hold?>(nil)

        fileprivate init(_ exports: Exports, _ user: String) {
            self.exports = exports
            self.user = user
        }

        /// A queue for the work of the export.
        func newQueue() -> any WorkQueue { exports.newQueue() }

        deinit {
            exports.running.withLock { running in
                let left = running[user, default: 1] - 1
                running[user] = left > 0 ? left : nil
            }
        }

        /// Keeps clips from being deleted as long as the place is taken.
        func hold(_ clips: [ClipID]) throws(SiteError) {
            let taken: ClipHolds.Hold
            do throws(ClipHolds.Going) { taken = try exports.holds.hold(clips) } catch {
                throw SiteError(
                    .conflict, what: "this export", why: "clip \(error.clip) is being deleted by its rule",
                    remedy: "ask again: it is gone in a moment")
            }
            hold.withLock { $0 = taken }
        }
    }

    /// Takes a place for a user or token (`Caller.account`).
    func begin(for user: String) throws(SiteError) -> Place {
        let why = running.withLock { running -> String? in
            guard running.values.reduce(0, +) < Self.most else { return "\(Self.most) others are under way" }
            guard running[user, default: 0] < Self.ofUserMost else {
                return "\(Self.ofUserMost) others of the same user are under way"
            }
            running[user, default: 0] += 1
            return nil
        }
        if let why {
            throw SiteError(
                .unavailable, what: "this export", why: why, remedy: "try again when one of them has ended")
        }
        return Place(self, user)
    }
}
