internal import Glibc
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// HTTP over connections that are bounded in number and in time.
struct BoundedChannel: ServerChildChannel {
    let http: HTTP1Channel
    let connections: Connections
    /// Nil where connections are not encrypted.
    let certificate: WebCertificate?
    /// Whether a certificate of the client is asked for.
    var asks: @Sendable () -> Bool = { false }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        if let certificate {
            do { try channel.pipeline.syncOperations.addHandler(certificate.handler(asks: asks())) } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }
        return http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let operations = channel.pipeline.syncOperations
            let options = channel.syncOptions
            try options?.setOption(.maxMessagesPerRead, value: 1)
            try options?.setOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Limits.readBytesMax))
            let isWaiting = Self.hasBytes(channel)
            guard let place = connections.admit(channel, of: Self.peer(channel), isWaiting: isWaiting) else {
                // Not before the server has taken the channel over: it does not expect a closed one.
                channel.eventLoop.execute { channel.close(promise: nil) }
                return value
            }
            let connection = Connection(channel, place, connections, hasUnread: isWaiting)
            try operations.addHandler(ConnectionBytes(connection), position: .first)
            let decoder = try operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try operations.addHandler(ConnectionRequests(connection), position: .after(decoder))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await http.handle(value: value, logger: logger) }

    /// Whether its client has said something that nobody has read.
    private static func hasBytes(_ channel: any Channel) -> Bool {
        let found = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable {
            (handle: NIOBSDSocket.Handle) in
            var byte: UInt8 = 0
            return recv(handle, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
        }
        return (found ?? nil) ?? false
    }

    /// By what a connection is counted: the user at its other end, or the address.
    private static func peer(_ channel: any Channel) -> Connections.Peer {
        let found = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable {
            (handle: NIOBSDSocket.Handle) in LocalPeer.of(handle)
        }
        if let caller = (found ?? nil)?.caller { return .init(key: caller.account, name: "\(caller)") }
        let address = channel.remoteAddress?.ipAddress ?? "an unknown address"
        return .init(key: address, name: address)
    }
}

extension HTTPServerBuilder {
    /// HTTP over bounded connections, encrypted where there is a certificate, with one of the client where `asks` says so.
    static func bounded(
        _ connections: Connections, _ certificate: WebCertificate? = nil,
        asks: @escaping @Sendable () -> Bool = { false }
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            BoundedChannel(
                http: HTTP1Channel(responder: responder, configuration: .bounded), connections: connections,
                certificate: certificate, asks: asks)
        }
    }
}
