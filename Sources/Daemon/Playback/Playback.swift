internal import Foundation
internal import Journal
internal import Machines

/// What playing needs besides the catalog: places for those who read, movies that were planned, and
/// small pictures.
final class Playback: Sendable {
    /// Who reads media.
    let places: PlayPlaces
    /// The movies that are played.
    let movies: Movies

    /// Strips of small pictures.
    let thumbnails: Thumbnails

    init(lookup: ClipLookup, holds: ClipHolds, clock: any Clocks) {
        places = PlayPlaces(holds: holds)
        movies = Movies(clock: clock)
        thumbnails = Thumbnails(lookup: lookup, holds: holds, clock: clock)
    }
}

extension Blocking {
    /// Reads pieces of media for players: more at once would only make the disk seek.
    static let playing = Blocking("vigil.playing", "readings of media", runningMax: 4, waitingMax: 64)
    /// Plans movies, for which the heads of all their fragments are read.
    static let planning = Blocking("vigil.planning", "plans of movies", runningMax: 2, waitingMax: 16, qos: .utility)
}
