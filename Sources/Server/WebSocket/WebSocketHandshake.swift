internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// The opening of a WebSocket (RFC 6455, 4.2), for a request that has passed the gate and the check of rights as any other.
struct WebSocketHandshake {
    private let accept: String
    private let channel: any Channel

    /// Checks what the client says.
    ///
    /// - Throws: `invalid` where it opens no WebSocket of version 13, `forbidden` where a page of another origin asks: a browser
    ///   sends that page's user's cookies along.
    init(_ reader: RequestReader) async throws {
        let headers = reader.request.headers
        guard reader.words(of: .upgrade).contains("websocket"), reader.words(of: .connection).contains("upgrade") else {
            throw SiteError.invalid("this route is a WebSocket", "open it with a client for WebSockets (ws: or wss:)")
        }
        guard headers[.secWebSocketVersion] == "13", let key = headers[.secWebSocketKey], Self.isKey(key) else {
            throw SiteError.invalid("the opening of the WebSocket is broken", "use version 13 of RFC 6455")
        }
        try Self.check(headers[values: .origin], host: reader.request.head.authority)
        channel = reader.context.channel
        accept = try await Self.accept(key, channel)
    }

    /// Whether it is 16 bytes in base 64.
    private static func isKey(_ key: String) -> Bool {
        let isBase64 = key.utf8.dropLast(2).allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "+")
                || $0 == UInt8(ascii: "/")
        }
        return key.utf8.count == 24 && key.hasSuffix("==") && isBase64
    }

    /// A browser says of which page it is; that page must be our own. Other clients say nothing.
    private static func check(_ origins: [String], host: String?) throws(SiteError) {
        guard !origins.isEmpty, !PageOrigin.isOwn(origins, host: host) else { return }
        throw SiteError(
            .forbidden, what: "the WebSocket was refused",
            why: "a page of \(origins.joined(separator: ", ").prefix(200)) asks for it, which is not this server's",
            remedy: "use the page that this server serves")
    }

    private static func accept(_ key: String, _ channel: any Channel) async throws -> String {
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
        let asked = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/",
            headers: ["Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13"])
        let answer = try await channel.eventLoop.flatSubmit {
            upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: asked, initialResponseHeaders: [:])
        }.get()
        return answer.first(name: "Sec-WebSocket-Accept") ?? ""
    }

    /// The answer that opens the WebSocket; `body` speaks over it, and is cancelled when the other end goes.
    func response(_ body: @escaping @Sendable (WebSocket) async -> Void) async throws -> Response {
        let opening = try await channel.eventLoop.submit { [channel] in
            try? channel.pipeline.syncOperations.handler(type: ConnectionRequests.self)
                .expectWebSocket(on: channel.eventLoop)
        }.get()
        let headers: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: accept, .cacheControl: "no-store",
        ]
        return Response(
            status: .switchingProtocols, headers: headers,
            body: ResponseBody { writer in
                if let socket = try await opening?.get() { await socket.whileOpen { await body(socket) } }
                try await writer.finish(nil)
            })
    }
}
