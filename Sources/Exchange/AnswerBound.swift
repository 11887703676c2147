public import AsyncHTTPClient
internal import NIOCore

/// What a connection may bring, of whatever kind: heads of interim answers, extensions of chunks, trailers and bodies. A bound of the body
/// alone counts none of the others, and the HTTP library reads them without end.
public struct AnswerBound: Hashable, Sendable {
    /// More has come than that.
    struct Excess: Error { let bound: AnswerBound }

    /// How many bytes may come at once.
    let bytes: Int
    /// How many more may come with each second, in bytes: nothing on a connection of one exchange.
    let bytesPerSecond: Int

    /// So many bytes at once, and so many more with each second.
    public init(bytes: Int, bytesPerSecond: Int = 0) { (self.bytes, self.bytesPerSecond) = (bytes, bytesPerSecond) }

    /// Holds for each connection that `configuration` makes, and demands that their answers are such of HTTP (`AnswerOrder`).
    public func hold(in configuration: inout HTTPClient.Configuration) {
        let add: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            channel.eventLoop.submit {
                try channel.pipeline.syncOperations.addHandler(AnswerMeter(self), position: .first)
            }
        }
        configuration.http1_1ConnectionDebugInitializer = { channel in
            add(channel).flatMap { AnswerOrder.demand(of: channel) }
        }
        configuration.http2ConnectionDebugInitializer = add
        configuration.http2StreamChannelDebugInitializer = AnswerOrder.demand(ofStream:)
    }
}

/// Counts what comes over one connection, and ends it past the bound. Used by its event loop.
private final class AnswerMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let bound: AnswerBound
    private var level = 0
    private var last = NIODeadline.now()

    init(_ bound: AnswerBound) { self.bound = bound }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What was on its way when it was closed.
        guard level <= bound.bytes else { return }
        let now = NIODeadline.now()
        let ms = Int(clamping: min((now - last).nanoseconds / 1_000_000, 3_600_000))
        if ms > 0 {
            level = max(0, level - ms * bound.bytesPerSecond / 1_000)
            last = now
        }
        level += unwrapInboundIn(data).readableBytes
        guard level > bound.bytes else { return context.fireChannelRead(data) }
        context.fireErrorCaught(AnswerBound.Excess(bound: bound))
        context.close(promise: nil)
    }
}
