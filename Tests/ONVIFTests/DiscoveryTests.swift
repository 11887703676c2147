import Testing

@testable import ONVIF

@Suite("Answers to a probe")
struct DiscoveryTests {
    private func answer(
        relates: String = "urn:uuid:1", addresses: String = "http://10.0.0.9:8080/onvif/device_service",
        matches: Int = 1
    ) -> [UInt8] {
        let match = """
            <d:ProbeMatch><a:EndpointReference><a:Address>urn:uuid:cam</a:Address></a:EndpointReference><d:Types>n:NetworkVideoTransmitter\
            </d:Types><d:Scopes>onvif://www.onvif.org/name/Front%20Door onvif://www.onvif.org/hardware/X-1%zz \
            onvif://www.onvif.org/Profile/Streaming onvif://www.onvif.org/Profile/T http://other/name/no</d:Scopes><d:XAddrs>\(addresses)\
            </d:XAddrs><d:MetadataVersion>1</d:MetadataVersion></d:ProbeMatch>
            """
        return Array(
            """
            <?xml version="1.0"?><s:Envelope xmlns:s="s"><s:Header><a:RelatesTo>\(relates)</a:RelatesTo></s:Header><s:Body>\
            <d:ProbeMatches>\(String(repeating: match, count: matches))</d:ProbeMatches></s:Body></s:Envelope>
            """.utf8)
    }

    private func read(_ bytes: [UInt8]) -> [DiscoveredDevice] {
        DiscoveredDevice.read(bytes, from: "10.0.0.9", probes: ["urn:uuid:1", "urn:uuid:2"])
    }

    @Test("A device is read with what it says of itself")
    func match() throws {
        let device = try #require(read(answer()).first)
        #expect(device.endpoint == "urn:uuid:cam")
        #expect(device.address.description == "http://10.0.0.9:8080/onvif/device_service")
        #expect(device.name == "Front Door" && device.model == "X-1%zz" && device.location == nil)
        #expect(device.profiles == ["Streaming", "T"])
    }

    @Test(
        "A device answers for itself: of its addresses the one that sent counts, and no other host is ever named (H9)")
    func sender() {
        let both = "http://[fe80::1]/onvif/device_service http://10.0.0.9/d http://192.168.0.1/e"
        #expect(read(answer(addresses: both)).map(\.address.description) == ["http://10.0.0.9/d"])
        #expect(
            read(answer(addresses: "https://victim.example:444/d")).map(\.address.description) == [
                "https://10.0.0.9:444/d"
            ])
    }

    @Test("What answers no probe of this search is none")
    func foreign() {
        #expect(read(answer(relates: "urn:uuid:3")).isEmpty)
        #expect(read(answer(addresses: "")).isEmpty)
        #expect(read(answer(addresses: "ftp://10.0.0.9/")).isEmpty)
        #expect(read([]).isEmpty)
        #expect(read([UInt8](repeating: 0xff, count: 65_536)).isEmpty)
        #expect(read(Array("<Envelope/>".utf8)).isEmpty)
    }

    @Test("A match without what stands around it is read, too: ipycam 1.3.0")
    func bare() {
        let text = String(decoding: answer(), as: UTF8.self)
        let bare = text.replacing("<d:ProbeMatches>", with: "").replacing("</d:ProbeMatches>", with: "")
        #expect(read(Array(bare.utf8)).count == 1)
    }

    @Test("A device counts once, and one address has no more than a bound of them, so that nobody fills a search alone")
    func once() {
        var outcome = Discovery.Outcome()
        func add(_ number: Int, _ sender: String) {
            let bytes = Array(
                String(decoding: answer(), as: UTF8.self).replacing("urn:uuid:cam", with: "urn:\(number)").utf8)
            for device in DiscoveredDevice.read(bytes, from: sender, probes: ["urn:uuid:1"]) { outcome.add(device) }
        }
        for number in 0..<100 { add(number, "10.0.0.9") }
        #expect(outcome.devices.count == Discovery.devicesAtOnceMax)
        for number in 0..<2_000 { add(number, "10.0.\(number / 200).\(number % 200)") }
        #expect(outcome.devices.count == Discovery.devicesMax)
        #expect(Set(outcome.devices.map(\.endpoint)).count == Discovery.devicesMax)
    }

    @Test("Of one answer no more than a bound is read")
    func bounds() { #expect(read(answer(matches: 20)).count == DiscoveredDevice.matchesMax) }

    @Test("Each probe has an identity of its own, which is a UUID of version 4")
    func identity() throws {
        let probes = (0..<50).map { _ in DiscoveryProbe(.transmitter) }
        #expect(Set(probes.map(\.identity)).count == probes.count)
        for probe in probes {
            #expect(
                probe.identity.wholeMatch(
                    of: /urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
            #expect(probe.text.contains("<a:MessageID>\(probe.identity)</a:MessageID>"))
        }
    }
}
