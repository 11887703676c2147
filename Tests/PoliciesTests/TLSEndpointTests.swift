import Testing

@testable import Policies

@Suite("TLS endpoints in the configuration")
struct TLSEndpointTests {
    private static func paths(_ endpoints: String) -> [String] {
        Fixture.findings(Fixture.configuration + "tlsEndpoints: { \(endpoints) }\n").map(\.keyPath)
    }

    @Test("An endpoint has a number, and may have nothing but that")
    func numbers() throws {
        let loaded = try Fixture.load(Fixture.configuration + "tlsEndpoints: { 7: {}, 65534: {} }\n").result.get()
        #expect(loaded.configuration.tlsEndpoints.keys.sorted() == [7, 65_534])
        #expect(try Fixture.load(Fixture.configuration).result.get().configuration.tlsEndpoints.isEmpty)
        for bad in ["0", "65535", "01", "door", "-1"] {
            #expect(Set(Self.paths("\(bad): {}")) == ["tlsEndpoints.\(bad)"])
        }
    }

    @Test("Files must be there, and certificate and key go together")
    func files() {
        #expect(Self.paths("1: { ca: ca.pem }") == ["tlsEndpoints.1.ca"])
        #expect(Self.paths("1: { key: key.pem }") == ["tlsEndpoints.1", "tlsEndpoints.1.key"])
        #expect(
            Self.paths("1: { certificate: c.pem, key: k.pem }") == [
                "tlsEndpoints.1.certificate", "tlsEndpoints.1.key",
            ])
    }
}
