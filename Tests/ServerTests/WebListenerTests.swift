internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdTesting
internal import Logging
internal import MemorySite
internal import NIOCore
internal import Testing

@testable import Server

@Suite("The listener over TCP")
struct WebListenerTests {
    /// The page as it is in the sources.
    static func page() throws -> PageFiles {
        try PageFiles(folder: Repository.root.appendingPathComponent("Sources/Server/Page").path)
    }

    @Test("health is told to everybody as 200 or 503 with its reason, over a real connection, and nothing else is")
    func health() async throws {
        let site = MemorySite()
        try await Application(router: WebListener.router(site: site)).test(.live) { client in
            let good = try await client.execute(uri: "/healthz", method: .get)
            #expect(good.status == .ok)
            #expect(String(buffer: good.body) == "ok\n")
            site.become(Health(ok: false, reason: "storage lost"))
            let bad = try await client.execute(uri: "/healthz", method: .get)
            #expect(bad.status == .serviceUnavailable)
            #expect(String(buffer: bad.body) == "storage lost\n")
            for route in API.routes(site) {
                let path = route.path.replacing("{camera}", with: "front").replacing("{", with: "")
                    .replacing("}", with: "")
                let answer = try await client.execute(uri: path, method: route.method)
                #expect(answer.status == .unauthorized, "\(route.title)")
                let challenges = answer.headers[.wwwAuthenticate] ?? ""
                #expect(challenges.hasSuffix("Bearer realm=\"vigil\""))
                // A browser asks its user for a password where it is challenged so; what it posts names its origin.
                #expect(challenges.hasPrefix("Basic ") == (route.method == .post), "\(route.title)")
            }
            #expect(try await client.execute(uri: "/v1/nothing", method: .get).status == .unauthorized)
            let posted = try await client.execute(
                uri: "/v1/cameras/front/trigger", method: .post, headers: [.origin: "http://localhost"])
            #expect(posted.headers[.wwwAuthenticate] == "Bearer realm=\"vigil\"")
        }
    }

    @Test("memory is shared with nobody over TCP, who is told what to do instead")
    func memory() async throws {
        let site = MemorySite()
        let made = try site.accounts.create(
            CreateTokenCommand(name: "detector", role: .viewer), by: Caller(uid: 0, gid: 0, pid: 1))
        let fields: HTTPFields = [
            .authorization: "Bearer \(made.token)", .connection: "Upgrade", .upgrade: "vigil-frames",
        ]
        try await Application(router: WebListener.router(site: site)).test(.live) { client in
            let port = try #require(client.port)
            // The test's own client says `keep-alive` whatever it is given.
            let request = TestClient.Request(
                "/v1/cameras/front/frames", method: .get, authority: "localhost", headers: fields)
            let answer = try await TestClient.withClient(host: "localhost", port: port) {
                try await $0.execute(request)
            }
            #expect(answer.status == .badRequest)
            #expect(String(buffer: answer.body ?? ByteBuffer()).contains("own socket alone"))
        }
    }

