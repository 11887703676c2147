internal import NIOCore
internal import NIOWebSocket

/// One WebSocket on its event loop, behind NIO's codec: answers pings, asks whether the other end is there, closes in order.
final class WebSocketHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private var reader = WebSocketReader()
    private var context: ChannelHandlerContext?
    /// Nothing is sent any more.
    private var isClosing = false
    private var timer: Scheduled<Void>?
    private let over: @Sendable () -> Void

    /// Calls `over` once when the other end is gone or nothing can be sent any more.
    init(_ over: @escaping @Sendable () -> Void) { self.over = over }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        schedulePing(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    // MARK: What comes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return closingRead(unwrapInboundIn(data), context) }
        let frame = unwrapInboundIn(data)
        let outcome = reader.take(WebSocketReader.Frame(frame), at: Self.nowMs)
        switch outcome {
        case .nothing: break
        case .alive: schedulePing(context)
        case .pong(let data): write(.pong, data, context, promise: nil)
        case .closes(let code): close(context, code: code, reason: "", awaitsEcho: false)
        case .refused(let close): self.close(close)
        }
    }

    /// After a close was sent only its echo matters.
    private func closingRead(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        if frame.opcode == .connectionClose { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? NIOWebSocketError else { return context.close(promise: nil) }
        switch error {
        case .invalidFrameLength:
            close(.init(.tooLarge, "a frame has at most \(WebSocketReader.messageBytesMax) bytes"))
        case .fragmentedControlFrame, .multiByteControlFrameLength:
            close(.init(.protocolError, "a control frame is whole and short"))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: close(.init(.goingAway, "draining: the daemon is shut down"))
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: What is sent

    /// Sends a message; the promise is kept when the socket has taken it.
    func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, promise: EventLoopPromise<Void>?) {
        guard !isClosing, let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let frame = WebSocketFrame(fin: true, opcode: opcode, data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }

    /// Closes with a code and a reason. The connection ends when the other end has answered, or soon without it.
    func close(_ close: WebSocketClose) {
        guard let context else { return }
        self.close(context, code: close.code.rawValue, reason: close.reason, awaitsEcho: true)
    }

    private func close(_ context: ChannelHandlerContext, code: UInt16, reason: String, awaitsEcho: Bool) {
        guard !isClosing else { return }
        isClosing = true
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: WebSocketLimits.closeMax) {
            context.close(promise: nil)
        }
        let sent = context.eventLoop.makePromise(of: Void.self)
        if !awaitsEcho { sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
        let bytes = [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
        write(.connectionClose, bytes + Array(reason.utf8), context, promise: sent)
        over()
    }

    private func write(
        _ opcode: WebSocketOpcode, _ bytes: [UInt8], _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?
    ) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, data: context.channel.allocator.buffer(bytes: bytes))
        context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }

    // MARK: Whether it is there

    private func schedulePing(_ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: WebSocketLimits.pingEvery) {
            self.write(.ping, [], context, promise: nil)
            self.timer = context.eventLoop.assumeIsolated().scheduleTask(in: WebSocketLimits.pongMax) {
                context.close(promise: nil)
            }
        }
    }

    private func end() {
        timer?.cancel()
        timer = nil
        isClosing = true
        context = nil
        over()
    }

    private static var nowMs: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds / 1_000_000) }
}

extension WebSocketReader.Frame {
    /// A frame as NIO's decoder gives it.
    fileprivate init(_ frame: WebSocketFrame) {
        var firstByte: UInt8 = frame.fin ? 0x80 : 0
        if frame.rsv1 { firstByte |= 0x40 }
        if frame.rsv2 { firstByte |= 0x20 }
        if frame.rsv3 { firstByte |= 0x10 }
        firstByte |= UInt8(webSocketOpcode: frame.opcode)  // four bits
        self.init(
            firstByte: firstByte, isMasked: frame.maskKey != nil, data: Array(frame.unmaskedData.readableBytesView))
    }
}
