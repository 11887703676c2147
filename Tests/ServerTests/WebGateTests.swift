internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdTesting
internal import MemorySite
internal import NIOCore
internal import Testing

@testable import Server

@Suite("Who is let in over TCP")
struct WebGateTests {
    private static let root = Caller(uid: 0, gid: 0, pid: 1)
    private static let page = HTTPField.Name("Vigil-Page")!

    private func ask<Value: Sendable>(
        _ role: TokenRole = .admin, cameras: [String]? = nil,
        _ body: @Sendable (MemorySite, String, any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        let site = MemorySite()
        let made = try site.accounts.create(
            CreateTokenCommand(name: "phone", role: role, cameras: cameras), by: Self.root)
        return try await Application(router: WebListener.router(site: site)).test(.router) { client in
            try await body(site, made.token, client)
        }
    }

    /// The cookie of a login by `token`.
    private func login(_ client: any TestClientProtocol, _ token: String) async throws -> String {
        let answer = try await client.execute(
            uri: "/v1/login", method: .post, headers: [Self.page: "1"],
            body: ByteBuffer(string: #"{"token": "\#(token)"}"#))
        #expect(answer.status == .ok)
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict") && cookie.contains("; Path=/"))
        #expect(cookie.contains("Max-Age=604800") && !cookie.contains("Secure"))
        return String(cookie.prefix { $0 != ";" })
    }

    @Test("a token in the field Authorization lets its holder in, and commands are told with its name")
    func bearer() async throws {
        try await ask { site, token, client in
            for field in ["Bearer \(token)", "bearer \(token)"] {
                let me = try await client.execute(uri: "/v1/me", method: .get, headers: [.authorization: field])
                #expect(String(buffer: me.body) == #"{"name":"phone","right":"administer"}"#)
            }
            let wrong = [
                "", "Bearer", "Bearer ", token, "Basic \(token)", "Bearer  \(token)", "Bearer \(token), Bearer x",
                "Bearer \(token)x",
            ]
            for field in wrong {
                let answer = try await client.execute(uri: "/v1/me", method: .get, headers: [.authorization: field])
                #expect([401, 429].contains(answer.status.code), "\(field.prefix(12))")
            }
            let record = try await client.execute(
                uri: "/v1/cameras/front/record", method: .post, headers: [.authorization: "Bearer \(token)"],
                body: ByteBuffer(string: "{}"))
            #expect(record.status == .ok)
            #expect(site.callers.last?.account == "token phone")
        }
    }

    @Test("a token as the password of any user lets its holder in, a wrong one does not, and guesses are bounded")
    func basic() async throws {
        try await ask(.operator, cameras: ["front"]) { site, token, client in
            func field(_ text: String) -> String { "Basic \(Data(text.utf8).base64EncodedString())" }
            func status(_ field: String, _ more: HTTPFields = [:]) async throws -> Int {
                var headers = more
                headers[.authorization] = field
                return try await client.execute(
                    uri: "/v1/cameras/front/trigger?source=doorbell&ms=5000", method: .post, headers: headers
                ).status.code
            }
            for user in ["", "doorbell", "ä b", "vigil"] { #expect(try await status(field("\(user):\(token)")) == 200) }
            #expect(try await status(field("panel:\(token)").replacing("Basic", with: "bASIC")) == 200)
            #expect(site.callers.last?.account == "token phone")
            let elsewhere = try await client.execute(
                uri: "/v1/cameras/back/trigger?source=doorbell", method: .post,
                headers: [.authorization: field("panel:\(token)")])
            #expect(elsewhere.status == .forbidden)
            // A browser may know the password from an address, and send it for another site's page.
            let fetchSite = try #require(HTTPField.Name("Sec-Fetch-Site"))
            for more: HTTPFields in [
                [.origin: "http://evil.example"], [.origin: "null"], [fetchSite: "cross-site"], [fetchSite: "none"],
            ] { #expect(try await status(field("panel:\(token)"), more) == 403) }
            let known = site.callers.count
            let junk = [
                "Basic", "Basic ", "Basic :", "Basic \(token)", "Basic panel:\(token)", field(token),
                field("\(token):"),
                field("panel:\(token):x"), field("panel:\(token)x"), field("panel: \(token)"), field(":"),
                field("panel:\(token)") + "=", "\(field("panel:\(token)")), Bearer x", "Digest \(token)",
            ]
            for text in junk {
                let answered = try await status(text)
                #expect([401, 429].contains(answered), "\(text.prefix(12))")
            }
            let guess = String(token.dropLast()) + (token.last == "a" ? "b" : "a")
            for _ in 0..<LoginBounds.triesMax { _ = try await status(field("panel:\(guess)")) }
            // Of this token nothing more is looked at from this address, however it is shown.
            for text in [field("panel:\(token)"), "Bearer \(token)"] { #expect(try await status(text) == 429) }
            #expect(site.callers.count == known)
        }
    }

    @Test("a request with two Authorization fields is not let in by one of them")
    func twoFields() async throws {
        try await ask { _, token, client in
            var headers = HTTPFields()
            headers.append(HTTPField(name: .authorization, value: "Bearer \(token)"))
            headers.append(HTTPField(name: .authorization, value: "Bearer x"))
            let answer = try await client.execute(uri: "/v1/me", method: .get, headers: headers)
            #expect(answer.status == .unauthorized)
        }
    }

    @Test("the page logs in, looks, changes something only with its mark and from its own origin, and logs out")
    func page() async throws {
        try await ask { _, token, client in
            let cookie = try await login(client, token)
            let me = try await client.execute(uri: "/v1/me", method: .get, headers: [.cookie: "a=b; \(cookie)"])
            #expect(me.status == .ok)
            func toggle(_ headers: HTTPFields) async throws -> HTTPResponse.Status {
                var headers = headers
                headers[.cookie] = cookie
                return try await client.execute(
                    uri: "/v1/cameras/front/enabled", method: .put, headers: headers,
                    body: ByteBuffer(string: #"{"enabled": true}"#)
                ).status
            }
            #expect(try await toggle([:]) == .forbidden)
            #expect(try await toggle([Self.page: "1"]) == .ok)
            #expect(try await toggle([Self.page: "1", .origin: "http://localhost"]) == .ok)
            // To ask for another protocol is no way round the mark.
            #expect(try await toggle([.upgrade: "websocket", .origin: "http://localhost"]) == .forbidden)
            let strange = ["http://evil.example", "null", "", "localhost", "http://localhost.evil.example"]
            for origin in strange {
                #expect(try await toggle([Self.page: "1", .origin: origin]) == .forbidden, "\(origin)")
            }
            let upgrade = try await client.execute(
                uri: "/v1/me", method: .get, headers: [.cookie: cookie, .upgrade: "websocket"])
            #expect(upgrade.status == .forbidden)
            let out = try await client.execute(
                uri: "/v1/logout", method: .post, headers: [.cookie: cookie, Self.page: "1"])
            #expect(out.status == .noContent && out.headers[.setCookie]?.contains("Max-Age=0") == true)
            let after = try await client.execute(uri: "/v1/me", method: .get, headers: [.cookie: cookie])
            #expect(after.status == .unauthorized)
        }
    }

    @Test("another site's page can neither log in nor log out")
    func foreign() async throws {
        try await ask { _, token, client in
            for path in ["/v1/login", "/v1/logout"] {
                for headers: HTTPFields in [[:], [Self.page: "1", .origin: "http://evil.example"]] {
                    let answer = try await client.execute(
                        uri: path, method: .post, headers: headers,
                        body: ByteBuffer(string: #"{"token": "\#(token)"}"#))
                    #expect(answer.status == .forbidden && answer.headers[.setCookie] == nil)
                }
            }
        }
    }

    @Test("an encoder's notice needs no token, and its signature is all that counts")
    func notices() async throws {
        try await ask { _, _, client in
            let names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
            for (values, status) in [
                (["m1", "1795428900", "v1,right"], .noContent), (["m1", "1795428900", "v1,wrong"], .unauthorized),
                (["m1", "1795428900"], .unauthorized), ([], .unauthorized), (["m1", "now", "v1,right"], .badRequest),
            ] as [([String], HTTPResponse.Status)] {
                var headers = HTTPFields()
                for (name, value) in zip(names, values) { headers[try #require(HTTPField.Name(name))] = value }
                let answer = try await client.execute(
                    uri: EncoderRoute.title.replacing("POST ", with: ""), method: .post, headers: headers,
                    body: ByteBuffer(string: "{}"))
                #expect(answer.status == status, "\(values)")
            }
            let large = try await client.execute(
                uri: "/v1/encoder/notices", method: .post,
                headers: [
                    HTTPField.Name("webhook-id")!: "m1", HTTPField.Name("webhook-timestamp")!: "1",
                    HTTPField.Name("webhook-signature")!: "v1,right",
                ], body: ByteBuffer(string: String(repeating: " ", count: 70_000)))
            #expect(large.status == .contentTooLarge)
        }
    }

    @Test("what a camera pushes needs the camera's login and no token; a long body is taken while it comes")
    func ingest() async throws {
        try await ask { _, _, client in
            func login(_ text: String) -> HTTPFields {
                [.authorization: "Basic \(Data(text.utf8).base64EncodedString())"]
            }
            let long = ByteBuffer(repeating: 7, count: 3 * Limits.bodyBytesEver)
            for (path, headers, body, status) in [
                ("/ingest/front/main/a/b.m4s", login("front:secret"), long, .ok),
                ("/ingest/front/main", login("front:secret"), ByteBuffer(string: "x"), .ok),
                ("/ingest/front/main/a", login("front:secret"), ByteBuffer(string: "!"), .preconditionFailed),
                ("/ingest/front/sub/a", login("front:secret"), ByteBuffer(), .unauthorized),
                ("/ingest/front/main/a", login("front"), ByteBuffer(), .unauthorized),
                ("/ingest/front/main/a", [:], ByteBuffer(), .unauthorized),
            ] as [(String, HTTPFields, ByteBuffer, HTTPResponse.Status)] {
                for method in [HTTPRequest.Method.put, .post] {
                    let answer = try await client.execute(uri: path, method: method, headers: headers, body: body)
                    #expect(answer.status == status, "\(path)")
                    let challenge = answer.headers[.wwwAuthenticate]?.hasPrefix("Basic ")
                    #expect((challenge == true) == (status == .unauthorized))
                }
            }
            let deletion = try await client.execute(
                uri: "/ingest/front/main/a", method: .delete, headers: login("front:secret"))
            #expect(deletion.status == .noContent)
            for _ in 0..<LoginBounds.triesMax {
                _ = try await client.execute(uri: "/ingest/front/main/a", method: .put, headers: login("front:guess"))
            }
            let refused = try await client.execute(
                uri: "/ingest/front/main/a", method: .put, headers: login("front:secret"))
            #expect(refused.status == .tooManyRequests)
        }
    }

    @Test("a body of a login that is no such thing is refused; a wrong one is refused as unknown")
    func bodies() async throws {
        try await ask { _, _, client in
            for (body, status) in [
                ("", 400), ("[]", 400), ("{}", 400), (#"{"token": 1}"#, 400), (#"{"user": "x"}"#, 400),
                (#"{"token": "x"}"#, 401), (#"{"code": "x"}"#, 401), (String(repeating: " ", count: 2_000), 413),
            ] {
                let answer = try await client.execute(
                    uri: "/v1/login", method: .post, headers: [Self.page: "1"], body: ByteBuffer(string: body))
                #expect(answer.status.code == status, "\(body.prefix(40))")
            }
        }
    }

    @Test("a login that is used after an hour is renewed, and the browser is told")
    func renewed() async throws {
        try await ask { site, token, client in
            let cookie = try await login(client, token)
            let young = try await client.execute(uri: "/v1/me", method: .get, headers: [.cookie: cookie])
            #expect(young.headers[.setCookie] == nil)
            site.pass(ms: LoginBounds.renewMs + 1)
            let old = try await client.execute(uri: "/v1/me", method: .get, headers: [.cookie: cookie])
            #expect(old.headers[.setCookie]?.hasPrefix(cookie + ";") == true)
        }
    }

    @Test("the cookie is found among others, and is none where there are two")
    func cookies() {
        let value = Secret.random().text
        for (isSecure, name) in [(false, "vigil"), (true, "__Host-vigil")] {
            let cookie = Cookie(isSecure: isSecure)
            #expect(cookie.setting(value).contains("; Secure") == isSecure)
            func read(_ fields: String...) -> String? {
                var headers = HTTPFields()
                for field in fields { headers.append(HTTPField(name: .cookie, value: field)) }
                return cookie.value(in: headers)
            }
            #expect(read("\(name)=\(value)") == value)
            #expect(read("a=b;  \(name)=\(value) ; c") == value)
            #expect(read("a=b", "\(name)=\(value)") == value)
            #expect(read("\(name)=\(value); \(name)=x") == nil)
            #expect(read("\(name)=\(value)", "\(name)=\(value)") == nil)
            for none in ["", ";", "=", "\(name)", "x\(name)=\(value)", "\(name)x=\(value)", "\(name.uppercased())=x"] {
                #expect(read(none) == nil, "\(none)")
            }
            #expect(read("\(name)=a=b") == "a=b" && read("\(name)=") == "")
        }
    }

    @Test("a viewer's token for one camera gets nothing of another on any route, by field and by cookie")
    func oneCamera() async throws {
        try await ask(.viewer, cameras: ["back"]) { site, token, client in
            let cookie = try await login(client, token)
            let ways: [HTTPFields] = [[.authorization: "Bearer \(token)"], [.cookie: cookie, Self.page: "1"]]
            for route in API.routes(site) {
                var path = route.path
                for (name, value) in [
                    ("camera", "front"), ("clip", "1"), ("event", "1"), ("policy", "shop"), ("token", "phone"),
                ] { path = path.replacing("{\(name)}", with: value) }
                for headers in ways {
                    let answer = try await client.execute(uri: path, method: route.method, headers: headers)
                    #expect(!String(buffer: answer.body).contains("\"front\""), "\(route.title)")
                    if ![.nothing, .cameras].contains(route.subject) || route.right > .view {
                        #expect([403, 404].contains(answer.status.code), "\(route.title): \(answer.status)")
                    }
                }
            }
        }
    }
}
