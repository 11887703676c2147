internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdTesting
internal import Machines
internal import MemorySite
internal import NIOCore
internal import Testing

@testable import Server

@Suite("Routes of the control interface")
struct RouteTests {
    /// Runs `body` against a router whose gate takes every caller for root.
    private func ask<Value: Sendable>(
        _ site: MemorySite = MemorySite(), caller: Caller = Caller(uid: 0, gid: 0, pid: 7),
        _ body: @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        let gate = Gate(daemonUser: 4_000, group: SocketGroup(id: 4_001, name: "vigil")) { _ in
            LocalPeer(caller: caller, groups: [])
        }
        return try await Application(router: API.router(site: site, gate: gate)).test(.router, body)
    }

    private func json<Value: Decodable>(_ response: TestResponse, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(response.body.readableBytesView))
    }

    private func object(_ response: TestResponse) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any])
    }

    @Test("every reading route answers with its shape")
    func reading() async throws {
        try await ask { client in
            let status = try await client.execute(uri: "/v1/status", method: .get)
            #expect(try json(status, as: SiteStatus.self).timeZone == "Europe/Rome")
            #expect(try await json(client.execute(uri: "/v1/health", method: .get), as: Health.self).ok)
            let cameras = try await json(client.execute(uri: "/v1/cameras", method: .get), as: [CameraInfo].self)
            #expect(cameras.map(\.camera) == ["back", "front"])
            let states = try await json(client.execute(uri: "/v1/states", method: .get), as: [CameraState].self)
            #expect(states.map(\.link) == ["streaming", "streaming"])
            let one = try await json(
                client.execute(uri: "/v1/cameras/front/state", method: .get), as: CameraState.self)
            #expect(one.camera == "front")
            let events = try await json(client.execute(uri: "/v1/events", method: .get), as: [EventInfo].self)
            #expect(events.first?.clips == [1])
            let policies = try await json(client.execute(uri: "/v1/policies", method: .get), as: [PolicySummary].self)
            #expect(policies.map(\.name) == ["shop"])
            let policy = try await json(client.execute(uri: "/v1/policies/shop", method: .get), as: PolicyText.self)
            #expect(policy.text.hasPrefix("name: shop"))
        }
    }

    @Test("coverage labels every moment of the time once, and sums them up")
    func coverage() async throws {
        try await ask { client in
            let begin = MemorySite.origin.ms - 30_000
            func uri(_ to: Int64) -> String {
                "/v1/cameras/front/coverage?from=\(WallTime(ms: begin).rfc3339)&to=\(WallTime(ms: to).rfc3339)"
            }
            let response = try await client.execute(uri: uri(begin + 150_000), method: .get)
            let report = try json(response, as: CoverageReport.self)
            #expect(report.stretches.map(\.label) == [nil, .idle, .recorded, .idle])
            #expect(report.from.ms == begin && report.to.ms == begin + 150_000)
            for (left, right) in zip(report.stretches, report.stretches.dropFirst()) { #expect(left.to == right.from) }
            #expect(report.sums == ["notConfigured": 20_000, "idle": 30_000, "recorded": 100_000])
            #expect(abs(report.recordedShare - 2.0 / 3) < 1e-9)
            // Null keys too: a script need not ask whether a key is there.
            let first = try #require((object(response)["stretches"] as? [[String: Any]])?.first)
            #expect(first["label"] is NSNull && first["rule"] is NSNull)
            let long = try await client.execute(uri: uri(begin + CoverageReport.lengthMsMax + 1), method: .get)
            #expect(long.status == .badRequest)
        }
    }

    @Test("a clip carries exactly the promised keys, null ones too")
    func clipKeys() async throws {
        try await ask { client in
            let response = try await client.execute(uri: "/v1/clips?limit=1", method: .get)
            let parsed = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
            let clip = try #require((parsed as? [[String: Any]])?.first)
            #expect(
                Set(clip.keys) == [
                    "id", "camera", "start", "end", "startedMonotonicMs", "bootId", "cause", "ended", "chainedTo",
                    "policy",
                    "policyRevision", "preRoll", "tracks", "protected", "damagedFrames",
                ])
            #expect(clip["start"] as? String == "2026-11-21T10:00:00.000Z")
            #expect(clip["chainedTo"] is NSNull)
            let preRoll = try #require(clip["preRoll"] as? [String: Any])
            #expect(Set(preRoll.keys) == ["promisedMs", "deliveredMs", "shortfall"])
            let track = try #require((clip["tracks"] as? [[String: Any]])?.first)
            #expect(Set(track.keys) == ["kind", "codec", "path", "bytes", "fragments", "durationMs"])
        }
    }

    @Test("a listing is paged without a gap or a repetition, in both orders")
    func paging() async throws {
        try await ask(MemorySite(clips: 7)) { client in
            for (order, expected) in [("oldest", Array(1...7)), ("newest", Array((1...7).reversed()))] {
                var seen: [Int64] = []
                var after = ""
                repeat {
                    let uri = "/v1/clips?camera=front&limit=3&order=\(order)\(after)"
                    let response = try await client.execute(uri: uri, method: .get)
                    seen += try json(response, as: [ClipInfo].self).map(\.id)
                    after = response.headers[try #require(Reply.nextPage)].map { "&after=\($0)" } ?? ""
                } while !after.isEmpty && seen.count < 20
                #expect(seen == expected.map { Int64($0) })
            }
        }
    }

    @Test("times filter a listing, with an offset too")
    func times() async throws {
        try await ask { client in
            let uri = "/v1/clips?from=2026-11-21T11:00:20%2B01:00&to=2026-11-21T10:00:41Z"
            let clips = try await json(client.execute(uri: uri, method: .get), as: [ClipInfo].self)
            #expect(clips.map(\.id) == [2, 3])
        }
    }

    @Test(
        "what does not make sense is refused with what, why and remedy",
        arguments: [
            ("/v1/clips?form=now", 400), ("/v1/clips?limit=0", 400), ("/v1/clips?limit=1001", 400),
            ("/v1/clips?order=size", 400), ("/v1/clips?from=yesterday", 400), ("/v1/clips?camera=a&camera=b", 400),
            ("/v1/clips?from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:00Z", 400), ("/v1/clips?camera=nowhere", 404),
            ("/v1/cameras/nowhere/state", 404), ("/v1/policies/none", 404), ("/v1/nothing", 404), ("/", 404),
            ("/v1/cameras/front/export?from=2026-11-21T10:00:00Z", 400),
            ("/v1/cameras/front/export?from=2020-11-21T10:00:00Z&to=2020-11-21T11:00:00Z", 404),
            ("/v1/cameras/front/record", 404), ("/v1/status?x=1", 400),
            ("/v1/cameras/front/suppressed", 400), ("/v1/cameras/front/suppressed?from=2026-11-21T10:00:00Z", 400),
            ("/v1/cameras/front/suppressed?from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:00Z", 400),
            ("/v1/cameras/nowhere/suppressed?from=2026-11-21T10:00:00Z&to=2026-11-21T11:00:00Z", 404),
            ("/v1/cameras/front/suppressed?from=2026-11-21T10:00:00Z&to=2026-11-21T11:00:00Z&limit=1", 400),
            ("/v1/events/x/snapshot", 400), ("/v1/events/0/snapshot", 400), ("/v1/events/99/snapshot", 404),
            ("/v1/events/1/snapshot?width=15", 400), ("/v1/events/1/snapshot?width=3841", 400),
            ("/v1/events/1/snapshot?at=2026-11-21T10:00:00Z", 400), ("/v1/cameras/nowhere/snapshot", 404),
            ("/v1/cameras/front/why", 400), ("/v1/cameras/front/why?at=10:00", 400),
            ("/v1/cameras/front/why?at=2026-11-21T10:00:00Z&json=true", 400),
            ("/v1/cameras/nowhere/why?at=2026-11-21T10:00:00Z", 404), ("/v1/cameras/front/ladder", 400),
            ("/v1/cameras/front/ladder?from=2026-11-21T10:00:00Z&to=2026-11-22T10:00:00Z&asEvents=yes", 400),
            ("/v1/cameras/front/ladder?from=2026-11-21T10:00:00Z&to=2026-12-23T10:00:00Z", 400),
            ("/v1/cameras/nowhere/ladder?from=2026-11-21T10:00:00Z&to=2026-11-22T10:00:00Z", 404),
            ("/v1/clips?limit=-2", 400), ("/v1/clips?limit=0", 400), ("/v1/clips?offset=1", 400),
            ("/v1/clips?unseen=true", 400), ("/v1/events?level=2", 400), ("/v1/events?level=", 400),
            ("/v1/events?cause=continuous", 400), ("/v1/events?label=a%20b", 400), ("/v1/events?label=", 400),
            ("/v1/events?label=\(String(repeating: "a", count: 33))", 400), ("/v1/events?unseen=perhaps", 400),
            ("/v1/events?offset=-1", 400),
            ("/v1/events?offset=99999999999999999999", 400), ("/v1/events?offset=1&after=1", 400),
            ("/v1/events?camera=front,,back", 400), ("/v1/events?camera=front,nowhere", 404),
            ("/v1/journal?priority=loud", 400), ("/v1/journal?since=1", 400), ("/v1/journal?camera=nowhere", 404),
            ("/v1/messages?camera=nowhere,", 400), ("/v1/cameras/nowhere/capabilities", 404), ("/metrics?x=1", 400),
            ("/v1/cameras/front/snapshot?at=10:00", 400), ("/v1/cameras/front/snapshot?width=wide", 400),
        ])
    func refusals(uri: String, status: Int) async throws {
        try await ask { client in
            let response = try await client.execute(uri: uri, method: .get)
            #expect(response.status.code == status)
            let body = try json(response, as: ErrorBody.self)
            #expect(!body.what.isEmpty && !body.why.isEmpty && !body.remedy.isEmpty)
            // Problem details (RFC 9457): a client that knows nothing of Vigil can show them.
            #expect(response.headers[.contentType] == "application/problem+json")
            #expect(body.type == "about:blank" && body.status == status && body.detail == "\(body.what): \(body.why)")
            #expect(!body.title.isEmpty && body.step == nil && body.reason == nil)
        }
    }

    @Test("commands change the camera and name their caller")
    func commands() async throws {
        let site = MemorySite()
        let caller = Caller(uid: 4_000, gid: 4_000, pid: 11)
        try await ask(site, caller: caller) { client in
            func send(_ method: HTTPRequest.Method, _ path: String, _ body: String) async throws -> TestResponse {
                try await client.execute(uri: "/v1/cameras/\(path)", method: method, body: ByteBuffer(string: body))
            }
            #expect(try await json(send(.post, "front/record", #"{"forMs": 30000}"#), as: CameraState.self).event == 99)
            #expect(try await json(send(.post, "front/record", "{}"), as: CameraState.self).trigger == "active")
            let off = try await json(send(.put, "front/enabled", #"{"enabled": false}"#), as: CameraState.self)
            #expect(off.coverage == .disabled)
            for (body, why) in [
                ("{}", "a detection of level 1 in anywhere"),
                (#"{"level": 5, "zones": ["door", "gate"]}"#, "a detection of level 5 in door gate"),
                (#"{"source": "gate", "on": true, "staleMs": 1000}"#, "source gate on"),
                (#"{"source": "gate", "on": false}"#, "source gate off"),
                (
                    #"{"label": "person", "box": {"x": 0.5, "y": 0, "width": 0.5, "height": 1}}"#,
                    "a detection of level 1 in anywhere: person at 0.5 0.0 0.5 1.0"
                ),
            ] {
                #expect(try await json(send(.post, "front/trigger", body), as: CameraState.self).why == why)
            }
            for (query, why) in [
                ("source=doorbell", "source doorbell on"), ("source=gate&ms=1000", "source gate on"),
                ("ms=3600000&source=a%20b", "source a b on"),
                ("label=person", "a detection of level 1 in anywhere: person"),
            ] { #expect(try await json(send(.post, "front/trigger?" + query, ""), as: CameraState.self).why == why) }
            let turned = try await json(
                send(.post, "front/ptz", #"{"move": {"pan": -0.5, "forMs": 1000}}"#), as: PTZInfo.self)
            #expect(turned.pan == -0.5 && turned.moving == true && turned.presets.map(\.name) == ["gate"])
            let refused = try await send(.post, "front/record", "{}")
            #expect(refused.status == .conflict)
            let kept = try await client.execute(
                uri: "/v1/clips/1/protected", method: .put, body: ByteBuffer(string: #"{"protected": true}"#))
            #expect(try json(kept, as: ClipInfo.self).protected)
            let hidden = try await json(send(.patch, "back/privacy", #"{"hard": true}"#), as: CameraState.self)
            #expect(hidden.privacy == Privacy(hard: true))
        }
        #expect(site.callers == Array(repeating: caller, count: 14))
    }

    @Test(
        "a bad body is refused and changes nothing",
        arguments: [
            (HTTPRequest.Method.post, "/v1/cameras/front/record", #"{"forMs": 999}"#, 400),
            (.post, "/v1/cameras/front/record", #"{"forMs": 3600001}"#, 400),
            (.post, "/v1/cameras/front/record", #"{"forMs": 1e400}"#, 400),
            (.post, "/v1/cameras/front/record", "", 400),
            (.post, "/v1/cameras/front/trigger", #"{"level": 2}"#, 400),
            (.post, "/v1/cameras/front/trigger", #"{"on": true}"#, 400),
            (.post, "/v1/cameras/front/trigger", #"{"source": "gate"}"#, 400),
            (.post, "/v1/cameras/front/trigger", #"{"source": "", "on": true}"#, 400),
            (.post, "/v1/cameras/front/trigger", #"{"source": "gate", "on": true, "level": 5}"#, 400),
            (.post, "/v1/cameras/front/trigger", #"{"source": "gate", "on": true, "staleMs": 999}"#, 400),
            (.post, "/v1/cameras/front/ptz", "{}", 400),
            (.post, "/v1/cameras/front/ptz", #"{"stop": false}"#, 400),
            (.post, "/v1/cameras/front/ptz", #"{"stop": true, "home": true}"#, 400),
            (.post, "/v1/cameras/front/ptz", #"{"move": {"pan": 1.1}}"#, 400),
            (.post, "/v1/cameras/front/ptz", #"{"move": {"pan": 0}}"#, 400),
            (.post, "/v1/cameras/front/ptz", #"{"move": {"zoom": 1, "forMs": 10001}}"#, 400),
            (.post, "/v1/cameras/front/ptz", #"{"save": ""}"#, 400),
            (.post, "/v1/cameras/front/ptz", #"{"save": "gate "}"#, 400),
            (.post, "/v1/cameras/front/ptz", #"{"save": "a\u0001b"}"#, 400),
            (.post, "/v1/cameras/front/ptz", #"{"preset": "none"}"#, 404),
            (.post, "/v1/cameras/front/trigger", #"{"label": ""}"#, 400),
            (.post, "/v1/cameras/front/trigger", #"{"label": "a person"}"#, 400),
            (.post, "/v1/cameras/front/trigger", #"{"label": "person,car"}"#, 400),
            (.post, "/v1/cameras/front/trigger", #"{"label": "\u0000"}"#, 400),
            (.post, "/v1/cameras/front/trigger", #"{"source": "gate", "on": false, "label": "person"}"#, 400),
            (.post, "/v1/cameras/front/trigger", #"{"box": {"x": 0, "y": 0, "width": 1, "height": 1}}"#, 400),
            (
                .post, "/v1/cameras/front/trigger",
                #"{"label": "person", "box": {"x": 0.6, "y": 0, "width": 0.5, "height": 1}}"#, 400
            ),
            (
                .post, "/v1/cameras/front/trigger",
                #"{"label": "person", "box": {"x": 0, "y": 0, "width": 0, "height": 1}}"#, 400
            ),
            (
                .post, "/v1/cameras/front/trigger",
                #"{"label": "person", "box": {"x": 0, "y": -1e308, "width": 1, "height": 1e308}}"#, 400
            ),
            (.post, "/v1/cameras/front/trigger", #"{"label": "person", "box": {"x": 0, "y": 0, "width": 1}}"#, 400),
            (.post, "/v1/cameras/front/trigger", "", 400),
            (.post, "/v1/cameras/front/trigger?source=", "", 400),
            (.post, "/v1/cameras/front/trigger?source=\(String(repeating: "a", count: 65))", "", 400),
            (.post, "/v1/cameras/front/trigger?source=gate&ms=999", "", 400),
            (.post, "/v1/cameras/front/trigger?source=gate&ms=3600001", "", 400),
            (.post, "/v1/cameras/front/trigger?source=gate&ms=5s", "", 400),
            (.post, "/v1/cameras/front/trigger?ms=5000", "", 400),
            (.post, "/v1/cameras/front/trigger?label=a%20person", "", 400),
            (.post, "/v1/cameras/front/trigger?source=gate&on=true", "", 400),
            (.post, "/v1/cameras/front/trigger?source=gate&source=door", "", 400),
            (.post, "/v1/cameras/front/trigger?source=gate", "{}", 400),
            (.get, "/v1/cameras/front/trigger?source=gate", "", 404),
            (.put, "/v1/cameras/front/enabled", #"{"enabled": "yes"}"#, 400),
            (.put, "/v1/cameras/front/enabled", "{}", 400),
            (.patch, "/v1/cameras/front/privacy", "{}", 400),
            (.put, "/v1/cameras/none/enabled", #"{"enabled": true}"#, 404),
            (.put, "/v1/clips/x/protected", #"{"protected": true}"#, 400),
            (.put, "/v1/clips/99999/protected", #"{"protected": true}"#, 404),
            (.put, "/v1/policies/shop", #"{"text": "name: shop\n", "expectedRevision": "r44"}"#, 400),
            (.put, "/v1/policies/shop", #"{"text": "name: shop\nrecording:\n", "expectedRevision": "r1"}"#, 409),
            (.post, "/v1/policies/check", "[", 400),
            (.post, "/v1/cameras/front/record", #"{"forMS": 5000}"#, 400),
            (.put, "/v1/cameras/front/enabled", #"{"enabled": true, "until": null, "by": 1}"#, 400),
            (.post, "/v1/simulate", #"{"from": "2026-11-21T10:00:00Z", "to": "2026-11-22T10:00:00Z"}"#, 400),
            (
                .post, "/v1/simulate",
                #"{"policy": "shop", "text": "", "from": "2026-11-21T10:00:00Z", "to": "2026-11-22T10:00:00Z"}"#, 400
            ),
            (
                .post, "/v1/simulate",
                #"{"policy": "shop", "from": "2026-11-21T10:00:00Z", "to": "2026-12-23T10:00:00Z"}"#, 400
            ),
            (
                .post, "/v1/simulate",
                #"{"policy": "shop", "from": "2026-11-21T10:00:00Z", "to": "2026-11-21T10:00:00Z"}"#, 400
            ),
            (
                .post, "/v1/simulate",
                #"{"policy": "shop", "camera": "none", "from": "2026-11-21T10:00:00Z", "to": "2026-11-22T10:00:00Z"}"#,
                404
            ),
        ] as [(HTTPRequest.Method, String, String, Int)])
    func badBodies(method: HTTPRequest.Method, uri: String, body: String, status: Int) async throws {
        let site = MemorySite()
        try await ask(site) { client in
            let response = try await client.execute(uri: uri, method: method, body: ByteBuffer(string: body))
            #expect(response.status.code == status)
            #expect(try !json(response, as: ErrorBody.self).why.isEmpty)
        }
        #expect(site.callers.isEmpty)
    }

    @Test("a body above the limit is refused as such")
    func largeBody() async throws {
        try await ask { client in
            let body = ByteBuffer(string: #"{"text": ""# + String(repeating: "x", count: Limits.bodyBytesMax) + "\"}")
            let response = try await client.execute(uri: "/v1/policies/check", method: .post, body: body)
            #expect(response.status == .contentTooLarge)
            #expect(try json(response, as: ErrorBody.self).why.contains("262144"))
        }
    }

    @Test("a policy is checked, and applied only from the revision it was made from")
    func policies() async throws {
        try await ask { client in
            let bad = try await client.execute(
                uri: "/v1/policies/check", method: .post, body: ByteBuffer(string: #"{"text": "name: x\n"}"#))
            #expect(bad.status == .ok)
            #expect(try json(bad, as: PolicyCheck.self).findings.map(\.line) == [2])
            let before = try await json(client.execute(uri: "/v1/policies/shop", method: .get), as: PolicyText.self)
            let text = before.text + "# more\n"
            let body = try JSONEncoder().encode(ApplyCommand(text: text, expectedRevision: before.revision))
            let applied = try await client.execute(
                uri: "/v1/policies/shop", method: .put, body: ByteBuffer(bytes: body))
            #expect(try json(applied, as: PolicyText.self).text == text)
            let again = try await client.execute(uri: "/v1/policies/shop", method: .put, body: ByteBuffer(bytes: body))
            #expect(again.status == .conflict)
            let reload = try await client.execute(uri: "/v1/reload", method: .post)
            #expect(try json(reload, as: ReloadReport.self).changed == ["policy shop"])
        }
    }

    @Test("a snapshot is a JPEG of an event, of a camera's moment, or of its newest clip, as wide as was asked")
    func snapshot() async throws {
        let site = MemorySite()
        try await ask(site) { client in
            for (uri, width) in [
                ("/v1/events/2/snapshot", "0"), ("/v1/events/2/snapshot?width=16", "16"),
                ("/v1/cameras/front/snapshot", "0"), ("/v1/cameras/front/live.jpg?whole=true", "0W"),
                ("/v1/events/2/snapshot?whole=true&width=32", "32W"),
                ("/v1/cameras/front/picture?at=2026-11-21T10:00:00Z&whole=true", "0W"),
                ("/v1/cameras/back/snapshot?at=2026-11-21T11:00:00%2B01:00&width=3840", "3840"),
            ] {
                let response = try await client.execute(uri: uri, method: .get)
                #expect(response.status == .ok && response.headers[.contentType] == "image/jpeg")
                #expect(response.headers[.cacheControl] == "no-store")
                #expect(Array(response.body.readableBytesView) == MemorySite.picture + Array(width.utf8))
            }
        }
        let back = SnapshotSubject.camera("back", at: MemorySite.origin)
        let front = SnapshotSubject.camera("front", at: nil)
        #expect(
            site.snapshots == [
                .event(2), .event(2), front, front, .event(2), .camera("front", at: MemorySite.origin), back,
            ])
    }

    @Test("what did not count in a time is an array of runs, and an event carries those of its own")
    func suppressed() async throws {
        try await ask { client in
            let time = "from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:41Z"
            let response = try await client.execute(uri: "/v1/cameras/front/suppressed?\(time)", method: .get)
            #expect(try json(response, as: [SuppressedInfo].self).map(\.event) == [1, 2])
            let parsed = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
            let run = try #require((parsed as? [[String: Any]])?.first)
            #expect(Set(run.keys) == ["why", "level", "count", "from", "to", "event"])
            #expect(run["why"] as? String == "blind" && run["level"] as? Int == 5 && run["count"] as? Int == 1)
            #expect(run["from"] as? String == "2026-11-21T10:00:01.000Z")
            let none = try await client.execute(uri: "/v1/cameras/back/suppressed?\(time)", method: .get)
            #expect(try json(none, as: [SuppressedInfo].self).isEmpty)
            let events = try await client.execute(uri: "/v1/events?limit=1", method: .get)
            let event = try #require(
                (JSONSerialization.jsonObject(with: Data(events.body.readableBytesView)) as? [[String: Any]])?.first)
            #expect(
                Set(event.keys) == [
                    "id", "camera", "start", "end", "startedMonotonicMs", "bootId", "cause", "level", "detections",
                    "zones", "labels", "picture", "preRoll", "suppressed", "ended", "clips", "seen",
                ])
        }
    }

    @Test(
        "a listing gives every element in one answer where limit is -1, whatever the order, and [] where there is none")
    func whole() async throws {
        try await ask(MemorySite(clips: 2_345)) { client in
            for order in ["oldest", "newest"] {
                for (list, count) in [
                    ("clips", 2_345), ("events", 2_345), ("events?offset=345", 2_000), ("events?unseen=true", 2_345),
                    ("events?level=10", 0),
                ] {
                    let mark = list.contains("?") ? "&" : "?"
                    let response = try await client.execute(
                        uri: "/v1/\(list)\(mark)limit=-1&order=\(order)", method: .get)
                    let items = try #require(
                        JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [[String: Any]])
                    let ids = items.compactMap { $0["id"] as? Int }
                    #expect(ids.count == count && Set(ids).count == count, "\(list) \(order)")
                    #expect(ids == (order == "oldest" ? ids.sorted() : ids.sorted().reversed()))
                    #expect(response.headers[Reply.nextPage!] == nil)
                }
            }
        }
    }

    @Test("an event is marked as seen and unseen again; a clip is deleted once, and not while it is protected")
    func reviewed() async throws {
        try await ask { client in
            func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws -> TestResponse {
                try await client.execute(uri: path, method: method, body: ByteBuffer(string: body))
            }
            let seen = try json(await send(.put, "/v1/events/2/seen", #"{"seen": true}"#), as: EventInfo.self)
            #expect(seen.id == 2 && seen.seen)
            let unseen = try json(await send(.get, "/v1/events?unseen=true"), as: [EventInfo].self)
            #expect(unseen.map(\.id) == [1, 3, 4, 5])
            #expect(try await send(.put, "/v1/events/99/seen", #"{"seen": true}"#).status == .notFound)
            #expect(try await send(.put, "/v1/events/1/seen", #"{"saw": true}"#).status == .badRequest)
            _ = try await send(.put, "/v1/clips/1/protected", #"{"protected": true}"#)
            #expect(try await send(.delete, "/v1/clips/1").status == .conflict)
            #expect(try json(await send(.delete, "/v1/clips/2"), as: ClipInfo.self).id == 2)
            #expect(try await send(.delete, "/v1/clips/2").status == .notFound)
            #expect(try json(await send(.get, "/v1/messages"), as: [MessageInfo].self).count == 3)
            #expect(try json(await send(.delete, "/v1/messages/1"), as: ClearedMessages.self).cleared == 1)
            #expect(try await send(.delete, "/v1/messages/1").status == .notFound)
            #expect(try json(await send(.delete, "/v1/messages?camera=back"), as: ClearedMessages.self).cleared == 1)
        }
    }

    @Test("the upload queue is listed by pages and by what one may see; jobs are pushed, tried again and cancelled")
    func uploads() async throws {
        try await ask { client in
            func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws -> TestResponse {
                try await client.execute(uri: path, method: method, body: ByteBuffer(string: body))
            }
            let cloud = try json(await send(.get, "/v1/cloud?camera=front"), as: CloudStatus.self)
            #expect(cloud.cameras.map(\.camera) == ["front"] && cloud.cameras[0].clips == 12)
            #expect(try json(await send(.post, "/v1/cloud/refresh"), as: CloudStatus.self).cameras.count == 2)
            let lapse = try json(
                await send(.get, "/v1/cloud/lapse?on=2026-12-01T00:00:00Z&camera=front"), as: CloudLapse.self)
            #expect(lapse.cameras.map(\.camera) == ["front"] && lapse.on == WallTime(rfc3339: "2026-12-01T00:00:00Z"))
            for flaw in ["", "?on=tomorrow", "?on=2026-12-01T00:00:00Z&at=1"] {
                #expect(try await send(.get, "/v1/cloud/lapse\(flaw)").status == .badRequest, "\(flaw)")
            }
            let page = try await send(.get, "/v1/uploads?limit=1")
            #expect(try json(page, as: [UploadInfo].self).map(\.id) == [2] && page.headers[Reply.nextPage!] == "2")
            #expect(try json(await send(.get, "/v1/uploads?after=2"), as: [UploadInfo].self).map(\.id) == [1])
            #expect(try json(await send(.get, "/v1/uploads?camera=back"), as: [UploadInfo].self).map(\.id) == [2])
            #expect(try json(await send(.get, "/v1/uploads?clip=1"), as: [UploadInfo].self).map(\.id) == [1])
            for flaw in ["standing=lost", "limit=0", "limit=-1", "order=oldest", "clip=0", "clip=mine"] {
                #expect(try await send(.get, "/v1/uploads?\(flaw)").status == .badRequest, "\(flaw)")
            }
            let totals = try json(await send(.get, "/v1/uploads/totals"), as: UploadTotals.self)
            #expect(totals.phases.map(\.jobs) == [1, 1])
            let pushed = try json(await send(.post, "/v1/clips/1/upload", #"{"note": "mine"}"#), as: UploadInfo.self)
            #expect(pushed.id == 3 && pushed.note == "mine" && pushed.phase == .queued)
            #expect(try json(await send(.post, "/v1/clips/2/upload"), as: UploadInfo.self).note == nil)
            #expect(try await send(.post, "/v1/clips/99/upload").status == .notFound)
            let long = String(repeating: "n", count: PushCommand.noteMax + 1)
            #expect(try await send(.post, "/v1/clips/1/upload", #"{"note": "\#(long)"}"#).status == .badRequest)
            #expect(try json(await send(.post, "/v1/uploads/1/retry"), as: UploadInfo.self).phase == .queued)
            #expect(try await send(.post, "/v1/uploads/1/retry").status == .conflict)
            #expect(try json(await send(.post, "/v1/uploads/2/cancel"), as: UploadInfo.self).phase == .cancelled)
            #expect(try await send(.post, "/v1/uploads/99/cancel").status == .notFound)
            #expect(try json(await send(.post, "/v1/uploads/cancel?camera=front"), as: OrderedUploads.self).jobs >= 1)
            #expect(try json(await send(.post, "/v1/uploads/retry"), as: OrderedUploads.self).jobs == 0)
        }
    }

    @Test("why, simulate and ladder answer with the keys of the command line")
    func explanations() async throws {
        let site = MemorySite()
        try await ask(site) { client in
            let why = try await client.execute(
                uri: "/v1/cameras/front/why?at=2026-11-21T10:00:07.250Z", method: .get)
            #expect(
                try Set(object(why).keys) == [
                    "camera", "time", "label", "source", "clip", "machineLabel", "failed", "suppressed", "remedy",
                    "remarks",
                ])
            let time = "from=2026-11-21T10:00:00Z&to=2026-11-22T10:00:00Z"
            let ladder = try await client.execute(
                uri: "/v1/cameras/back/ladder?\(time)&asEvents=true", method: .get)
            #expect(try json(ladder, as: LadderAnswer.self).camera == "back")
            let body = #"{"policy": "shop", "from": "2026-11-21T10:00:00Z", "to": "2026-11-22T10:00:00Z"}"#
            let simulate = try await client.execute(
                uri: "/v1/simulate", method: .post, body: ByteBuffer(string: body))
            #expect(try json(simulate, as: [SimulateAnswer].self).map(\.camera) == ["back", "front"])
        }
        #expect(
            site.explained == [
                "why front 2026-11-21T10:00:07.250Z", "ladder back as events", "simulate shop",
            ])
    }

    @Test("an export gives the planned bytes")
    func export() async throws {
        try await ask { client in
            let query = "from=2026-11-21T09:59:50Z&to=2026-11-21T10:00:30Z"
            let plan = try await json(
                client.execute(uri: "/v1/cameras/front/export/plan?\(query)", method: .get), as: PlannedExport.self)
            #expect(plan.clips == [1, 2])
            #expect(plan.holes.count == 1)
            let response = try await client.execute(uri: "/v1/cameras/front/export?\(query)", method: .get)
            #expect(response.headers[.contentType] == "video/mp4")
            #expect(Array(response.body.readableBytesView) == MemorySite.exportBytes(clips: 2))
        }
    }

    @Test(
        "strangers are refused before any route is looked at, members are admitted",
        arguments: [
            (LocalPeer(caller: Caller(uid: 1_000, gid: 1_000, pid: 1), groups: [1_000, 27]), 403),
            (LocalPeer(caller: Caller(uid: 1_000, gid: 1_000, pid: 1), groups: [27, 4_001]), 200),
            (LocalPeer(caller: Caller(uid: 1_000, gid: 4_001, pid: 1), groups: []), 200),
            (LocalPeer(caller: Caller(uid: 4_000, gid: 9, pid: 1), groups: []), 200),
            (LocalPeer(caller: Caller(uid: 0, gid: 9, pid: 1), groups: []), 200), (nil, 403),
        ] as [(LocalPeer?, Int)])
    func gate(peer: LocalPeer?, status: Int) async throws {
        let gate = Gate(daemonUser: 4_000, group: SocketGroup(id: 4_001, name: "vigil")) { _ in peer }
        try await Application(router: API.router(site: MemorySite(), gate: gate)).test(.router) { client in
            let response = try await client.execute(uri: "/v1/states", method: .get)
            #expect(response.status.code == status)
            if status == 403 {
                #expect(try json(response, as: ErrorBody.self).remedy.contains("usermod -aG vigil"))
                let unknown = try await client.execute(uri: "/v1/nothing", method: .get)
                #expect(unknown.status == .forbidden)
            }
        }
    }

    @Test("without a socket's group nobody but the user and root is admitted")
    func ownerOnly() async throws {
        let gate = Gate(daemonUser: 4_000, group: nil) { _ in
            LocalPeer(caller: Caller(uid: 1_000, gid: 4_000, pid: 1), groups: [4_000, 0])
        }
        try await Application(router: API.router(site: MemorySite(), gate: gate)).test(.router) { client in
            let response = try await client.execute(uri: "/v1/states", method: .get)
            #expect(response.status == .forbidden)
        }
    }

    @Test("the reference page lists the routes of the program, and no others")
    func reference() throws {
        let page = try String(
            contentsOf: Repository.root.appendingPathComponent("docs/reference/http.md"), encoding: .utf8)
        let titles = page.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
        let routes = API.routes(MemorySite())
        let all = routes.map(\.title) + LoginRoutes.titles + [EncoderRoute.title] + IngestRoute.titles
        #expect(titles == all.reordered(like: titles))
        #expect(titles.count == all.count)
        for title in LoginRoutes.titles + [EncoderRoute.title] + IngestRoute.titles {
            #expect(page.contains("| `\(title)` | none | `nothing` |\n"), "\(title)")
        }
        for route in routes {
            #expect(page.contains("| `\(route.title)` | `\(route.right)` | `\(route.subject)` |\n"), "\(route.title)")
        }
        let bounds = [
            "\(ExplanationBounds.lengthMsMax / 86_400_000) days",
            "longer than \(ExplanationBounds.durationMsMax / 1_000) s",
        ]
        for bound in bounds { #expect(page.contains(bound)) }
        for kind in SiteError.Kind.allCases { #expect(page.contains("| \(kind.rawValue) |")) }
        #expect(page.contains("\(Limits.bodyBytesMax) bytes"))
    }
}

extension [String] {
    /// The same elements in the order of `other`, those that it lacks at the end.
    fileprivate func reordered(like other: [String]) -> [String] {
        sorted { (other.firstIndex(of: $0) ?? .max) < (other.firstIndex(of: $1) ?? .max) }
    }
}
