internal import Catalog
internal import Machines
internal import Server
internal import Synchronization

/// The readers of media that is played: bounded in number, since each reads from the disk that records, and each holds its clips
/// from being deleted.
final class PlayPlaces: Sendable {
    /// The most at once. Each has at most two open files, a chunk in memory, and now and then a thread.
    static let most = 48
    /// The most of one user, so that no user takes every place (H6).
    static let ofUserMost = 40

    private let holds: ClipHolds
    private let taken = Mutex<[String: Int]>([:])

    init(holds: ClipHolds) { self.holds = holds }

    /// A place, with the clips that it holds; given back with the last reference to it.
    final class Place: Sendable {
        private let places: PlayPlaces
        private let user: String
        private let hold: ClipHolds.Hold

        fileprivate init(_ places: PlayPlaces, _ user: String, _ hold: ClipHolds.Hold) {
            self.places = places
            self.user = user
            self.hold = hold
        }

        deinit { places.leave(user) }
    }

    /// Takes a place for a user who reads `clips`.
    ///
    /// - Throws: `unavailable` where there is none, `conflict` where one of the clips is being deleted.
    func take(for caller: Caller, reading clips: [ClipID]) throws(SiteError) -> Place {
        let user = caller.account
        let why = taken.withLock { taken -> String? in
            guard taken.values.reduce(0, +) < Self.most else { return "\(Self.most) others are being played" }
            guard taken[user, default: 0] < Self.ofUserMost else {
                return "\(Self.ofUserMost) others are being played by the same user"
            }
            taken[user, default: 0] += 1
            return nil
        }
        if let why {
            throw SiteError(.unavailable, what: "this media", why: why, remedy: "ask again when one of them has ended")
        }
        do throws(ClipHolds.Going) { return Place(self, user, try holds.hold(clips)) } catch {
            leave(user)
            throw SiteError(
                .conflict, what: "this media", why: "clip \(error.clip) is being deleted by its rule",
                remedy: "ask again: it is gone in a moment")
        }
    }

    private func leave(_ user: String) {
        taken.withLock { taken in
            let left = taken[user, default: 1] - 1
            taken[user] = left > 0 ? left : nil
        }
    }
}
