/// Live view by WebRTC, as vigil.yaml says it.
public struct WebRTCSettings: Hashable, Sendable {
    /// Where datagrams are taken.
    public enum Listen: Hashable, Sendable {
        /// At the address and port (UDP) of HTTP, where there is HTTP.
        case asHTTP
        /// At this address and port.
        case at(ListenAddress)
        /// Nowhere.
        case none
    }

    /// Where datagrams are taken.
    public let listen: Listen
    /// The numeric addresses that viewers are told; empty for those that this machine has.
    public let addresses: [String]
}
