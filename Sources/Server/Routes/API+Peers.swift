internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension API {
    /// Routes of live view by WebRTC: WHEP, which is RFC 9725 the other way round, and the same in JSON.
    static func peers(_ site: any LiveSite) -> [Route] {
        [
            Route(.post, "/v1/cameras/{camera}/whep", .view) { reader in
                let query = try reader.query(["stream", "session"])
                let offer = try await reader.description()
                var request = try reader.live(query, sound: .none)
                request.login = reader.principal.login
                request.mayTalk = Access.may(.operate, reader)
                let answer = try await site.livePeer(request, offer: offer, isLimited: false)
                return Response(
                    status: .created,
                    headers: [
                        .contentType: sessionDescription, .location: "/v1/sessions/\(answer.session)/whep",
                        .cacheControl: "no-store",
                    ],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: answer.answer)))
            },
            Route(.delete, "/v1/sessions/{session}/whep", .view) { reader in
                try await site.endPeer(session: reader.path("session"), by: reader.caller)
                return Response(status: .ok, headers: [.cacheControl: "no-store"])
            },
            Route(.patch, "/v1/sessions/{session}/whep", .view) { reader in
                // RFC 9725, 4.3: an end that knows neither trickled candidates nor a new begin of checks.
                var response = try Reply.error(
                    SiteError(
                        .notAllowed, what: "PATCH of session \(try reader.path("session").prefix(80))",
                        why: "candidates are not taken one by one, and checks do not begin anew",
                        remedy: "send a new offer: POST /v1/cameras/{camera}/whep"))
                response.headers[.allow] = "DELETE"
                return response
            },
            Route(.post, "/v1/cameras/{camera}/webrtc", .view) { reader in
                let command = try await reader.body(PeerOffer.self)
                var request = LiveRequest(
                    camera: try reader.path("camera"), stream: command.stream ?? .main, caller: reader.caller)
                request.namesStream = command.stream != nil
                request.login = reader.principal.login
                request.mayTalk = Access.may(.operate, reader)
                return try Reply.json(
                    await site.livePeer(request, offer: command.offer, isLimited: true), status: .created)
            },
        ]
    }

    /// The media type of session descriptions (RFC 8866, 8.1).
    static let sessionDescription = "application/sdp"
}

extension RequestReader {
    /// The body as a session description.
    fileprivate func description() async throws -> String {
        let type = (request.headers[.contentType] ?? "").prefix { $0 != ";" }.lowercased()
        guard type.filter({ $0 != " " }) == API.sessionDescription else {
            throw SiteError(
                .unsupportedType, what: "the offer was refused", why: "its type is not \(API.sessionDescription)",
                remedy: "send a session description, with Content-Type: \(API.sessionDescription)")
        }
        let bytes = try await request.body.collect(upTo: Limits.bodyBytesMax)
        return String(decoding: bytes.readableBytesView, as: UTF8.self)
    }
}
