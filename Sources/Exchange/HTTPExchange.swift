public import AsyncHTTPClient
internal import Glibc
internal import NIOCore
public import NIOSSL

/// Requests to a service that others run, each with its own connection and bounded in time whatever the service does. It follows no
/// redirect, so what a request holds goes nowhere else.
public struct HTTPExchange: Sendable {
    /// Why there is no answer. Holds no header.
    public enum Failure: Error, Hashable, Sendable {
        /// It took longer than the bound, in milliseconds.
        case late(Int64)
        /// The service closed the connection.
        case cut
        /// It sends more than an answer has, in bytes, whatever of it the body is.
        case endless(Int)
        /// What it answers is none of HTTP.
        case foreign
        /// The address cannot be one.
        case noAddress
        /// Nobody is reached; one line of at most 200 characters, without control characters, that says why.
        case unreachable(String)

        /// The same in words without a capital and a stop; `service` is whoever was asked: `the service`.
        public func words(_ service: String) -> String {
            switch self {
            case .late(let ms): "\(service) does not answer within \(ms / 1_000) s"
            case .cut: "\(service) cut the connection"
            case .endless(let bytes): "\(service) sends more than \(bytes >> 10) KiB for one answer"
            case .foreign: "\(service) answers as nobody does by HTTP"
            case .noAddress: "\(service)'s address is none"
            case .unreachable(let why): "\(service) cannot be reached (\(why))"
            }
        }
    }

    private let timeoutMs: Int64
    private let client: HTTPClient

    /// What may come in one exchange unless said otherwise, in bytes.
    public static let bytesMax = 1 << 20

    /// It connects to nobody yet. `timeoutMs` is the bound of a whole exchange, in milliseconds; `tls` says who is believed over TLS,
    /// nil: whom the system believes; `bytesMax` bounds all that comes in one exchange.
    public init(timeoutMs: Int64, tls: TLSConfiguration? = nil, bytesMax: Int = HTTPExchange.bytesMax) {
        self.timeoutMs = timeoutMs
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: .milliseconds(timeoutMs)))
        configuration.maximumUsesPerConnection = 1
        AnswerBound(bytes: bytesMax).hold(in: &configuration)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Ends its connections; afterwards it asks nobody.
    public func shutdown() async { try? await client.shutdown() }

    /// Makes a request, and gives what `read` makes of the answer. The bound holds for head and body together, so that a service that
    /// sends a byte now and then is bounded too. Ends soon after the task is cancelled. `boundMs`: a shorter bound for this exchange.
    ///
    /// - Returns: what `read` says; a body that breaks off throws within it.
    public func answer<Value: Sendable>(
        to request: HTTPClientRequest, within boundMs: Int64 = .max,
        _ read: @escaping @Sendable (HTTPClientResponse) async throws -> Value
    ) async -> Result<Value, Failure> {
        let timeoutMs = min(timeoutMs, boundMs)
        return await withTaskGroup(of: Result<Value, Failure>.self) { group in
            group.addTask {
                do {
                    let response = try await client.execute(request, deadline: .now() + .milliseconds(timeoutMs))
                    return .success(try await read(response))
                } catch {
                    return .failure(Failure(error, url: request.url, timeoutMs: timeoutMs))
                }
            }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(timeoutMs))
                return .failure(.late(timeoutMs))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.late(timeoutMs))
        }
    }
}

extension HTTPExchange {
    /// Reads a body of which nothing is wanted: however it goes on, or breaks off, changes nothing, and it takes no longer than a bound
    /// in milliseconds.
    package static func drain(_ body: HTTPClientResponse.Body, bytesMax: Int, withinMs: Int64) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await body.collect(upTo: bytesMax) }
            group.addTask { try? await Task.sleep(for: .milliseconds(withinMs)) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension HTTPExchange.Failure {
    /// What an error of the HTTP library means.
    ///
    /// - Parameters:
    ///   - url: the address that was asked. It is not shown: its path may hold a secret.
    ///   - timeoutMs: the bound that held, in milliseconds.
    package init(_ error: any Error, url: String, timeoutMs: Int64) {
        if let excess = error as? AnswerBound.Excess {
            self = .endless(excess.bound.bytes)
            return
        }
        if error is AnswerOrder.Violation {
            self = .foreign
            return
        }
        self =
            switch error as? HTTPClientError {
            case .some(.connectTimeout), .some(.readTimeout), .some(.deadlineExceeded), .some(.tlsHandshakeTimeout),
                .some(.getConnectionFromPoolTimeout):
                .late(timeoutMs)
            case .some(.remoteConnectionClosed), .some(.uncleanShutdown): .cut
            case .some(.invalidURL), .some(.emptyHost), .some(.emptyScheme): .noAddress
            case .some(let error): .unreachable(error.shortDescription)
            case nil:
                (error as? IOError).map { .unreachable(String(cString: strerror($0.errnoCode))) }
                    ?? .unreachable(Self.line("\(error)".replacing(url, with: "the address")))
            }
    }

    private static func line(_ text: String) -> String {
        String(text.unicodeScalars.prefix(200).map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
    }
}
