public import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2

/// Demands that an answer begins with a head that any HTTP has (RFC 9110, 15: statuses from 100 to 599, of which those below 200 are no
/// answers yet). The HTTP library passes over every head below 200, and ends the process at the end of an answer without another one.
public enum AnswerOrder {
    /// The answer is none of HTTP.
    public struct Violation: Error, CustomStringConvertible {
        /// In words.
        public var description: String { "the answer is none of HTTP" }
    }

    /// Demands it of a connection of HTTP/1.1, as the library has made it.
    public static func demand(of channel: any Channel) -> EventLoopFuture<Void> {
        demand(of: channel, behind: ByteToMessageHandler<HTTPResponseDecoder>.self)
    }

    /// Demands it of a stream of HTTP/2, as the library has made it.
    static func demand(ofStream channel: any Channel) -> EventLoopFuture<Void> {
        demand(of: channel, behind: HTTP2FramePayloadToHTTP1ClientCodec.self)
    }

    private static func demand<Decoder: ChannelHandler & SendableMetatype>(
        of channel: any Channel, behind decoder: Decoder.Type
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(AnswerOrderHandler(), position: .after(pipeline.handler(type: decoder)))
        }
    }
}

/// Looks at the parts of answers, one after the other. Used by its event loop.
private final class AnswerOrderHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    /// Whether the head of an answer has come whose end has not.
    private var isBegun = false
    private var isBroken = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        let isRight: Bool
        switch unwrapInboundIn(data) {
        case .head(let head):
            isRight = !isBegun && head.status.code >= 100
            // As the library has it.
            isBegun = isBegun || head.status.code >= 200 || head.status == .switchingProtocols
        case .body: isRight = isBegun
        case .end:
            isRight = isBegun
            isBegun = false
        }
        guard !isRight else { return context.fireChannelRead(data) }
        isBroken = true
        context.fireErrorCaught(AnswerOrder.Violation())
        context.close(promise: nil)
    }
}
