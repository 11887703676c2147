internal import Catalog
internal import Server
internal import Synchronization

/// How many may do one thing at once: in all, and of one user, so that no user takes every place (H6).
final class Places: Sendable {
    /// The most at once, and of one user.
    let most, ofUserMost: Int
    /// What is refused beyond that, and what others are at, in words.
    private let what, doing: String
    /// How many each user or token has (`Caller.account`).
    private let taken = Mutex<[String: Int]>([:])

    /// Places for `what` ("this export"); others "are under way".
    init(_ what: String, _ doing: String, most: Int, ofUserMost: Int) {
        (self.what, self.doing, self.most, self.ofUserMost) = (what, doing, most, ofUserMost)
    }

    /// A place, given back with the last reference to it.
    final class Place: Sendable {
        private let places: Places
        private let user: String
        private let hold = Mutex<ClipHolds.Hold?>(nil)

        fileprivate init(_ places: Places, _ user: String) { (self.places, self.user) = (places, user) }

        deinit { places.leave(user) }

        /// Keeps clips from being deleted as long as the place is taken.
        ///
        /// - Throws: `conflict` where one of them is being deleted.
        func hold(_ clips: [ClipID], by holds: ClipHolds) throws(SiteError) {
            let taken: ClipHolds.Hold
            do throws(ClipHolds.Going) { taken = try holds.hold(clips) } catch {
                throw SiteError(
                    .conflict, what: places.what, why: "clip \(error.clip) is being deleted by its rule",
                    remedy: "ask again: it is gone in a moment")
            }
            hold.withLock { $0 = taken }
        }
    }

    /// Takes a place for whoever asks.
    ///
    /// - Throws: `unavailable` where there is none.
    func take(for caller: Caller) throws(SiteError) -> Place {
        let user = caller.account
        let why = taken.withLock { taken -> String? in
            guard taken.values.reduce(0, +) < most else { return "\(most) others \(doing)" }
            guard taken[user, default: 0] < ofUserMost else { return "\(ofUserMost) others of the same user \(doing)" }
            taken[user, default: 0] += 1
            return nil
        }
        if let why {
            throw SiteError(.unavailable, what: what, why: why, remedy: "try again when one of them has ended")
        }
        return Place(self, user)
    }

    private func leave(_ user: String) {
        taken.withLock { taken in
            let left = taken[user, default: 1] - 1
            taken[user] = left > 0 ? left : nil
        }
    }
}
