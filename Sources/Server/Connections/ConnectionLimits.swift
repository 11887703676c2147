internal import NIOCore

/// The bounds of the connections of one listener. Times run while it is the client's turn, and never while it waits for us.
struct ConnectionLimits: Sendable {
    /// Most connections at once.
    var most = 64
    /// Most of one peer: a user, or an address.
    var ofPeerMost = 48
    /// Who follow the journal at once, besides those.
    var followersMost = 64
    /// Most of these of one peer.
    var followersOfPeerMost = 48
    /// More of them, in which nothing but health is answered.
    var healthMost = 8
    /// Live viewers at once, besides those.
    var viewersMost = 256
    /// Most live viewers of one peer.
    var viewersOfPeerMost = 128
    /// Connections over which a camera pushes at the moment, besides those; beyond these it pushes in an ordinary place.
    var pushersMost = 0
    /// Most of these of one peer.
    var pushersOfPeerMost = 0
    /// From the first byte of a request, or from the connection's begin, to the end of its head.
    var headMax = TimeAmount.seconds(10)
    /// The same in a place for health.
    var healthHeadMax = TimeAmount.seconds(2)
    /// From the end of a request's head to the end of its body.
    var bodyMax = TimeAmount.seconds(30)
    /// Between an answer and the next request.
    var idleMax = TimeAmount.seconds(60)
    /// How long a reader may take for `Limits.takenBytesMin` of an answer.
    var stalledMax = TimeAmount.seconds(30)
    /// The same while the daemon stops.
    var stoppingStalledMax = TimeAmount.seconds(1)
    /// After this long without progress a reader gives up its place to another connection, where places are short.
    var yieldingStalledMax = TimeAmount.seconds(5)

    /// All of them at once.
    var all: Int { most + followersMost + healthMost + viewersMost + pushersMost }

    /// Over TCP, where a page has a connection for each camera that it shows live.
    static let web = ConnectionLimits(
        most: 256, ofPeerMost: 192, pushersMost: 256, pushersOfPeerMost: 192)
}

/// How many connections one listener has at most: what the limits of the process are sized by.
package struct ListenerBounds: Sendable {
    /// The control socket's.
    package static let control = ListenerBounds(ConnectionLimits())
    /// The web's.
    package static let web = ListenerBounds(.web)

    /// Connections at once.
    package let connections: Int
    /// Live viewers among them.
    package let viewers: Int

    private init(_ limits: ConnectionLimits) { (connections, viewers) = (limits.all, limits.viewersMost) }
}
