internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import Server

/// Speaks to the daemon over its Unix socket. Every method throws `ClientError`.
public struct DaemonClient: Sendable {
    /// The socket's path.
    public let socket: String
    let http: HTTPClient

    /// How long the daemon may take for the head of an answer, and between two parts of its body, in seconds.
    static let patience: Int64 = 60
    /// Largest answer that is not an export: a page of a thousand clips is about one megabyte.
    static let answerBytesMax = 64 * 1_024 * 1_024

    /// Runs `body` with a client of the daemon at `socket`, and closes its connections afterwards.
    public static func with<Value: Sendable>(
        socket: String, _ body: (DaemonClient) async throws -> Value
    ) async throws -> Value {
        try SocketProbe.check(socket)
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(5), read: .seconds(patience)))
        configuration.httpVersion = .http1Only
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await body(DaemonClient(socket: socket, http: http))
            try? await http.shutdown()
            return value
        } catch {
            try? await http.shutdown()
            throw error
        }
    }

    /// Asks for `path` and decodes the answer.
    func ask<Answer: Decodable>(
        _ method: HTTPMethod, _ path: String, query: [(String, String?)] = [], body: (any Encodable)? = nil,
        as type: Answer.Type = Answer.self
    ) async throws -> (answer: Answer, next: String?) {
        let response = try await send(method, path, query: query, body: body)
        let bytes = try await collect(response)
        do {
            let answer = try JSONDecoder().decode(type, from: Data(bytes.readableBytesView))
            return (answer, response.headers.first(name: "Vigil-Next"))
        } catch {
            throw ClientError.strangeAnswer(socket: socket, reason: "\(method.rawValue) \(path)")
        }
    }

    /// Asks for `path`; throws what the daemon says where it refuses.
    func send(
        _ method: HTTPMethod, _ path: String, query: [(String, String?)], body: (any Encodable)? = nil,
        fields: [(String, String)] = []
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: "http+unix://\(Percent.encode(socket))\(path)\(Percent.query(query))")
        request.method = method
        request.headers.add(name: "Host", value: "vigil")
        for (name, value) in fields { request.headers.add(name: name, value: value) }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(body)))
        }
        let response: HTTPClientResponse
        do {
            response = try await http.execute(request, deadline: .distantFuture)
        } catch {
            throw failure(error)
        }
        guard (200..<300).contains(response.status.code) else { throw try await refusal(response) }
        return response
    }

    private func refusal(_ response: HTTPClientResponse) async throws -> ClientError {
        let bytes = try await collect(response)
        let status = Int(response.status.code)
        guard let body = try? JSONDecoder().decode(ErrorBody.self, from: Data(bytes.readableBytesView)),
            let error = SiteError(body, status: status)
        else { return .strangeAnswer(socket: socket, reason: "status \(status)") }
        return .refused(error)
    }

    func collect(_ response: HTTPClientResponse) async throws -> ByteBuffer {
        do {
            return try await response.body.collect(upTo: Self.answerBytesMax)
        } catch {
            throw failure(error)
        }
    }

    /// Maps the HTTP library's errors, once.
    func failure(_ error: any Error) -> any Error {
        if error is CancellationError { return error }
        switch error as? HTTPClientError {
        case .some(.readTimeout), .some(.deadlineExceeded), .some(.connectTimeout),
            .some(.getConnectionFromPoolTimeout):
            return ClientError.timeout(socket: socket)
        case .some(.cancelled):
            return CancellationError()
        case .some(let error):
            return ClientError.brokenOff(socket: socket, reason: error.shortDescription)
        case nil where error is NIOTooManyBytesError:
            return ClientError.strangeAnswer(socket: socket, reason: "an answer without end")
        case nil:
            return ClientError.brokenOff(socket: socket, reason: "\(error)")
        }
    }
}
