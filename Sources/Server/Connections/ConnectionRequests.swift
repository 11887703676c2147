internal import NIOCore
internal import NIOHTTP1

/// Watches the requests and answers of a connection, and answers health alone where the place is for it.
final class ConnectionRequests: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Where health is told, at either listener.
    private static let health: Set<Substring> = ["/healthz", "/v1/health"]

    let connection: Connection
    /// Nothing of what comes is passed on any more.
    private var isRefused = false

    init(_ connection: Connection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            let path = head.uri.prefix { $0 != "?" }
            connection.headCame("\(head.method.rawValue) \(path.prefix(200))")
            if connection.place.isForHealth, !Self.health.contains(path) { return refuse(context) }
        case .body(let part): connection.bodyCame(part.readableBytes)
        case .end: connection.requestCame()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        connection.answered()
        guard connection.place.isForHealth else { return context.write(data, promise: promise) }
        isRefused = true
        context.writeAndFlush(data, promise: promise)
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, !connection.stops() { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private static let refusal = SiteError(
        .unavailable, what: "the request was not begun",
        why: "every connection is taken, and this one is kept for the question of health",
        remedy: "close connections that are not used, or ask again in a moment")

    private func refuse(_ context: ChannelHandlerContext) {
        isRefused = true
        let body = (try? Reply.bytes(ErrorBody(Self.refusal))) ?? ByteBuffer()
        let headers: HTTPHeaders = [
            "Content-Type": ErrorBody.mediaType, "Content-Length": "\(body.readableBytes)",
            "Cache-Control": "no-store", "Connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .serviceUnavailable, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}
