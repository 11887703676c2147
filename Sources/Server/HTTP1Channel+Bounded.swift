internal import HummingbirdCore
internal import NIOCore

extension HTTP1Channel.Configuration {
    /// The server's bounds on headers and idle connections.
    static var bounded: HTTP1Channel.Configuration {
        .init(
            idleTimeout: Limits.idleMax,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: Limits.headerFieldBytesMax, maxHeaderListSize: Limits.headerBytesMax,
                maxHeaderFieldCount: Limits.headerCountMax))
    }
}
