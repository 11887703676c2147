import Testing

@testable import Policies

@Suite("Where HTTP may listen")
struct ListenAddressTests {
    @Test("loopback addresses are read", arguments: ["127.0.0.1:8080", "127.9.9.9:1", "[::1]:65535"])
    func loopback(text: String) throws {
        #expect(try ListenAddress.parse(text)?.description == text)
    }

    @Test("localhost means the loopback address, whatever the resolver says; none means none")
    func words() throws {
        #expect(try ListenAddress.parse("localhost:80")?.description == "127.0.0.1:80")
        #expect(try ListenAddress.parse("none") == nil)
    }

    @Test(
        "an address that others can reach is told from one that they cannot",
        arguments: [
            "0.0.0.0:8080", "192.0.2.1:8080", "[::]:8080", "[2001:db8::1]:8080", "[::ffff:127.0.0.1]:80",
        ])
    func reachable(text: String) throws {
        let address = try #require(try ListenAddress.parse(text))
        #expect(!address.isLoopback)
        #expect(try ListenAddress.parse("[::1]:80")?.isLoopback == true)
        let text =
            "http: { listen: '\(text)' }\npolicies: [ shop.yaml ]\ncameras: { a: { main: demo, policy: shop } }\n"
        #expect(Fixture.findings(text).filter { $0.keyPath.hasPrefix("http") }.isEmpty)
    }

    @Test("names are not resolved", arguments: ["*:80", "camera.example:80", "0127.0.0.1:80"])
    func names(text: String) {
        #expect { try ListenAddress.parse(text) } throws: { error in
            (error as? Fault)?.reason.contains("no numeric address") == true
        }
    }

    @Test(
        "what is no address is refused",
        arguments: [
            "", ":8080", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "[::1:80", "::1:80", "[x]:1", "[::1]",
            "127.0.0.1:80:80", "local host:80", "127.0.0.1:-1",
        ])
    func malformed(text: String) {
        #expect { try ListenAddress.parse(text) } throws: { error in
            (error as? Fault)?.reason.contains("is not an address and port") == true
        }
    }
}
