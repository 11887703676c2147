/// How what a transport records gets to its address.
public struct TransportPush: Hashable, Sendable, Codable {
    /// `idle`: nothing is to be pushed; `pushing`; `waiting`: the last object was not taken, and is tried again.
    public var state: String
    /// The number of the session that is pushed; absent where none is.
    public var session: Int64?
    /// How many segments were taken since the daemon began.
    public var segments: Int
    /// How many bytes they had.
    public var bytes: Int64
    /// How many sessions were pushed whole since the daemon began.
    public var sessions: Int
    /// How much waits, in milliseconds of media.
    public var waitingMs: Int64
    /// How much waits, in bytes.
    public var waitingBytes: Int
    /// Why the last object was not taken; absent since one was.
    public var why: String?

    /// How it stands.
    public init(
        state: String, session: Int64?, segments: Int, bytes: Int64, sessions: Int, waitingMs: Int64, waitingBytes: Int,
        why: String?
    ) {
        (self.state, self.session, self.segments, self.bytes) = (state, session, segments, bytes)
        (self.sessions, self.waitingMs, self.waitingBytes, self.why) = (sessions, waitingMs, waitingBytes, why)
    }
}
