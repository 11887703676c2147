/// What the system or a library did not do for WebRTC.
public struct TransportProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Step and cause.
    public let description: String
}
