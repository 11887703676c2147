public import Foundation
public import HTTPTypes
internal import HTTPTypesFoundation
public import VigilKit

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// HTTP by Foundation's URLSession, with a token.
///
/// Answers are read as they come. Where a reader is slow, the transfer is held at about ``bufferedMax`` bytes.
public final class URLSessionTransport: Transport {
    /// How many bytes of an answer may wait for their reader before the transfer is held.
    public static let bufferedMax = 4 << 20

    /// The daemon's address, such as `https://camera.example:8443`.
    public let url: URL
    private let token: String?
    private let session: URLSession
    private let receiver = URLSessionReceiver()

    /// Speaks to the daemon at `url` (its path is left out), with the token that `vigil token create` has printed; without one
    /// only health is answered. `configuration` says what else Foundation is to do; by default nothing is cached or kept.
    public init(url: URL, token: String?, configuration: URLSessionConfiguration = .ephemeral) {
        self.url = url
        self.token = token
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        // Each session that looks live waits with a request of its own.
        configuration.httpMaximumConnectionsPerHost = 32
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// The daemon's address without user, password and path.
    public var address: String {
        "\(url.scheme ?? "http")://\(url.host ?? "")" + (url.port.map { ":\($0)" } ?? "")
    }

    /// Sends a request.
    public func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        guard let target = URL(string: address + (request.path ?? "/")) else {
            throw VigilError.cannotConnect(address: address, reason: "the address is no URL")
        }
        var request = request
        request.scheme = url.scheme ?? "http"
        request.authority = target.host.map { $0 + (target.port.map { ":\($0)" } ?? "") }
        if let token { request.headerFields[.authorization] = "Bearer \(token)" }
        guard var converted = URLRequest(httpRequest: request) else {
            throw VigilError.cannotConnect(address: address, reason: "the request is none for URLSession")
        }
        if !body.isEmpty { converted.httpBody = Data(body) }
        let task = session.dataTask(with: converted)
        let body = receiver.receive(task, address: address)
        return try await withTaskCancellationHandler {
            let response = try await body.head()
            guard let head = (response as? HTTPURLResponse)?.httpResponse else {
                throw VigilError.strangeAnswer(address: address, reason: "no HTTP")
            }
            return TransportResponse(head: head, body: ResponseBody(body))
        } onCancel: {
            task.cancel()
        }
    }
}

extension Vigil {
    /// The daemon at `url`, with a token that `vigil token create` has printed.
    public init(url: URL, token: String) { self.init(URLSessionTransport(url: url, token: token)) }
}
