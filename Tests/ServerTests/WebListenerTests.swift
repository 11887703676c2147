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

    @Test("loopback addresses are read", arguments: ["127.0.0.1:8080", "127.9.9.9:0", "[::1]:8080"])
    func loopback(text: String) throws {
        #expect(try ListenAddress(parsing: text).description == text)
    }

    @Test("localhost means the loopback address, whatever the resolver says")
    func localhost() throws {
        #expect(try ListenAddress(parsing: "localhost:80").description == "127.0.0.1:80")
    }

    @Test(
        "an address that others can reach is refused with a remedy",
        arguments: [
            "0.0.0.0:8080", "192.0.2.1:8080", "[::]:8080", "[2001:db8::1]:8080", ":8080", "*:80", "camera.example:80",
        ])
    func reachable(text: String) {
        #expect(throws: ListenError.notLoopback(text)) { try ListenAddress(parsing: text) }
        #expect(ListenError.notLoopback(text).description.contains("TLS proxy"))
    }

    @Test(
        "what is no address is refused", arguments: ["", "127.0.0.1", "127.0.0.1:65536", "[::1:80", "::1:80", "[x]:1"])
    func malformed(text: String) {
        #expect(throws: ListenError.malformedAddress(text)) { try ListenAddress(parsing: text) }
    }

    @Test("a port that is taken is told as such")
    func taken() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await Application(router: WebListener.router(site: MemorySite())).test(.live) { client in
            let port = try #require(client.port)
            let address = try ListenAddress(parsing: "127.0.0.1:\(port)")
            await #expect(throws: ListenError.inUse(place: "127.0.0.1:\(port)")) {
                try await WebListener(address: address, site: MemorySite(), logger: logger).run()
            }
        }
    }
}
