internal import Journal
internal import Media
internal import Server
internal import Synchronization

/// The players of low-latency HLS, each with media of its own, bounded in number.
final class LivePlayers: Sendable {
    /// Players at once. Each holds up to `LiveSegments.bytesMax`, and a few connections that wait.
    static let most = 8

    private let players = Mutex<[String: LivePlayer]>([:])

    /// The player of that id, if it watches the camera.
    func player(_ id: String, of camera: String) -> LivePlayer? {
        players.withLock { $0[id] }.flatMap { $0.request.camera == camera ? $0 : nil }
    }

    /// Begins to serve a player, until it asks no more or the view ends. Throws `unavailable` where there are as many as may be.
    func begin(_ request: LiveRequest, _ viewer: StreamViewer, clock: any Clocks) throws(SiteError) -> LivePlayer {
        // Nobody can guess the id, so nobody takes part in another one's view.
        let player = LivePlayer(RandomID().value, request, viewer, clock: clock)
        let isTaken = players.withLock { players in
            guard players.count < Self.most else { return false }
            players[player.id] = player
            return true
        }
        guard isTaken else {
            throw SiteError(
                .unavailable, what: "the playlist was not begun",
                why: "\(Self.most) players are served playlists of live view, which is the most",
                remedy: "stop one and wait \(LivePlayer.idleMsMax / 1_000) s, or use the WebSocket")
        }
        Task { [self] in
            await player.run()
            _ = players.withLock { $0.removeValue(forKey: player.id) }
        }
        return player
    }
}
