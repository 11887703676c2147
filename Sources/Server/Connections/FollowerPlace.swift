internal import NIOCore

/// The place of one who follows the journal: its answer goes on until it goes away. Followers are counted apart, so that they
/// keep no ordinary request out. The place is given free when nobody holds it any more.
final class FollowerPlace: Sendable {
    /// Why there is none.
    enum Refusal: Hashable, Sendable {
        /// So many follow it already.
        case most(Int)
        /// So many of the same peer are.
        case mostOfPeer(Int)
    }

    private let connections: Connections
    private let place: Connections.Place

    private init(_ connections: Connections, _ place: Connections.Place) {
        self.connections = connections
        self.place = place
    }

    deinit { connections.endFollowing(place) }

    /// A place for who follows over `channel`; nil where the connections of its listener are not bounded, as in a test without a
    /// socket. Throws `unavailable` where too many follow already.
    static func take(_ channel: any Channel) async throws -> FollowerPlace? {
        let found = try await channel.eventLoop.submit { () -> (Connections, Connections.Place)? in
            let requests = try? channel.pipeline.syncOperations.handler(type: ConnectionRequests.self)
            return requests.map { ($0.connection.connections, $0.connection.place) }
        }.get()
        guard let (connections, place) = found else { return nil }
        guard let refusal = connections.beginFollowing(place) else { return FollowerPlace(connections, place) }
        let why =
            switch refusal {
            case .most(let most): "\(most) follow it already"
            case .mostOfPeer(let most): "\(place.peer.name) follows it \(most) times already"
            }
        throw SiteError(
            .unavailable, what: "the journal is not followed", why: why,
            remedy: "end those that are not looked at, and ask again")
    }
}
