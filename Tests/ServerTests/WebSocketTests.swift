internal import Foundation
internal import Hummingbird
internal import Logging
internal import MemorySite
internal import NIOCore
internal import ServiceLifecycle
internal import Testing

@testable import Server

@Suite("Live view over a WebSocket", .timeLimit(.minutes(5)))
struct WebSocketTests {
    private typealias Event = WebSocketClient.Event
    private static let uri = "/v1/cameras/front/live"

    /// Serves `site` under `limits` to `principal`, or to whom the gate admits, while `body` runs.
    private func serve(
        _ site: MemorySite = MemorySite(), as principal: Principal? = nil,
        _ change: (inout ConnectionLimits) -> Void = { _ in },
        _ body: RunningRouter.Body
    ) async throws {
        var limits = ConnectionLimits()
        change(&limits)
        let gate = Gate(daemonUser: geteuid(), group: nil)
        let router = API.router(site: site) { _, channel in
            if let principal { return Admission(principal) }
            return Admission(try await gate.admit(channel))
        }
        try await RunningRouter.serve(router, Connections(limits), body)
    }

    /// All that came, but for the pings of a connection that a busy machine holds up.
    private func all(_ client: WebSocketClient) async -> [Event] {
        var events: [Event] = []
        for await event in client.events {
            if case .ping = event { continue }
            events.append(event)
        }
        return events
    }

