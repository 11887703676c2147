internal import NIOCore

/// A connection over which frames in shared memory are told, for who sends over it, from one task.
final class FrameSocket: Sendable {
    private let handler: NIOLoopBound<FrameSocketHandler>
    private let loop: any EventLoop

    /// The connection of `handler`.
    init(_ handler: FrameSocketHandler, on loop: any EventLoop) {
        self.handler = NIOLoopBound(handler, eventLoop: loop)
        self.loop = loop
    }

    /// Sends bytes, and a descriptor with them; comes back when the socket has taken them. Throws when the other end is gone, or takes
    /// them too late.
    func send(_ bytes: ByteBuffer, with descriptor: FrameDescriptor?) async throws {
        let promise = loop.makePromise(of: Void.self)
        loop.execute { [handler] in
            if let descriptor {
                handler.value.send(bytes, with: descriptor, promise: promise)
            } else {
                handler.value.send(bytes, promise: promise)
            }
        }
        try await promise.futureResult.get()
    }
}
