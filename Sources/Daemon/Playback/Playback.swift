internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import Server

/// What playing needs besides the catalog: places for those who read, movies that were planned, and
/// small pictures.
final class Playback: Sendable {
    /// Places for who reads media: each reads from the disk that records, and has at most two open files, a chunk in memory,
    /// and now and then a thread.
    let places = Places("this media", "are being played", most: Playback.placesMost, ofUserMost: 40)
    /// How many there are.
    static let placesMost = 48
    /// Keeps the clips that are read from being deleted.
    let holds: ClipHolds
    /// The movies that are played.
    let movies: Movies

    /// Strips of small pictures.
    let thumbnails: Thumbnails

    init(lookup: ClipLookup, holds: ClipHolds, clock: any Clocks) {
        self.holds = holds
        movies = Movies(clock: clock)
        thumbnails = Thumbnails(lookup: lookup, holds: holds, clock: clock)
    }

    /// A place for who reads `clips`, which are held as long as it is taken.
    func place(for caller: Caller, reading clips: [ClipID]) throws(SiteError) -> Places.Place {
        let place = try places.take(for: caller)
        try place.hold(clips, by: holds)
        return place
    }
}

extension Blocking {
    /// Threads for who reads media of these clips: what waits for the network holds up nothing that is on the disk.
    static func reading(_ clips: some Sequence<ClipID>, fromDisk: Blocking) -> Blocking {
        clips.contains { $0.remote != nil } ? fetching : fromDisk
    }

    /// Reads pieces of media for players: more at once would only make the disk seek.
    static let playing = Blocking("vigil.playing", "readings of media", runningMax: playingMax, waitingMax: 64)
    /// Plans movies, for which the heads of all their fragments are read.
    static let planning = Blocking(
        "vigil.planning", "plans of movies", runningMax: planningMax, waitingMax: 16, qos: .utility)
    /// How many of each there are at once.
    static let (playingMax, planningMax) = (4, 2)
}
