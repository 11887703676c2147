internal import NIOCore

/// The bounds of a WebSocket in time; those on its messages are `WebSocketReader`'s.
enum WebSocketLimits {
    /// How often the other end is asked whether it is there.
    static let pingEvery = TimeAmount.seconds(20)
    /// How long its answer to that, or to a close, may take.
    static let pongMax = TimeAmount.seconds(30)
    static let closeMax = TimeAmount.seconds(1)
}
