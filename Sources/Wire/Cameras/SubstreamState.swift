public import Machines

/// Where the sub-stream of a camera stands: one connection for its detector and its viewers.
public struct SubstreamState: Hashable, Sendable, Codable {
    /// `off` (nobody wants it, or the main stream does not deliver), `waiting` (for the next attempt), `dialing`,
    /// `synchronizing` (no key frame yet) or `streaming`.
    public var link: String
    /// The way by which it is dialled or connected.
    public var endpoint: Endpoint?
    /// How many of the camera's viewers look at it.
    public var viewers: Int
    /// Why it cannot be had; absent where it can.
    public var failure: String?
    /// Milliseconds from now until the next attempt at the earliest, while the link is `waiting`.
    public var nextRetryMs: Int64?

    /// A sub-stream's state.
    public init(link: String, endpoint: Endpoint?, viewers: Int, failure: String?, nextRetryMs: Int64?) {
        self.link = link
        self.endpoint = endpoint
        self.viewers = viewers
        self.failure = failure
        self.nextRetryMs = nextRetryMs
    }
}
