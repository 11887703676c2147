internal import AsyncHTTPClient
internal import Machines
internal import NIOCore
internal import NIOHTTP1

/// One question to the service of a provider: which plans there are (docs/reference/provider.md). It follows no redirect, so the
/// token goes nowhere else, and it keeps no connection: it is asked a few times a day.
public struct PlanRequest: Sendable {
    /// How long the service may take for its whole answer, in milliseconds.
    public static let timeoutMs: Int64 = 30_000
    /// The largest answer that is read, in bytes.
    public static let bytesMax = 256 << 10

    /// What is asked for: the service's address and `/v1/plans`.
    public let address: String
    private let token: String?

    /// A question to the service at `service` (`https://` or `http://`, without a slash at its end); `token` is the bearer token,
    /// nil for none. It is never shown and never part of an error.
    public init(service: String, token: String?) {
        address = service + "/v1/plans"
        self.token = token
    }

    /// Asks. The bytes of an answer 200, at most `bytesMax`; what they say is for others to read. Ends soon after the task is
    /// cancelled.
    public func send() async throws(PlanFailure) -> [UInt8] {
        var request = HTTPClientRequest(url: address)
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "User-Agent", value: "vigil")
        if let token {
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw PlanFailure(.unauthorized, "the token is empty or has characters that no token has")
            }
            request.headers.add(name: "Authorization", value: "Bearer \(token)")
        }
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: .milliseconds(Self.timeoutMs))
        )
        configuration.maximumUsesPerConnection = 1
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result = await Self.answer(to: request, client)
        try? await client.shutdown()
        return try result.get()
    }

    /// The bound of time holds for head and body together, so that a service that sends a byte now and then is bounded too.
    private static func answer(to request: HTTPClientRequest, _ client: HTTPClient) async -> Result<
        [UInt8], PlanFailure
    > {
        await withTaskGroup(of: Result<[UInt8], PlanFailure>.self) { group in
            group.addTask { await exchange(request, client) }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(timeoutMs))
                return .failure(late)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(late)
        }
    }

    private static var late: PlanFailure {
        PlanFailure(.unreachable, "the service does not answer within \(timeoutMs / 1_000) s")
    }

    private static func exchange(_ request: HTTPClientRequest, _ client: HTTPClient) async -> Result<
        [UInt8], PlanFailure
    > {
        do {
            let response = try await client.execute(request, deadline: .now() + .milliseconds(timeoutMs))
            let status = Int(response.status.code)
            switch status {
            case 200: break
            case 401, 403:
                return .failure(PlanFailure(.unauthorized, "the service refuses the token (status \(status))"))
            case 300..<400:
                return .failure(
                    PlanFailure(
                        .refused, "the service refers to another address (status \(status)), which is not asked"))
            default: return .failure(PlanFailure(.refused, "the service answers with status \(status)"))
            }
            let body = try await response.body.collect(upTo: bytesMax)
            return .success(Array(body.readableBytesView))
        } catch is NIOTooManyBytesError {
            return .failure(PlanFailure(.invalid, "the answer is larger than \(bytesMax >> 10) KiB"))
        } catch {
            return .failure(failure(error))
        }
    }

    /// Maps the HTTP library's errors, once. None of them holds a header.
    private static func failure(_ error: any Error) -> PlanFailure {
        switch error as? HTTPClientError {
        case .some(.connectTimeout), .some(.readTimeout), .some(.deadlineExceeded), .some(.tlsHandshakeTimeout),
            .some(.getConnectionFromPoolTimeout):
            late
        case .some(.remoteConnectionClosed), .some(.uncleanShutdown):
            PlanFailure(.unreachable, "the service cut the connection")
        case .some(.invalidURL), .some(.emptyHost), .some(.emptyScheme):
            PlanFailure(.invalid, "the service's address is none")
        case .some(let error): PlanFailure(.unreachable, "the service cannot be reached (\(error.shortDescription))")
        case nil: PlanFailure(.unreachable, "the service cannot be reached (\(line("\(error)")))")
        }
    }

    /// One bounded line without control characters.
    private static func line(_ text: String) -> String {
        String(
            text.unicodeScalars.prefix(200).map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
    }
}

extension PlanRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address only.
    public var description: String { address }
    /// The address only.
    public var debugDescription: String { address }
    /// Shows the address only, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: ["address": address]) }
}
