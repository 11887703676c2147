internal import Catalog
internal import Machines
internal import Server
internal import Synchronization

/// The exports that are under way: bounded in number, since each reads from the disk that records.
final class Exports: Sendable {
    /// The most at once. Each takes a thread, two open files, and the memory of `ExportPlan` and `ClipMovie`.
    static let most = 4

    private let holds: ClipHolds
    private let newQueue: @Sendable () -> any WorkQueue
    private let running = Mutex(0)

    /// `newQueue` makes the queue on which one export works.
    init(holds: ClipHolds, newQueue: @escaping @Sendable () -> any WorkQueue) {
        self.holds = holds
        self.newQueue = newQueue
    }

    /// A place among those under way, given back with the last reference to it.
    final class Place: Sendable {
        private let exports: Exports
        private let hold = Mutex<ClipHolds.Hold?>(nil)

        fileprivate init(_ exports: Exports) { self.exports = exports }

        /// A queue for the work of the export.
        func newQueue() -> any WorkQueue { exports.newQueue() }

        deinit { exports.running.withLock { $0 -= 1 } }

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

    /// Takes a place.
    func begin() throws(SiteError) -> Place {
        let isFree = running.withLock { running in
            guard running < Self.most else { return false }
            running += 1
            return true
        }
        guard isFree else {
            throw SiteError(
                .unavailable, what: "this export", why: "\(Self.most) others are under way",
                remedy: "try again when one of them has ended")
        }
        return Place(self)
    }
}
