internal import CSharedMemory
internal import Glibc
internal import NIOCore

/// A connection over which frames in shared memory are told, on its event loop: heads go out, and each byte that comes gives a slot
/// back. Who gives back what it does not have is not listened to any more.
final class FrameSocketHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long a descriptor waits for room in the socket, and how long it is before it is tried again.
    static let waitMax = TimeAmount.seconds(30)
    private static let pause = TimeAmount.milliseconds(10)

    private let giveBack: @Sendable (UInt8) -> Bool
    private let misused: @Sendable () -> Void
    private var context: ChannelHandlerContext?
    private var isMisused = false

    /// Calls `giveBack` with each slot that is given back, and `misused` once where that is false.
    init(_ giveBack: @escaping @Sendable (UInt8) -> Bool, misused: @escaping @Sendable () -> Void) {
        (self.giveBack, self.misused) = (giveBack, misused)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isMisused, !unwrapInboundIn(data).readableBytesView.allSatisfy(giveBack) else { return }
        if !isMisused { misused() }
        isMisused = true
    }

    /// Sends bytes; the promise is kept when the socket has taken them.
    func send(_ bytes: ByteBuffer, promise: EventLoopPromise<Void>) {
        guard let context else { return promise.fail(ChannelError.ioOnClosedChannel) }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    }

    /// Sends bytes and a descriptor with them. What was sent before has been taken.
    func send(_ bytes: ByteBuffer, with descriptor: FrameDescriptor, promise: EventLoopPromise<Void>) {
        send(bytes, with: descriptor, promise: promise, until: .now() + Self.waitMax)
    }

    // Past swift-nio, which sends no descriptors; nothing of its own waits to be sent meanwhile.
    private func send(
        _ bytes: ByteBuffer, with descriptor: FrameDescriptor, promise: EventLoopPromise<Void>, until: NIODeadline
    ) {
        guard let context else { return promise.fail(ChannelError.ioOnClosedChannel) }
        let sent = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable {
            (handle: NIOBSDSocket.Handle) in
            bytes.withUnsafeReadableBytes {
                vigil_descriptor_send(handle, $0.baseAddress, $0.count, descriptor.number)
            }
        }
        switch sent ?? nil {
        case 0: promise.succeed()
        case -EAGAIN where .now() < until:
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
                self.send(bytes, with: descriptor, promise: promise, until: until)
            }
        default:
            promise.fail(ChannelError.ioOnClosedChannel)
            context.close(promise: nil)
        }
    }

    /// Nothing follows.
    func end() { context?.close(promise: nil) }
}
