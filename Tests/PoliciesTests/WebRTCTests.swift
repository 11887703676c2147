import Testing

@testable import Policies

@Suite("The section webrtc")
struct WebRTCTests {
    private static func load(_ webrtc: String) -> LoadOutcome {
        Fixture.load(Fixture.configuration + "webrtc: { \(webrtc) }\n")
    }

    private static func findings(_ webrtc: String) -> [Diagnostic] {
        Fixture.findings(Fixture.configuration + "webrtc: { \(webrtc) }\n")
    }

    @Test("without it datagrams are taken where HTTP is")
    func defaults() throws {
        let settings = try Fixture.load(Fixture.configuration).result.get().configuration.webrtc
        #expect(settings.listen == .asHTTP && settings.addresses.isEmpty)
    }

    @Test("an address and a port, none, and what viewers are told")
    func written() throws {
        let own = try Self.load("listen: \"[::]:8189\", addresses: [ 192.0.2.5, \"2001:db8::5\" ]").result.get()
        let address = try #require(try ListenAddress.parse("[::]:8189"))
        #expect(own.configuration.webrtc.listen == .at(address))
        #expect(own.configuration.webrtc.addresses == ["192.0.2.5", "2001:db8::5"])
        #expect(try Self.load("listen: none").result.get().configuration.webrtc.listen == .none)
    }

    @Test(
        "what is no address is an error, at its place",
        arguments: [
            ("listen: here", "webrtc.listen"), ("listen: example.org:8189", "webrtc.listen"),
            ("addresses: [ example.org ]", "webrtc.addresses[0]"), ("addresses: [ 0.0.0.0 ]", "webrtc.addresses[0]"),
            ("addresses: [ 192.0.2.5, \"192.0.2.6:8189\" ]", "webrtc.addresses[1]"), ("port: 8189", "webrtc.port"),
            ("addresses: [ \(Array(repeating: "192.0.2.5", count: 9).joined(separator: ", ")) ]", "webrtc.addresses"),
        ])
    func faults(_ text: String, _ path: String) {
        let findings = Self.findings(text)
        #expect(findings.map(\.keyPath) == [path] && findings.first?.severity == .error)
    }

    @Test("addresses that nobody is told are a warning")
    func inVain() {
        let findings = Self.findings("listen: none, addresses: [ 192.0.2.5 ]")
        #expect(findings.map(\.keyPath) == ["webrtc.addresses"] && findings.first?.severity == .warning)
        #expect(Self.findings("addresses: [ 192.0.2.5 ]").isEmpty)
    }
}
