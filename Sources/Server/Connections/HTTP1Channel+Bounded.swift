internal import HummingbirdCore
internal import NIOCore

extension HTTP1Channel.Configuration {
    /// The server's bounds on headers. Those on times are the `Connection`'s.
    static var bounded: HTTP1Channel.Configuration {
        .init(
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: Limits.headerFieldBytesMax, maxHeaderListSize: Limits.headerBytesMax,
                maxHeaderFieldCount: Limits.headerCountMax))
    }
}
