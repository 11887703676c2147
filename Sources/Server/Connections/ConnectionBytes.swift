internal import NIOCore

/// Watches the bytes of a connection: when a request begins, and whether answers are taken.
final class ConnectionBytes: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func channelActive(context: ChannelHandlerContext) {
        connection.began()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.ended()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.bytesCame(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        connection.isReading = false
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        connection.isReading = true
        context.read()
    }

    /// Passes an answer on in parts, so that each that is taken is seen.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .byteBuffer(var rest) = unwrapOutboundIn(data), rest.readableBytes > 0 else {
            return context.write(data, promise: promise)
        }
        while let part = rest.readSlice(length: min(rest.readableBytes, Limits.takenBytesMin)), part.readableBytes > 0 {
            let taken = context.eventLoop.makePromise(of: Void.self)
            connection.gave()
            taken.futureResult.assumeIsolated().whenComplete { [connection] _ in connection.taken() }
            if rest.readableBytes == 0 { taken.futureResult.cascade(to: promise) }
            context.write(wrapOutboundOut(.byteBuffer(part)), promise: taken)
        }
    }
}