    @Test("a port that is taken is told as such")
    func taken() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await Application(router: WebListener.router(site: MemorySite())).test(.live) { client in
            let port = try #require(client.port)
            await #expect(throws: ListenError.inUse(place: "127.0.0.1:\(port)")) {
                try await WebListener(host: "127.0.0.1", port: port, site: MemorySite(), page: .none, logger: logger)
                    .run()
            }
        }
    }

    @Test("while the cameras are started, the interface refuses who is known, and tells others nothing of it")
    func starting() async throws {
        let site = MemorySite()
        let token = try site.accounts.create(
            CreateTokenCommand(name: "phone", role: .admin), by: Caller(uid: 0, gid: 0, pid: 1))
        let router = WebListener.router(site: site, isReady: { false })
        try await Application(router: router).test(.router) { client in
            let known = try await client.execute(
                uri: "/v1/states", method: .get, headers: [.authorization: "Bearer \(token.token)"])
            #expect(known.status == .serviceUnavailable)
            #expect(try await client.execute(uri: "/v1/states", method: .get).status == .unauthorized)
        }
    }

    @Test("every answer tells browsers to take nothing from elsewhere, refusals and the page too")
    func headers() async throws {
        let router = WebListener.router(site: MemorySite(), page: try Self.page())
        try await Application(router: router).test(.router) { client in
            for uri in ["/", "/index.html", "/healthz", "/v1/states", "/v1/nothing", "/camera/front"] {
                let answer = try await client.execute(uri: uri, method: .get)
                let policy = try #require(answer.headers[HTTPField.Name("Content-Security-Policy")!])
                #expect(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe") && !policy.contains("*"))
                #expect(answer.headers[HTTPField.Name("X-Content-Type-Options")!] == "nosniff")
                #expect(answer.headers[HTTPField.Name("Referrer-Policy")!] == "no-referrer")
            }
        }
    }

    @Test("the page's files are sent with their kind and tag, and its own addresses get its index")
    func files() async throws {
        let router = WebListener.router(site: MemorySite(), page: try Self.page())
        try await Application(router: router).test(.router) { client in
            let index = try await client.execute(uri: "/", method: .get)
            #expect(index.status == .ok)
            #expect(index.headers[.contentType] == "text/html; charset=utf-8")
            let tag = try #require(index.headers[.eTag])
            for uri in ["/camera/front?t=2026-11-21T10:00:00Z", "/index.html", "/no/such/file", "/v2", "/v1x/states"] {
                #expect(try await client.execute(uri: uri, method: .get).body == index.body, "\(uri)")
            }
            let again = try await client.execute(
                uri: "/", method: .get, headers: [.ifNoneMatch: "\"other\", \(tag)"])
            #expect(again.status == .notModified && again.body.readableBytes == 0)
            let head = try await client.execute(uri: "/", method: .head)
            #expect(head.status == .ok && head.body.readableBytes == 0)
            #expect(head.headers[.contentLength] == "\(index.body.readableBytes)")
            #expect(try await client.execute(uri: "/", method: .post).status == .unauthorized)
        }
    }

    @Test("no path leads out of the page, however it is written, and links in its folder lead nowhere")
    func tricks() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vigil-page-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = folder.appendingPathComponent("page")
        try FileManager.default.createDirectory(
            at: page.appendingPathComponent("parts"), withIntermediateDirectories: true)
        try "secret".write(to: folder.appendingPathComponent("secret.txt"), atomically: true, encoding: .utf8)
        for (name, text) in [
            ("index.html", "index"), ("parts/a.js", "script"), (".hidden.js", "hidden"), ("x.sh", "x"),
        ] {
            try text.write(to: page.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        for (link, target) in [("link.txt", "../secret.txt"), ("etc", "/etc"), ("up", "..")] {
            try FileManager.default.createSymbolicLink(
                atPath: page.appendingPathComponent(link).path, withDestinationPath: target)
        }
        let files = try PageFiles(folder: page.path)
        #expect(files.files.keys.sorted() == ["/index.html", "/parts/a.js"])
        try await Application(router: WebListener.router(site: MemorySite(), page: files)).test(.live) { client in
            #expect(try await String(buffer: client.execute(uri: "/parts/a.js", method: .get).body) == "script")
            let tricks = [
                "/../secret.txt", "/parts/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/up/secret.txt",
                "/link.txt", "/etc/passwd", "//etc/passwd", "/index.html%00.js", "/parts/a.js/", "/.hidden.js", "/x.sh",
                "/parts%5c..%5c..%5csecret.txt", "/%c0%ae%c0%ae/secret.txt", "/parts/%61.js",
            ]
            for trick in tricks {
                let answer = try await client.execute(uri: trick, method: .get)
                #expect(String(buffer: answer.body) == "index", "\(trick)")
            }
        }
    }

    @Test("a folder without an index, or with more than a page holds, is no page")
    func noPage() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vigil-page-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: PageProblem.self) { try PageFiles(folder: folder.path) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #expect(throws: PageProblem.self) { try PageFiles(folder: folder.path) }
        try "x".write(to: folder.appendingPathComponent("index.html"), atomically: true, encoding: .utf8)
        #expect(try PageFiles(folder: folder.path).files.count == 1)
        try Data(count: PageFiles.bytesMax).write(to: folder.appendingPathComponent("big.js"))
        #expect(throws: PageProblem.self) { try PageFiles(folder: folder.path) }
    }
}