    @Test("it opens, sends its parts in order with their heads, and closes with a code and a reason")
    func parts() async throws {
        try await serve { path, _ in
            let events = await all(try WebSocketClient(path, Self.uri + "?cut=group&stream=main&sound=none"))
            try #require(events.count == 8)
            guard case .opened(101, let head, "") = events[0], case .text(let hello) = events[1],
                case .binary(let header) = events[2], case .binary(let fragment) = events[3]
            else { return #expect(Bool(false), "\(events)") }
            #expect(head.contains(WebSocketClient.accept))
            let told = try JSONDecoder().decode(LiveHello.self, from: Data(hello.utf8))
            #expect(told.tracks.map(\.mime) == ["video/mp4; codecs=\"avc1.64001f\""] && told.tracks[0].width == 640)
            #expect(header == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3])
            #expect(fragment.prefix(2) == [2, 0] && fragment.count == 100_010)
            #expect(fragment[2..<10].reduce(Int64(0)) { $0 << 8 | Int64($1) } == MemorySite.origin.ms)
            let last: [Event] = [
                .text(#"{"skipped":3}"#), .text(#"{"lost":true}"#), .text(#"{"ended":"removed"}"#),
            ]
            #expect(Array(events[4...6]) == last)
            guard case .close(1_000, let reason) = events[7] else { return #expect(Bool(false), "\(events[7])") }
            #expect(reason.hasPrefix("removed"))
        }
    }

    @Test("each end has its code", arguments: zip(LiveEnd.allCases, [1_008, 1_001, 1_000, 1_013, 1_000, 1_000]))
    func ends(_ why: LiveEnd, _ code: Int) async throws {
        let site = MemorySite()
        site.becomeEndless()
        try await serve(site) { path, _ in
            let client = try WebSocketClient(path, Self.uri)
            var last: Event?
            for await event in client.events {
                if event == .text(#"{"lost":true}"#) { site.endLive(why) }
                if case .close = event { last = event }
            }
            guard case .close(code, let reason) = last else {
                return #expect(Bool(false), "\(String(describing: last))")
            }
            #expect(reason.hasPrefix(why.rawValue))
        }
    }

    @Test(
        "what is no opening, or of another page, or about another camera, is refused with the body of every route",
        arguments: [
            (uri, ["Upgrade": ""], 400), (uri, ["Connection": "close"], 400), (uri, ["Upgrade": "h2c"], 400),
            (uri, ["Sec-WebSocket-Version": "8"], 400), (uri, ["Sec-WebSocket-Key": "short"], 400),
            (uri, ["Sec-WebSocket-Key": ""], 400), (uri, ["Origin": "http://evil.example"], 403),
            (uri, ["Origin": "null"], 403), (uri, ["Origin": "file://vigil"], 403),
            (uri, ["Origin": "http://vigil:8080"], 403), (uri + "?cut=slice", [:], 400), (uri + "?x=1", [:], 400),
            ("/v1/cameras/nowhere/live", [:], 404),
        ] as [(String, [String: String], Int)])
    func refused(_ uri: String, _ fields: [String: String], _ status: Int) async throws {
        try await serve { path, _ in
            let events = await all(try WebSocketClient(path, uri, fields))
            guard case .opened(status, _, let body) = events.first else { return #expect(Bool(false), "\(events)") }
            let error = try JSONDecoder().decode(ErrorBody.self, from: Data(body.utf8))
            #expect(!error.what.isEmpty && !error.why.isEmpty && !error.remedy.isEmpty)
        }
    }

    @Test("who asks for it and is gone before the answer leaves nothing that waits, however often")
    func gone() async throws {
        let request =
            "GET \(Self.uri) HTTP/1.1\r\nHost: vigil\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
        try await serve { path, _ in
            for number in 0..<1_000 {
                let client = try RawClient(path)
                client.say(request)
                // At once, or while it is being read.
                let pause = number % 10
                try await Task.sleep(for: .microseconds(pause * pause * pause * 10))
                withExtendedLifetime(client) {}
            }
            let events = await all(try WebSocketClient(path, Self.uri))
            #expect(events.count == 8)
        }
    }

    @Test("a page of our own origin opens it, and a principal without the camera does not")
    func whose() async throws {
        try await serve { path, _ in
            let events = await all(try WebSocketClient(path, Self.uri, ["Origin": "http://VIGIL"]))
            #expect(events.count == 8)
        }
        let caller = Caller(uid: 1_000, gid: 1_000, pid: 7)
        for (cameras, status) in [(CameraScope.only(["back"]), 403), (.only(["front"]), 101)] {
            let principal = Principal(caller: caller, right: .view, cameras: cameras)
            try await serve(as: principal) { path, _ in
                let events = await all(try WebSocketClient(path, Self.uri))
                guard case .opened(status, _, _) = events.first else { return #expect(Bool(false), "\(events)") }
            }
        }
    }

    /// Frames of a client, each its first byte and its data, and what is heard then; nil: the viewer goes on.
    struct Said: Sendable {
        let frames: [[UInt8]]
        let answer: WebSocketClient.Event?

        init(_ frames: [[UInt8]], _ answer: WebSocketClient.Event?) { (self.frames, self.answer) = (frames, answer) }

        init(_ frames: [[UInt8]], _ code: Int, _ reason: String = "") {
            self.init(frames, .close(code: code, reason: reason))
        }

        static func long(_ first: UInt8, _ count: Int) -> [UInt8] { [first] + [UInt8](repeating: 65, count: count) }

        static let all: [Said] = [
            Said([[0x89, 3]], .pong([3])),
            Said([[0x81, 65]], nil),
            Said([[0x01, 65], [0x89], [0x80, 66]], .pong([])),
            Said([[UInt8]](repeating: [0x81, 66], count: 100) + [[0x89, 1]], .pong([1])),
            Said([[0x88, 0x03, 0xE8]], 1_000),
            Said([[0x88]], 1_000),
            Said([[0x88, 0x0F, 0xA0, 65]], 4_000),
            Said([[0x88, 1]], 1_002, "a closing code has two bytes"),
            Said([[0x88, 0x03, 0xED]], 1_002, "there is no such closing code"),
            Said([[0x88, 0x03, 0xE8, 0xFF]], 1_007, "the reason is no UTF-8"),
            Said([[0x82, 1]], 1_003, "a viewer has no binary messages to send"),
            Said([[0x81, 0xFF]], 1_007, "a text is UTF-8"),
            Said([[0xC1, 65]], 1_002, "no extension was agreed on"),
            Said([[0x83, 65]], 1_002, "there is no such frame"),
            Said([[0x80, 65]], 1_002, "messages come one after another"),
            Said([[0x01, 65], [0x81, 65]], 1_002, "messages come one after another"),
            Said([[0x09, 65]], 1_002, "a control frame is whole and short"),
            Said([long(0x89, 126)], 1_002, "a control frame is whole and short"),
            Said([long(0x81, 5_000)], 1_009, "a frame has at most 4096 bytes"),
            Said([long(0x01, 4_000), long(0x00, 4_000)], 1_009, "a message has at most 4096 bytes"),
            Said([[UInt8]](repeating: [0x8A], count: 200), 1_008, "more than 120 frames a minute"),
        ]
    }

    @Test("what a client says is answered, borne or refused with a code", arguments: Said.all)
    func said(_ said: Said) async throws {
        let site = MemorySite()
        site.becomeEndless()
        try await serve(site) { path, _ in
            let client = try WebSocketClient(path, Self.uri)
            var heard: [Event] = []
            for await event in client.events {
                heard.append(event)
                if event == .text(#"{"lost":true}"#) {
                    for frame in said.frames { client.say(frame[0], Array(frame.dropFirst())) }
                    // What is borne: the viewer goes on, and ends as ordered.
                    if said.answer == nil { site.endLive(.removed) }
                }
                if event == said.answer { break }
            }
            #expect(said.answer.map { heard.last == $0 } ?? heard.contains(.text(#"{"ended":"removed"}"#)), "\(heard)")
        }
    }

    @Test("a frame without a mask is refused, and bytes that are no frame end the connection")
    func unmasked() async throws {
        let site = MemorySite()
        site.becomeEndless()
        try await serve(site) { path, _ in
            for bytes in [[0x81, 1, 65], [0x81, 0xFF] + Array(repeating: UInt8(0xFF), count: 8)] as [[UInt8]] {
                let client = try WebSocketClient(path, Self.uri)
                var last: Event?
                for await event in client.events {
                    if event == .text(#"{"lost":true}"#) { client.say(bytes) }
                    last = event
                }
                guard case .close(let code, _) = last else {
                    return #expect(Bool(false), "\(String(describing: last))")
                }
                #expect(code == 1_002 || code == 1_009)
            }
        }
    }

    @Test("a stop closes with 1001 at once, and a client that says no more has gone")
    func stop() async throws {
        let site = MemorySite()
        site.becomeEndless()
        try await serve(site) { path, stop in
            let silent = try WebSocketClient(path, Self.uri)
            for await event in silent.events where event == .text(#"{"lost":true}"#) { silent.finish() }
            let client = try WebSocketClient(path, Self.uri)
            var last: Event?
            for await event in client.events {
                if event == .text(#"{"lost":true}"#) { await stop() }
                last = event
            }
            guard case .close(1_001, let reason) = last else {
                return #expect(Bool(false), "\(String(describing: last))")
            }
            #expect(reason.hasPrefix("draining"))
        }
    }

    @Test(
        "viewers have places of their own: with all of them taken there is room to ask, and one more viewer is refused"
    )
    func places() async throws {
        let site = MemorySite()
        site.becomeEndless()
        try await serve(site, as: nil, { ($0.most, $0.ofPeerMost, $0.viewersOfPeerMost) = (4, 3, 6) }) { path, _ in
            var clients: [WebSocketClient] = []
            for _ in 0..<6 {
                let client = try WebSocketClient(path, Self.uri)
                clients.append(client)
                for await event in client.events where event == .text(#"{"lost":true}"#) { break }
            }
            for _ in 0..<5 { #expect(try await RawClient.status("GET /v1/states", at: path) == 200) }
            // A page cannot read the status of an opening that is refused, so it is told over the WebSocket.
            let refused = await all(try WebSocketClient(path, Self.uri))
            guard case .opened(101, _, _) = refused.first, refused.count == 3, case .text(let text) = refused[1],
                case .close(1_013, let reason) = refused[2]
            else { return #expect(Bool(false), "\(refused)") }
            let refusal = try JSONDecoder().decode(LiveRefusal.self, from: Data(text.utf8))
            #expect(refusal.ended == "unavailable" && refusal.error.status == 503, "\(text)")
            #expect(refusal.error.why.contains("6 of uid") && reason.hasPrefix("unavailable: "))
            // None of them was cut off meanwhile; each gets its end.
            site.endLive(.slow)
            for client in clients {
                var last: Event?
                for await event in client.events { last = event }
                guard case .close(1_013, _) = last else { return #expect(Bool(false), "\(String(describing: last))") }
            }
        }
    }

    @Test("a viewer that waits for its camera is not cut off as idle")
    func idle() async throws {
        let site = MemorySite()
        site.becomeEndless()
        try await serve(site, as: nil, { ($0.idleMax, $0.headMax) = (.milliseconds(200), .minutes(10)) }) { path, _ in
            let client = try WebSocketClient(path, Self.uri)
            for await event in client.events where event == .text(#"{"lost":true}"#) { break }
            client.say(0x81, [65])
            // An ordinary connection is closed meanwhile.
            let ordinary = try RawClient(path)
            ordinary.say("GET /v1/health HTTP/1.1\r\nHost: vigil\r\n\r\n")
            #expect(await ordinary.hear()?.hasPrefix("HTTP/1.1 200") == true)
            site.endLive(.removed)
            var last: Event?
            for await event in client.events { last = event }
            guard case .close(1_000, _) = last else { return #expect(Bool(false), "\(String(describing: last))") }
        }
    }

    @Test("a viewer that takes nothing is cut off")
    func unread() async throws {
        let site = MemorySite()
        site.becomeEndless()
        try await serve(site, as: nil, { $0.stalledMax = .milliseconds(300) }) { path, _ in
            let client = try WebSocketClient(path, Self.uri + "?cut=frame", reads: false)
            while site.liveViewers == 0 { await Task.yield() }
            site.sendLive(.fragment(track: 0, at: MemorySite.origin, bytes: Array(repeating: 0, count: 4 << 20)))
            // The server closes, so what is said finds nobody.
            while client.say(0x8A) { await Task.yield() }
        }
    }
}
