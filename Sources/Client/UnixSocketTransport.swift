internal import AsyncHTTPClient
internal import Glibc
public import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
public import VigilKit

/// HTTP over the daemon's Unix socket.
public struct UnixSocketTransport: Transport {
    /// How long the daemon may take for the head of an answer, and between two parts of its body, in seconds.
    static let patience: Int64 = 60

    /// How many answers may come at the same time: a live picture and what happens take one each for as long as they are taken.
    static let answersMax = 64

    /// How often a question is asked whose connection is cut off before any answer, `pause` apart: 5 s. Where places are short,
    /// the daemon takes the place of whoever has not spoken yet, which may be an honest client that is slow.
    static let attempts = 100
    static let pause = Duration.milliseconds(50)

    /// The socket's path.
    public let address: String
    private let http: HTTPClient

    init(socket: String) {
        address = socket
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(5), read: .seconds(Self.patience)))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.answersMax
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Closes its connections.
    func shutdown() async { try? await http.shutdown() }

    /// Sends a request.
    public func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        var sent = HTTPClientRequest(url: "http+unix://\(Percent.encode(address))\(request.path ?? "/")")
        sent.method = HTTPMethod(rawValue: request.method.rawValue)
        sent.headers.add(name: "Host", value: "vigil")
        for field in request.headerFields { sent.headers.add(name: field.name.rawName, value: field.value) }
        if !body.isEmpty { sent.body = .bytes(ByteBuffer(bytes: body)) }
        let response: HTTPClientResponse
        do {
            response = try await answer(to: sent)
        } catch {
            throw failure(error)
        }
        var head = HTTPResponse(status: .init(code: Int(response.status.code)))
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            head.headerFields.append(HTTPField(name: name, value: value))
        }
        return TransportResponse(head: head, body: ResponseBody(Body(parts: response.body, transport: self)))
    }

    /// The answer to a request; what changes nothing is asked again while it is cut off unanswered.
    private func answer(to request: HTTPClientRequest) async throws -> HTTPClientResponse {
        for _ in 1..<Self.attempts {
            do {
                return try await http.execute(request, deadline: .distantFuture)
            } catch {
                guard request.method == .GET, Self.isCutOff(error) else { throw error }
                try await Task.sleep(for: Self.pause)
            }
        }
        return try await http.execute(request, deadline: .distantFuture)
    }

    /// Whether a connection was closed before an answer.
    private static func isCutOff(_ error: any Error) -> Bool {
        // It was closed in the moment in which the request was to be written.
        if let error = error as? ChannelError, case .ioOnClosedChannel = error { return true }
        if let error = error as? IOError { return error.errnoCode == ECONNRESET || error.errnoCode == EPIPE }
        return error as? HTTPClientError == .remoteConnectionClosed
    }

    /// The parts of an answer.
    private struct Body: AsyncSequence, Sendable {
        let parts: HTTPClientResponse.Body
        let transport: UnixSocketTransport

        struct Iterator: AsyncIteratorProtocol {
            var parts: HTTPClientResponse.Body.AsyncIterator
            let transport: UnixSocketTransport

            mutating func next() async throws -> [UInt8]? {
                do {
                    return try await parts.next().map { Array($0.readableBytesView) }
                } catch {
                    throw transport.failure(error)
                }
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(parts: parts.makeAsyncIterator(), transport: transport) }
    }

    /// Maps the HTTP library's errors, once.
    private func failure(_ error: any Error) -> any Error {
        if error is CancellationError { return error }
        switch error as? HTTPClientError {
        case .some(.readTimeout), .some(.deadlineExceeded), .some(.connectTimeout),
            .some(.getConnectionFromPoolTimeout):
            return VigilError.timeout(address: address)
        case .some(.cancelled):
            return CancellationError()
        case .some(let error):
            return VigilError.brokenOff(address: address, reason: error.shortDescription)
        case nil:
            return VigilError.brokenOff(address: address, reason: "\(error)")
        }
    }
}
