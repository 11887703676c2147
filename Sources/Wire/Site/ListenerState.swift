/// Where the daemon takes requests, and whether it does.
public struct ListenerState: Hashable, Sendable, Codable {
    /// What a listener does.
    public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        /// It is about to listen.
        case starting
        /// It takes connections.
        case listening
        /// It takes none any more, until the daemon is started again.
        case failed
    }

    /// The path of a socket, or host and port.
    public var address: String
    /// What it does.
    public var state: Phase
    /// Why it failed; absent unless it did.
    public var why: String?

    /// A listener.
    public init(address: String, state: Phase, why: String? = nil) {
        self.address = address
        self.state = state
        self.why = why
    }
}
