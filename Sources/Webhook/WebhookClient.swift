internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// Whoever brings messages to a receiver.
public protocol WebhookSender: Sendable {
    /// Sends a message; nil: it was taken. Ends within a bound of its own, and soon after the task is cancelled.
    func send(_ message: WebhookMessage, secret: WebhookSecret?) async -> WebhookFailure?

    /// Ends its connections; afterwards it sends nothing.
    func shutdown() async
}

/// Sends messages over HTTP as Standard Webhooks has it: one POST each, with the headers `webhook-id`, `webhook-timestamp` and
/// `webhook-signature`. It follows no redirect, so what it tells goes nowhere else. Each message has a connection of its own: one
/// that the receiver closes just then would be an outage that is none.
public struct WebhookClient: WebhookSender {
    /// How long a receiver may take until it answers, in milliseconds.
    public static let timeoutMs: Int64 = 30_000
    /// How much of an answer's body is read, in bytes, and for how long, in milliseconds. What it says counts for nothing: it is
    /// read so that the receiver can write it.
    static let bodyBytesMax = 64 << 10
    static let bodyMs: Int64 = 1_000

    private let url: String
    private let timeoutMs: Int64
    private let client: HTTPClient

    /// A client of the receiver at `url`. It connects to nobody yet.
    public init(url: String, timeoutMs: Int64 = WebhookClient.timeoutMs) {
        self.url = url
        self.timeoutMs = timeoutMs
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: .milliseconds(timeoutMs)))
        configuration.maximumUsesPerConnection = 1
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Ends its connections; afterwards it sends nothing.
    public func shutdown() async { try? await client.shutdown() }

    /// Sends a message within `timeoutMs`; nil: it was taken. Whatever 2xx the receiver answers takes it.
    public func send(_ message: WebhookMessage, secret: WebhookSecret?) async -> WebhookFailure? {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "vigil")
        request.headers.add(name: "webhook-id", value: message.id)
        request.headers.add(name: "webhook-timestamp", value: "\(message.sentSeconds)")
        if let secret { request.headers.add(name: "webhook-signature", value: secret.signature(of: message)) }
        request.body = .bytes(ByteBuffer(bytes: message.body))
        let (filled, late) = (request, late)
        // The bound of time holds for the whole head, so that a receiver that sends a byte now and then is bounded too.
        return await withTaskGroup(of: WebhookFailure?.self) { group in
            group.addTask { await exchange(filled) }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(timeoutMs))
                return late
            }
            defer { group.cancelAll() }
            return await group.next() ?? late
        }
    }

    private var late: WebhookFailure {
        WebhookFailure(.unreachable, "the receiver does not answer within \(timeoutMs / 1_000) s")
    }

    private func exchange(_ request: HTTPClientRequest) async -> WebhookFailure? {
        do {
            let response = try await client.execute(request, deadline: .now() + .milliseconds(timeoutMs))
            let failure = WebhookFailure(
                status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"))
            await Self.drain(response.body)
            return failure
        } catch {
            return self.failure(error)
        }
    }

    /// The head has said all there is to know: however the body goes on, or breaks off, changes nothing.
    private static func drain(_ body: HTTPClientResponse.Body) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await body.collect(upTo: bodyBytesMax) }
            group.addTask { try? await Task.sleep(for: .milliseconds(bodyMs)) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Maps the HTTP library's errors, once. None of them holds a header or the address.
    private func failure(_ error: any Error) -> WebhookFailure {
        switch error as? HTTPClientError {
        case .some(.connectTimeout), .some(.readTimeout), .some(.deadlineExceeded), .some(.tlsHandshakeTimeout),
            .some(.getConnectionFromPoolTimeout):
            late
        case .some(.remoteConnectionClosed), .some(.uncleanShutdown):
            WebhookFailure(.unreachable, "the receiver cut the connection")
        case .some(.invalidURL), .some(.emptyHost), .some(.emptyScheme):
            WebhookFailure(.refused, "the receiver's address is none")
        case .some(let error):
            WebhookFailure(.unreachable, "the receiver cannot be reached (\(error.shortDescription))")
        case nil: WebhookFailure(.unreachable, "the receiver cannot be reached (\(line("\(error)")))")
        }
    }

    /// One bounded line without control characters and without the address.
    private func line(_ text: String) -> String {
        let shown = text.replacing(url, with: "the address").unicodeScalars.prefix(200)
        return String(shown.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
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
