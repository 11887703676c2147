internal import Journal
internal import Media
internal import Server
internal import Synchronization

/// The players of low-latency HLS, each with media of its own, bounded in number.
final class LivePlayers: Sendable {
    /// Each player holds up to `LiveSegments.bytesMax`, and a few connections that wait.
    let places = Places("the playlist", "are served playlists of live view", most: 8, ofUserMost: 6)

    private let players = Mutex<[String: LivePlayer]>([:])

    /// The player of that id, if it watches the camera.
    func player(_ id: String, of camera: String) -> LivePlayer? {
        players.withLock { $0[id] }.flatMap { $0.request.camera == camera ? $0 : nil }
    }

    /// Begins to serve a player that has a place, until it asks no more or the view ends.
    func begin(_ request: LiveRequest, _ viewer: StreamViewer, _ place: Places.Place, clock: any Clocks) -> LivePlayer {
        // Nobody can guess the id, so nobody takes part in another one's view.
        let player = LivePlayer(RandomID().value, request, viewer, clock: clock)
        players.withLock { $0[player.id] = player }
        Task { [self] in
            await player.run()
            withExtendedLifetime(place) {}
            _ = players.withLock { $0.removeValue(forKey: player.id) }
        }
        return player
    }
}
