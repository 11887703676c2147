internal import AsyncHTTPClient
internal import Exchange
internal import NIOCore
internal import NIOHTTP1

/// Whoever brings messages to a receiver.
public protocol WebhookSender: Sendable {
    /// Sends a request; nil: it was taken. Ends within a bound of its own, and soon after the task is cancelled.
    func send(_ request: WebhookRequest) async -> WebhookFailure?

    /// Ends its connections; afterwards it sends nothing.
    func shutdown() async
}

extension WebhookSender {
    /// Sends a message as Standard Webhooks has it; nil: it was taken.
    public func send(_ message: WebhookMessage, secret: WebhookSecret?) async -> WebhookFailure? {
        await send(WebhookRequest(message, secret: secret))
    }
}

/// Sends requests over HTTP, one POST each. It follows no redirect, so what it tells goes nowhere else. Each message has a connection of its own: one
/// that the receiver closes just then would be an outage that is none.
public struct WebhookClient: WebhookSender {
    /// How long a receiver may take until it answers, in milliseconds.
    public static let timeoutMs: Int64 = 30_000
    /// How much of an answer's body is read, in bytes, and for how long, in milliseconds. What it says counts for nothing: it is
    /// read so that the receiver can write it.
    static let bodyBytesMax = 64 << 10
    static let bodyMs: Int64 = 1_000

    private let url: String
    private let exchange: HTTPExchange

    /// A client of the receiver at `url`. It connects to nobody yet.
    public init(url: String, timeoutMs: Int64 = WebhookClient.timeoutMs) {
        self.url = url
        exchange = HTTPExchange(timeoutMs: timeoutMs)
    }

    /// Ends its connections; afterwards it sends nothing.
    public func shutdown() async { await exchange.shutdown() }

    /// Sends a request within its bound of time; nil: it was taken. Whatever 2xx the receiver answers takes it.
    public func send(_ request: WebhookRequest) async -> WebhookFailure? {
        var post = HTTPClientRequest(url: url)
        post.method = .POST
        post.headers.add(name: "User-Agent", value: "vigil")
        for header in request.headers { post.headers.add(name: header.name, value: header.value) }
        post.body = .bytes(ByteBuffer(bytes: request.body))
        let result = await exchange.answer(to: post) { response in
            let failure = WebhookFailure(
                status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"))
            // The head has said all there is to know.
            await HTTPExchange.drain(response.body, bytesMax: Self.bodyBytesMax, withinMs: Self.bodyMs)
            return failure
        }
        switch result {
        case .success(let failure): return failure
        case .failure(let why):
            return WebhookFailure(why == .noAddress ? .refused : .unreachable, why.words("the receiver"))
        }
    }
}

extension WebhookClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the address: its path may hold a secret.
    public var description: String { "webhook" }
    /// Nothing of the address.
    public var debugDescription: String { description }
    /// Shows nothing, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
