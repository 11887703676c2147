internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdTesting
internal import Machines
internal import MemorySite
internal import NIOCore
internal import Testing

@testable import Server

@Suite("Who may use which route")
struct AccessTests {
    private static let caller = Caller(uid: 1_000, gid: 1_000, pid: 7)
    private static let time = "from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:41Z"

    /// A request of each route that the memory site answers with 200 for whoever has every right; `front` is its camera, and
    /// clip 1 and event 1 are of that.
    private static let requests: [String: (query: String, body: String?)] = [
        "GET /v1/cameras/{camera}/coverage": (time, nil), "GET /v1/cameras/{camera}/suppressed": (time, nil),
        "GET /v1/journal": ("after=0", nil),
        "GET /v1/cameras/{camera}/why": ("at=2026-11-21T10:00:00Z", nil),
        "GET /v1/cameras/{camera}/ladder": (time, nil),
        "POST /v1/simulate": (
            "", #"{"policy": "shop", "from": "2026-11-21T10:00:00Z", "to": "2026-11-22T10:00:00Z"}"#
        ),
        "POST /v1/discover": ("", "{}"), "POST /v1/discover/picture": ("", #"{"stream": "rtsp://192.168.1.21/main"}"#),
        "POST /v1/cameras": ("", #"{"name": "yard", "main": "rtsp://192.168.1.21/main", "policy": "shop"}"#),
        "POST /v1/cameras/{camera}/ptz": ("", #"{"stop": true}"#),
        "POST /v1/cameras/{camera}/transports": ("", #"{"videoStreams": [{"name": "video", "id": 0}]}"#),
        "PUT /v1/cameras/{camera}/transports/status": ("", #"{"transportStatus": "active"}"#),
        "PATCH /v1/cameras/{camera}/transports/{transport}": ("", #"{"expiryTime": 60}"#),
        "POST /v1/cameras/{camera}/transports/{transport}/trigger": ("", #"{"activationReason": "automation"}"#),
        "POST /v1/cameras/{camera}/record": ("", "{}"), "POST /v1/cameras/{camera}/trigger": ("", "{}"),
        "PUT /v1/cameras/{camera}/enabled": ("", #"{"enabled": true}"#),
        "PUT /v1/clips/{clip}/protected": ("", #"{"protected": true}"#),
        "PUT /v1/events/{event}/seen": ("", #"{"seen": true}"#),
        "PATCH /v1/cameras/{camera}/privacy": ("", #"{"softLive": true}"#),
        "PATCH /v1/cameras/{camera}/settings": ("", #"{"sensitivity": "10"}"#),
        "POST /v1/policies/check": ("", #"{"text": "name: x\n"}"#),
        "PUT /v1/policies/{policy}": ("", #"{"text": "name: shop\nrecording:\n", "expectedRevision": "REVISION"}"#),
        "PUT /v1/cameras/{camera}/areas": ("", #"{"zones": [], "masks": [], "expectedRevision": "7b0c5d1e2f30"}"#),
        "POST /v1/cameras/{camera}/whep": ("", "v=0"), "POST /v1/cameras/{camera}/webrtc": ("", #"{"offer": "v=0"}"#),
        "POST /v1/tokens": ("", #"{"name": "other", "role": "viewer"}"#), "POST /v1/links": ("", "{}"),
        "POST /v1/sessions/{session}/startPlayback": ("", #"{"day": "2026-11-21", "clip": 1}"#),
        "POST /v1/sessions/{session}/speed": ("", #"{"speed": 2}"#),
        "POST /v1/sessions/{session}/definition": ("", #"{"definition": "sd"}"#),
        "POST /v1/sessions/{session}/mute": ("", #"{"on": true}"#),
        "POST /v1/sessions/{session}/talk": ("", #"{"on": true}"#),
        "POST /v1/sessions/{session}/record": ("", #"{"on": true}"#),
        "POST /v1/sessions/{session}/clips": ("", #"{"day": "2026-11-21"}"#),
        "GET /v1/cameras/{camera}/export/plan": (time, nil), "GET /v1/cameras/{camera}/export": (time, nil),
        "GET /v1/cameras/{camera}/play.m3u8": (time, nil), "GET /v1/cameras/{camera}/play/video.m3u8": (time, nil),
        "GET /v1/cameras/{camera}/play/audio.m3u8": (time, nil),
        "GET /v1/cameras/{camera}/play/keys.m3u8": (time, nil),
        "GET /v1/cameras/{camera}/days": ("month=2026-11", nil),
        "GET /v1/cameras/{camera}/cloud/days": ("month=2026-11", nil),
        "GET /v1/cloud/lapse": ("on=2026-11-21T10:00:00Z", nil),
        "GET /v1/cameras/{camera}/cloud/slices": (time, nil), "GET /v1/cameras/{camera}/cloud/events": (time, nil),
        "GET /v1/cameras/{camera}/picture": ("at=2026-11-21T10:00:00Z", nil),
        "GET /v1/cameras/{camera}/thumbnails": ("hour=2026-11-21T10:00:00Z", nil),
        "GET /v1/cameras/{camera}/thumbnails.json": ("hour=2026-11-21T10:00:00Z", nil),
        "GET /v1/cameras/{camera}/play.mpd": (time, nil), "GET /v1/cameras/{camera}/play.mp4": (time, nil),
    ]

    /// What opens a WebSocket.
    private static let opening: HTTPFields = [
        .upgrade: "websocket", .connection: "Upgrade", .secWebSocketVersion: "13",
        .secWebSocketKey: WebSocketClient.key,
    ]

    private static func headers(_ route: Route) -> HTTPFields {
        if route.path.hasSuffix("/live") { return opening }
        return route.path.hasSuffix("/whep") ? [.contentType: API.sessionDescription] : [:]
    }

    private func send(
        _ route: Route, _ camera: String, as principal: Principal
    ) async throws -> (status: Int, body: String) {
        let site = MemorySite()
        let revision = try await site.policy(name: "shop").revision
        _ = try site.accounts.create(CreateTokenCommand(name: "phone", role: .viewer), by: Self.caller)
        let (query, body) = Self.requests[route.title] ?? ("", nil)
        var uri = route.path
        for (name, value) in [
            ("camera", camera), ("clip", "1"), ("event", "1"), ("message", "1"), ("session", "1"), ("job", "1"),
            ("policy", "shop"), ("receiver", "phone"),
            ("number", "1"), ("seconds", "3600"), ("list", "index.m3u8"), ("file", "main.m3u8"), ("token", "phone"),
            ("kind", "video"), ("transport", "1"),
        ] {
            uri = uri.replacing("{\(name)}", with: value)
        }
        if !query.isEmpty { uri += "?" + query }
        let (address, text) = (uri, body?.replacing("REVISION", with: revision))
        let router = API.router(site: site) { _, _ in Admission(principal) }
        return try await Application(router: router).test(.router) { client in
            let response = try await client.execute(
                uri: address, method: route.method, headers: Self.headers(route),
                body: text.map { ByteBuffer(string: $0) })
            // A WebSocket that is opened is what 200 is elsewhere.
            let status = response.status == .switchingProtocols ? 200 : Int(response.status.code)
            return (status, String(buffer: response.body))
        }
    }

    @Test(
        "each route, each right, each set of cameras: what may be done is done, all else is refused",
        arguments: Right.allCases)
    func table(right: Right) async throws {
        for route in API.routes(MemorySite()) {
            for (scope, holds) in [
                (CameraScope.all, true), (.only(["front"]), true), (.only(["front", "back"]), true),
                (.only(["back"]), false), (.only([]), false),
            ] {
                let principal = Principal(caller: Self.caller, right: right, cameras: scope)
                let (status, body) = try await send(route, "front", as: principal)
                let isWhole = scope == .all
                let expected: Int
                switch route.subject {
                case _ where right < route.right: expected = 403
                case .nothing, .cameras: expected = 200
                case .site: expected = isWhole ? 200 : 403
                case .camera: expected = holds ? 200 : 403
                case .clip, .event, .message, .session, .job: expected = holds ? 200 : 404
                }
                // A new session is told as made; the small world's session plays nothing that could be paused; nobody trickles.
                let isDone = (200..<300).contains(status)
                let isPause = route.title.hasSuffix("/pause")
                let isAnswered = isDone || status == 409 && isPause || status == 405 && route.path.hasSuffix("/whep")
                let answer = isAnswered ? 200 : status
                #expect(answer == expected, "\(route.title) with \(right) on \(scope): \(body)")
                guard answer != 200 else { continue }
                let error = try JSONDecoder().decode(ErrorBody.self, from: Data(body.utf8))
                #expect(!error.what.isEmpty && error.why.contains("uid 1000") && !error.remedy.isEmpty)
            }
        }
    }

    @Test(
        "a token that asks for changes without end is refused for the rest of the minute; others, and processes, are not"
    )
    func pace() async throws {
        let pace = ChangePace()
        let routes = API.routes(MemorySite())
        let record = try #require(routes.first { $0.title == "POST /v1/cameras/{camera}/record" })
        let phone = Caller.token("phone", address: "192.0.2.7")
        for _ in 0..<ChangePace.perMinute { try pace.check(record, phone, nowMs: 60_000) }
        let refusal = #expect(throws: SiteError.self) {
            try pace.check(record, .token("phone", address: "192.0.2.8"), nowMs: 119_999)
        }
        #expect(refusal?.kind == .tooOften && refusal?.why.contains("token phone") == true)
        try pace.check(record, phone, nowMs: 120_000)
        try pace.check(record, .token("door", address: "192.0.2.7"), nowMs: 119_999)
        for title in ["POST /v1/cameras/{camera}/trigger", "POST /v1/cameras/{camera}/ptz", "GET /v1/cameras"] {
            let route = try #require(routes.first { $0.title == title }, "\(title)")
            for _ in 0...ChangePace.perMinute { try pace.check(route, phone, nowMs: 180_000) }
        }
        // That of a transport has no bound of its own.
        let transport = try #require(
            routes.first { $0.title == "POST /v1/cameras/{camera}/transports/{transport}/trigger" })
        #expect(throws: SiteError.self) {
            for _ in 0...ChangePace.perMinute { try pace.check(transport, phone, nowMs: 180_000) }
        }
        for _ in 0...ChangePace.perMinute { try pace.check(record, Self.caller, nowMs: 240_000) }
    }

    @Test("such a token is answered with 429, and the site is not asked")
    func paced() async throws {
        let principal = Principal(caller: .token("phone", address: "192.0.2.7"), right: .operate, cameras: .all)
        let router = API.router(site: MemorySite()) { _, _ in Admission(principal) }
        try await Application(router: router).test(.router) { client in
            var statuses: [Int: Int] = [:]
            for _ in 0..<(2 * ChangePace.perMinute + 1) {
                let response = try await client.execute(
                    uri: "/v1/clips/1/protected", method: .put, body: ByteBuffer(string: #"{"on": true}"#))
                statuses[Int(response.status.code), default: 0] += 1
                if response.status == .tooManyRequests { #expect(response.headers[.retryAfter] != nil) }
            }
            // A minute may end meanwhile.
            #expect(statuses[429] ?? 0 >= 1 && statuses[429] ?? 0 <= ChangePace.perMinute + 1, "\(statuses)")
        }
    }

    @Test("an answer about several cameras holds none on which the caller has no right")
    func filtered() async throws {
        for route in API.routes(MemorySite()) where route.subject == .cameras {
            for (mine, other) in [("front", "back"), ("back", "front")] {
                let principal = Principal(caller: Self.caller, right: route.right, cameras: .only([mine]))
                let (status, body) = try await send(route, mine, as: principal)
                #expect(status == 200)
                #expect(!body.contains("\"\(other)\""), "\(route.title) tells \(mine) of \(other): \(body)")
            }
        }
    }

    @Test("a message about the site is for those who have the right on every camera")
    func siteMessage() async throws {
        for (scope, status) in [(CameraScope.all, 200), (.only(["front", "back"]), 404)] {
            let principal = Principal(caller: Self.caller, right: .operate, cameras: scope)
            try await Application(router: API.router(site: MemorySite()) { _, _ in Admission(principal) }).test(.router)
            { client in
                let list = try await client.execute(uri: "/v1/messages", method: .get)
                #expect(String(buffer: list.body).contains("storageLow") == (status == 200))
                let one = try await client.execute(uri: "/v1/messages/3", method: .delete)
                #expect(one.status.code == status)
                let rest = try await client.execute(uri: "/v1/messages", method: .delete)
                #expect(String(buffer: rest.body) == #"{"cleared":2}"#)
            }
        }
    }

    @Test("a camera that is named in a query or a body is checked as one in the path, whether it exists or not")
    func named() async throws {
        let principal = Principal(caller: Self.caller, right: .administer, cameras: .only(["back"]))
        try await Application(router: API.router(site: MemorySite()) { _, _ in Admission(principal) }).test(.router) {
            client in
            for camera in ["front", "nowhere"] {
                for list in ["clips", "events", "messages", "journal"] {
                    for named in [camera, "back,\(camera)"] {
                        let response = try await client.execute(uri: "/v1/\(list)?camera=\(named)", method: .get)
                        #expect(response.status == .forbidden)
                    }
                }
                let cleared = try await client.execute(uri: "/v1/messages?camera=\(camera)", method: .delete)
                #expect(cleared.status == .forbidden)
                let body =
                    #"{"policy": "shop", "camera": "\#(camera)", "from": "2026-11-21T10:00:00Z", "to": "2026-11-22T10:00:00Z"}"#
                let response = try await client.execute(
                    uri: "/v1/simulate", method: .post, body: ByteBuffer(string: body))
                #expect(response.status == .forbidden)
            }
        }
    }

    @Test("what a route is about follows from its path, and each path with a camera's name is about that camera")
    func subjects() {
        for route in API.routes(MemorySite()) {
            #expect(route.path.contains("{camera}") == (route.subject == .camera), "\(route.title)")
            // To look on is asked for by POST too.
            let looks = ["check", "simulate", "/whep", "/webrtc"].contains { route.path.hasSuffix($0) }
            #expect(route.method == .get || route.right > .view || looks || route.path.contains("/sessions"))
        }
    }
}
