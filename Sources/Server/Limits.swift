internal import NIOCore

/// The bounds of the server. Each is far above what an honest client needs.
enum Limits {
    /// Largest request body: policy files are the largest thing anybody sends.
    static let bodyBytesMax = 256 * 1_024
    /// Largest single header field, request line included.
    static let headerFieldBytesMax = 8 * 1_024
    /// Largest sum of header fields.
    static let headerBytesMax = 16 * 1_024
    /// Most header fields.
    static let headerCountMax = 64
    /// A connection on which a request is not finished, or none begun, for this long is closed.
    static let idleMax = TimeAmount.seconds(60)
    /// A reader of media that takes nothing for this long is cut off, so that it does not keep the place of another.
    static let stalledReaderMax = Duration.seconds(30)
    /// Most connections at once over the control socket; more wait in the kernel's queue.
    static let controlConnectionsMax = 64
    /// Most connections at once over TCP.
    static let webConnectionsMax = 64
    /// Kernel queue of connections that were not accepted yet.
    static let backlog = 128
}
