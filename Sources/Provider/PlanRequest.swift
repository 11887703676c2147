internal import AsyncHTTPClient
internal import Exchange
internal import Hashing
internal import Machines
internal import NIOCore
internal import NIOHTTP1

/// One question to the service of a provider: which plans there are (docs/reference/provider.md). It follows no redirect, so the
/// token goes nowhere else, and keeps no connection: it is asked a few times a day.
public struct PlanRequest: Sendable {
    /// How long the service may take for its whole answer, in milliseconds.
    public static let timeoutMs: Int64 = 30_000
    /// The largest answer that is read, in bytes.
    static let bytesMax = 256 << 10

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
        let exchange = HTTPExchange(timeoutMs: Self.timeoutMs)
        let result = await exchange.answer(to: request, Self.plans)
        await exchange.shutdown()
        switch result {
        case .success(let plans): return withoutToken(try plans.get())
        case .failure(let why):
            throw PlanFailure(why == .noAddress ? .invalid : .unreachable, why.words("the service"))
        }
    }

    /// What a service says is shown to people: it may have said the token back. One so short that it stands in any text is no secret.
    private func withoutToken(_ bytes: [UInt8]) -> [UInt8] {
        guard let token, token.utf8.count >= 8 else { return bytes }
        return Array(SecretFilter(words: [token]).clean(String(decoding: bytes, as: UTF8.self)).utf8)
    }

    /// What the service answers.
    private static func plans(_ response: HTTPClientResponse) async throws -> Result<[UInt8], PlanFailure> {
        let status = Int(response.status.code)
        switch status {
        case 200: break
        case 401, 403:
            return .failure(PlanFailure(.unauthorized, "the service refuses the token (status \(status))"))
        case 300..<400:
            return .failure(
                PlanFailure(.refused, "the service refers to another address (status \(status)), which is not asked"))
        default: return .failure(PlanFailure(.refused, "the service answers with status \(status)"))
        }
        do {
            return .success(Array(try await response.body.collect(upTo: bytesMax).readableBytesView))
        } catch is NIOTooManyBytesError {
            return .failure(PlanFailure(.invalid, "the answer is larger than \(bytesMax >> 10) KiB"))
        }
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
