internal import AsyncHTTPClient
internal import Exchange
internal import NIOCore
internal import NIOHTTP1

/// Speaks to a remote encoder (docs/reference/encoder.md). It follows no redirect, so the token goes nowhere else.
public struct EncoderClient: Sendable {
    /// How long the encoder may take for an answer, in milliseconds.
    public static let timeoutMs: Int64 = 20_000
    /// The largest answer that is read, in bytes.
    public static let bytesMax = 64 << 10

    private let url: String
    private let token: String
    private let exchange: HTTPExchange

    /// A client of the encoder at `url` (`https://` or `http://`, without a slash at its end); `token` is the bearer token. It
    /// connects to nobody yet.
    public init(url: String, token: String, timeoutMs: Int64 = EncoderClient.timeoutMs) {
        (self.url, self.token) = (url, token)
        exchange = HTTPExchange(timeoutMs: timeoutMs)
    }

    /// Ends its connections; afterwards it asks nobody.
    public func shutdown() async { await exchange.shutdown() }

    /// Orders a job. Asked again with the same key it is the same job.
    ///
    /// - Parameters:
    ///   - order: JSON.
    ///   - key: names the order, visible ASCII.
    /// - Returns: the bytes of the answer; what they say is for others to read.
    public func create(_ order: [UInt8], key: String) async throws(EncoderFailure) -> [UInt8] {
        var request = request(.POST, "/jobs")
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Idempotency-Key", value: key)
        request.body = .bytes(ByteBuffer(bytes: order))
        return try await send(request)
    }

    /// Asks how far a job is. Throws `gone` where the encoder does not know it.
    public func job(_ name: String) async throws(EncoderFailure) -> [UInt8] {
        try await send(request(.GET, "/jobs/\(name)"))
    }

    /// Ends a job. One that the encoder does not know is no error.
    public func cancel(_ name: String) async throws(EncoderFailure) {
        do { _ = try await send(request(.DELETE, "/jobs/\(name)")) } catch  where error.kind == .gone {}
    }

    private func request(_ method: HTTPMethod, _ path: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url + path)
        request.method = method
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "User-Agent", value: "vigil")
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        return request
    }

    private func send(_ request: HTTPClientRequest) async throws(EncoderFailure) -> [UInt8] {
        switch await exchange.answer(to: request, Self.read) {
        case .success(let answer): return try answer.get()
        case .failure(let why):
            throw EncoderFailure(why == .noAddress ? .refused : .unreachable, why.words("the encoder"))
        }
    }

    private static func read(_ response: HTTPClientResponse) async throws -> Result<[UInt8], EncoderFailure> {
        if let failure = EncoderFailure(status: Int(response.status.code)) { return .failure(failure) }
        do {
            return .success(Array(try await response.body.collect(upTo: bytesMax).readableBytesView))
        } catch is NIOTooManyBytesError {
            return .failure(EncoderFailure(.refused, "the encoder's answer is larger than \(bytesMax >> 10) KiB"))
        }
    }
}

extension EncoderClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the address: its path may hold a secret.
    public var description: String { "encoder" }
    /// Nothing of the address.
    public var debugDescription: String { description }
    /// Shows nothing, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why an encoder gave no answer. Holds no secret and no address.
public struct EncoderFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it means for the next try.
    public enum Kind: Hashable, Sendable {
        /// Nobody answers.
        case unreachable
        /// It asks to wait: 429, 502, 503, 504.
        case busy
        /// It knows no such job: 404, 410.
        case gone
        /// It does not want this, or its answer is none.
        case refused
    }

    /// What it means.
    public let kind: Kind
    /// What happened, in a few words without a capital and a stop.
    public let description: String

    /// A failure.
    public init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

    /// What an answer's status means; nil where it is 2xx.
    public init?(status: Int) {
        switch status {
        case 200..<300: return nil
        case 300..<400:
            self.init(.refused, "the encoder refers to another address (status \(status)), which is not asked")
        case 401, 403: self.init(.refused, "the encoder refuses the token (status \(status))")
        case 404, 410: self.init(.gone, "the encoder does not know the job (status \(status))")
        case 429, 502, 503, 504: self.init(.busy, "the encoder asks to wait (status \(status))")
        default: self.init(.refused, "the encoder answers with status \(status)")
        }
    }
}
