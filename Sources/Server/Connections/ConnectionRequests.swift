internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// Watches the requests and answers of a connection, and answers health alone where the place is for it. An answer 101 makes
/// the connection a WebSocket, or one over which frames in shared memory are told.
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
    /// The WebSocket that the connection becomes with an answer 101; for who has ordered it.
    private(set) var webSocket: EventLoopPromise<WebSocket>?
    private var frameSocket: (promise: EventLoopPromise<FrameSocket>, handler: FrameSocketHandler)?
    /// Whether it speaks HTTP no more.
    private var isChanged = false

    /// A request for another protocol. HTTP's codec reads nothing behind it, so it is the last one where it does not get that.
    private enum LastRequest { case none, underWay, whole }
    private var lastRequest = LastRequest.none
    /// When the answer to it was written; the connection is closed then.
    private var lastAnswer: EventLoopFuture<Void>?

    init(_ connection: Connection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused, lastRequest != .whole else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            let path = head.uri.prefix { $0 != "?" }
            connection.headCame("\(head.method.rawValue) \(path.prefix(200))")
            if connection.place.isForHealth, !Self.health.contains(path) { return refuse(context) }
            if Self.isLast(head) { lastRequest = .underWay }
        case .body(let part): connection.bodyCame(part.readableBytes)
        case .end:
            connection.requestCame()
            guard lastRequest == .underWay else { break }
            lastRequest = .whole
            connection.lastRequestCame()
        }
        context.fireChannelRead(data)
        closeBehindLast(context)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isChanged { return end(context, unwrapOutboundIn(data), promise) }
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status == .switchingProtocols && (webSocket != nil || frameSocket != nil):
            change(context, data, promise)
        case .head(var head) where answersLast && head.status.code >= 200:
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body: context.write(data, promise: promise)
        case .end: answered(context, data, promise)
        }
    }

    /// The answer 101 changes what the connection speaks.
    private func change(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        isChanged = true
        connection.protocolChanged()
        guard frameSocket != nil else {
            context.write(data, promise: promise)
            return becomeWebSocket(context)
        }
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.cascade(to: promise)
        context.writeAndFlush(data, promise: sent)
        becomeFrameSocket(context, after: sent.futureResult)
    }

    /// An answer ends with `data`.
    private func answered(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        let isLast = answersLast
        connection.answered()
        if connection.place.isForHealth || connection.isViewer {
            isRefused = true
            context.writeAndFlush(data, promise: promise)
            return context.close(promise: nil)
        }
        guard isLast else { return context.write(data, promise: promise) }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.cascade(to: promise)
        lastAnswer = written.futureResult
        context.writeAndFlush(data, promise: written)
        closeBehindLast(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, !connection.stops() { return context.close(promise: nil) }
        // A viewer that says no more has gone: nothing else would tell while the camera is silent.
        if case ChannelEvent.inputClosed = event, connection.isViewer { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        webSocket?.fail(ChannelError.ioOnClosedChannel)
        frameSocket?.promise.fail(ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

    // MARK: The last request

    /// Whether HTTP's codec may read nothing behind the request. It also looks at `Connection`; a request without that, which it reads
    /// on behind, may be the last one, too.
    private static func isLast(_ head: HTTPRequestHead) -> Bool {
        head.method == .CONNECT || head.headers.contains(name: "Upgrade")
    }

    /// Whether what is being answered is the last request.
    private var answersLast: Bool { lastRequest != .none && connection.answering <= 1 }

    /// Closes the connection when the last request is whole and its answer is written.
    private func closeBehindLast(_ context: ChannelHandlerContext) {
        guard lastRequest == .whole, let lastAnswer else { return }
        lastAnswer.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    // MARK: Pushing

    /// The body under way is pushed by a camera. `isExpecting`: the pusher waits to be told that it is wanted (RFC 9110, 10.1.1).
    func becomesPusher(isExpecting: Bool) throws {
        connection.becomesPusher()
        guard isExpecting else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        try connection.context(of: self).writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    // MARK: Shared memory

    /// The connection tells of frames in shared memory with the next answer, which is 101. Fails where the connection has ended.
    func expectFrameSocket(
        on loop: any EventLoop, _ giveBack: @escaping @Sendable (UInt8) -> Bool, misused: @escaping @Sendable () -> Void
    ) -> EventLoopFuture<FrameSocket> {
        guard !connection.isOver else { return loop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
        let promise = loop.makePromise(of: FrameSocket.self)
        frameSocket?.promise.fail(ChannelError.ioOnClosedChannel)
        frameSocket = (promise, FrameSocketHandler(giveBack, misused: misused))
        return promise.futureResult
    }

    /// `sent`: the head has been taken, so that a descriptor does not overtake it.
    private func becomeFrameSocket(_ context: ChannelHandlerContext, after sent: EventLoopFuture<Void>) {
        guard let frameSocket else { return }
        do {
            try context.pipeline.syncOperations.addHandler(frameSocket.handler, position: .before(self))
            try removeHTTP(context)
            let socket = FrameSocket(frameSocket.handler, on: context.eventLoop)
            sent.map { socket }.cascade(to: frameSocket.promise)
        } catch {
            frameSocket.promise.fail(error)
            context.close(promise: nil)
        }
    }

    /// Takes HTTP's codec away.
    private func removeHTTP(_ context: ChannelHandlerContext) throws {
        let operations = context.pipeline.syncOperations
        _ = operations.removeHandler(
            context: try operations.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self))
        _ = operations.removeHandler(context: try operations.context(handlerType: HTTPResponseEncoder.self))
    }

    // MARK: WebSocket

    /// The connection becomes a WebSocket with the next answer, which is 101. Fails where the connection has ended.
    func expectWebSocket(on loop: any EventLoop) -> EventLoopFuture<WebSocket> {
        guard !connection.isOver else { return loop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
        let promise = webSocket ?? loop.makePromise(of: WebSocket.self)
        webSocket = promise
        return promise.futureResult
    }

    /// Puts the WebSocket's codec in the place of HTTP's. What the client said meanwhile is dropped: it may say nothing before
    /// the answer (RFC 6455, 4.1).
    private func becomeWebSocket(_ context: ChannelHandlerContext) {
        let (over, end) = AsyncStream.makeStream(of: Void.self)
        let handler = WebSocketHandler { end.finish() }
        do {
            let operations = context.pipeline.syncOperations
            let decoder = ByteToMessageHandler(
                WebSocketFrameDecoder(maxFrameSize: WebSocketReader.messageBytesMax))
            try operations.addHandlers(
                [WebSocketFrameEncoder(), decoder, handler] as [any ChannelHandler], position: .before(self))
            try removeHTTP(context)
            webSocket?.succeed(WebSocket(handler, on: context.eventLoop, over: over))
        } catch {
            webSocket?.fail(error)
            context.close(promise: nil)
        }
    }

    /// The answer that began with 101 is over when its connection is.
    private func end(
        _ context: ChannelHandlerContext, _ part: HTTPServerResponsePart, _ promise: EventLoopPromise<Void>?
    ) {
        promise?.succeed()
        guard case .end = part else { return }
        connection.answered()
        if let frameSocket { return frameSocket.handler.end() }
        try? context.pipeline.syncOperations.handler(type: WebSocketHandler.self).close(.init(.normal, ""))
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
