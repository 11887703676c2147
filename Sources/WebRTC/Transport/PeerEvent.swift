/// What becomes of a viewer of WebRTC.
public enum PeerEvent: Hashable, Sendable {
    /// Packets can be sent.
    case connected
    /// It has lost the picture, and wants one at which decoding can begin.
    case pictureWanted
    /// What it tells of its network: once a second, where it tells anything.
    case network(NetworkReport)
    /// It is over, and why; nothing follows.
    case ended(PeerEnd)
}

/// Why a viewer of WebRTC is over.
public enum PeerEnd: Hashable, Sendable {
    /// This end closed it.
    case closed
    /// The viewer said that it leaves.
    case left
    /// Nothing signed came from it for so long that it is taken to be gone (RFC 7675).
    case silent
    /// No connection came about in time, or the handshake failed: why.
    case failed(String)
}
