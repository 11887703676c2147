import Hashing
import Testing

@testable import ONVIF
@testable import XML

@Suite("What devices of ONVIF answer")
struct ReadingTests {
    private func node(_ text: String) throws -> XMLNode {
        try XMLNode.parse(Array(text.utf8), within: SOAPAnswer.bounds)
    }

    @Test(
        "An address of a service is read",
        arguments: [
            ("http://192.168.1.20/onvif/device_service", "http://192.168.1.20/onvif/device_service"),
            ("HTTP://Cam:80", "http://cam/"), ("https://[FE80::1]:8443/a?b=1", "https://[fe80::1]:8443/a?b=1"),
            ("http://cam?x", "http://cam/?x"),
        ])
    func address(_ text: String, _ expected: String) { #expect(ServiceAddress(text)?.description == expected) }

    @Test(
        "What is no address of a service, or holds a login, is none",
        arguments: [
            "", "cam", "ftp://cam/", "http://", "http:///x", "http://a:b@cam/", "http://@cam/", "http://cam:0/",
            "http://cam:65536/",
            "http://cam:+80/", "http://cam:8 0/", "http://cam/a b", "http://cam/#x", "http://[::1/", "http://[cam]/",
            "http://ä/",
            "http://cam\r\nX: y/", "http://cam:80:80/", "http://" + String(repeating: "a", count: 256) + "/",
            "http://cam/" + String(repeating: "a", count: ServiceAddress.bytesMax),
        ])
    func noAddress(_ text: String) { #expect(ServiceAddress(text) == nil) }

    @Test(
        "A service is asked on the host that was dialled, and never with less than TLS (H9)",
        arguments: [
            ("http://cam/d", "http://cam:8080/m", "http://cam:8080/m"),
            ("http://cam/d", "https://cam/m", "https://cam/m"),
            ("http://cam:81/d", "http://10.0.0.9:8080/m", "http://cam:81/m"),
            ("https://cam/d", "http://cam/m", "https://cam/m"), ("https://cam/d", "http://evil/m", "https://cam/m"),
        ])
    func service(_ device: String, _ named: String, _ asked: String) throws {
        let (device, named) = (try #require(ServiceAddress(device)), try #require(ServiceAddress(named)))
        #expect(device.service(named).description == asked)
    }

    @Test(
        "The address of a stream is read on the host that was dialled, without a login (H9)",
        arguments: [
            ("rtsp://cam:554/s?a=1&b=2", "rtsp://cam:554/s?a=1&b=2", nil),
            ("rtsp://admin:secret@cam/s", "rtsp://cam/s", nil), ("rtsp://a:p@ss@cam:8554/s", "rtsp://cam:8554/s", nil),
            ("rtsp://10.0.0.9/s", "rtsp://cam/s", "10.0.0.9"),
        ] as [(String, String, String?)])
    func stream(_ told: String, _ text: String, _ named: String?) throws {
        let answer = try node("<r><MediaUri><Uri>\(XMLNode.escaped(told))</Uri></MediaUri></r>")
        let address = try #require(StreamAddress(answer, schemes: ["rtsp"], dialled: "cam"))
        #expect(address.text == text)
        #expect(address.namedHost == named)
    }

    @Test(
        "What is no address of a stream is none",
        arguments: [
            "", "http://cam/s", "rtsp://", "rtsp://a:b/c@cam/s", "rtsp://cam/\u{1}", "rtsp://cam:x/", "rtsp:// cam/",
        ])
    func noStream(_ told: String) throws {
        let answer = try node("<r><Uri>\(XMLNode.escaped(told))</Uri></r>")
        #expect(StreamAddress(answer, schemes: ["rtsp"], dialled: "cam") == nil)
    }

    @Test("An answer of SOAP is read, and a fault with its codes and its reason in one line")
    func soap() throws {
        let answer = try SOAPAnswer(
            Array("<s:Envelope xmlns:s='x'><s:Header/><s:Body><t:R a='1'><t:V>1</t:V></t:R></s:Body></s:Envelope>".utf8)
        )
        guard case .response(let node) = answer else { throw Unexpected() }
        #expect(node.name == "R" && node.text("V") == "1")
        let refused = try SOAPAnswer(
            Array(
                """
                <s:Envelope xmlns:s="x"><s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>ter:NotAuthorized
                </s:Value></s:Subcode></s:Code><s:Reason><s:Text>No\u{1b}[31m entry</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>
                """.utf8))
        guard case .fault(let fault) = refused else { throw Unexpected() }
        #expect(fault.codes == ["Sender", "NotAuthorized"])
        #expect(fault.words == "NotAuthorized: No [31m entry")
        #expect(fault.isUnauthorized && !fault.isUnsupported)
    }

    private struct Unexpected: Error {}

    @Test(
        "What is no answer of SOAP is refused",
        arguments: [
            "", "<html><body>Login</body></html>", "<Envelope/>", "{}",
            "<!DOCTYPE x [<!ENTITY a 'b'>]><Envelope><Body/></Envelope>",
        ])
    func noSOAP(_ text: String) { #expect(throws: XMLDefect.self) { try SOAPAnswer(Array(text.utf8)) } }

    @Test("The digest of a login is that of WS-Security")
    func token() {
        // The example of ONVIF's Application Programmer's Guide, 6.1.1.3.
        let nonce = Base64.bytes("LKqI6G/AikKCQrN0zqZFlg==") ?? []
        let token = UsernameToken(
            user: "user", password: "userpassword", created: DeviceTime(clamping: 1_284_623_445), nonce: nonce)
        #expect(token.element.contains("<wsu:Created>2010-09-16T07:50:45Z</wsu:Created>"))
        #expect(token.digest == "tuOSpGlFlIXsozq4HFNeeGeFLEI=")
        #expect("\(token)" == "login (hidden)")
        #expect(!token.element.contains("userpassword"))
    }

    @Test(
        "SHA-1 is that of FIPS 180-4",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        ])
    func sha1(_ text: String, _ digest: String) { #expect(Hex.text(SHA1.value(of: Array(text.utf8))) == digest) }

    @Test("The time of a device is read, and what no calendar has is none")
    func time() throws {
        func answer(_ day: String, _ clock: String) throws -> DeviceTime? {
            DeviceTime(
                try node(
                    "<r><SystemDateAndTime><UTCDateTime><Time><Hour>\(clock)</Hour><Minute>59</Minute><Second>58</Second></Time><Date>"
                        + "<Year>2026</Year><Month>2</Month><Day>\(day)</Day></Date></UTCDateTime></SystemDateAndTime></r>"
                ))
        }
        #expect(try answer("28", "23")?.text == "2026-02-28T23:59:58Z")
        for (day, clock) in [("29", "0"), ("1", "24"), ("", "0"), ("99999999999999999999", "0"), ("-1", "0")] {
            #expect(try answer(day, clock) == nil)
        }
        #expect(DeviceTime(clamping: .max).text == "9999-12-31T23:59:59Z")
        #expect(DeviceTime(clamping: .min).text == "1970-01-01T00:00:00Z")
    }

    @Test("Services are found in the answers of both operations")
    func services() throws {
        let new = DeviceServices(
            try node(
                "<r><Service><Namespace>http://www.onvif.org/ver20/media/wsdl</Namespace><XAddr>http://cam/m2</XAddr></Service>"
                    + "<Service><Namespace>urn:other</Namespace><XAddr>http://cam/o</XAddr></Service></r>"))
        #expect(new.addresses.mapValues(\.path) == [.media2: "/m2"])
        let old = DeviceServices(
            try node(
                "<r><Capabilities><Media><XAddr>http://cam/m</XAddr></Media><Events><XAddr>no</XAddr></Events><Extension><DeviceIO>"
                    + "<XAddr>http://cam/io</XAddr></DeviceIO></Extension></Capabilities></r>"))
        #expect(old.addresses.mapValues(\.path) == [.media: "/m", .deviceIO: "/io"])
    }
}
