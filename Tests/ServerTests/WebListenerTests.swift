internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdTesting
internal import Logging
internal import MemorySite
internal import Testing

@testable import Server

@Suite("The loopback listener")
struct WebListenerTests {
    @Test("health is told as 200 or 503 with its reason, over a real connection")
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
            let front = try await client.execute(uri: "/", method: .get)
            #expect(String(buffer: front.body).contains("vigil --help"))
            #expect(try await client.execute(uri: "/v1/states", method: .get).status == .notFound)
        }
    }

    @Test("a port that is taken is told as such")
    func taken() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await Application(router: WebListener.router(site: MemorySite())).test(.live) { client in
            let port = try #require(client.port)
            await #expect(throws: ListenError.inUse(place: "127.0.0.1:\(port)")) {
                try await WebListener(host: "127.0.0.1", port: port, site: MemorySite(), logger: logger).run()
            }
        }
    }
}
