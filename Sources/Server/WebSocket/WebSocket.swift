internal import NIOCore
internal import NIOWebSocket

/// A WebSocket for who sends over it, from any task.
final class WebSocket: Sendable {
    private let handler: NIOLoopBound<WebSocketHandler>
    private let loop: any EventLoop
    private let over: AsyncStream<Void>

    /// The socket of `handler`; `over` ends when nothing can be sent any more.
    init(_ handler: WebSocketHandler, on loop: any EventLoop, over: AsyncStream<Void>) {
        self.handler = NIOLoopBound(handler, eventLoop: loop)
        self.loop = loop
        self.over = over
    }

    /// Sends a text; comes back when the socket has taken it. Throws when the other end is gone.
    func send(text: ByteBuffer) async throws { try await send(.text, text) }

    /// Sends bytes; comes back when the socket has taken them. Throws when the other end is gone.
    func send(binary: ByteBuffer) async throws { try await send(.binary, binary) }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) async throws {
        let promise = loop.makePromise(of: Void.self)
        loop.execute { [handler] in handler.value.send(opcode, data, promise: promise) }
        try await promise.futureResult.get()
    }

    /// Closes with a code and a reason.
    func close(_ close: WebSocketClose) { loop.execute { [handler] in handler.value.close(close) } }

    /// Runs `body`, and cancels it when the other end is gone or closes. For one task.
    func whileOpen(_ body: @escaping @Sendable () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask(operation: body)
            group.addTask { [over] in for await _ in over {} }
            await group.next()
            group.cancelAll()
        }
    }
}
