import Testing

@testable import Media

@Suite("RTSP texts")
struct RTSPTextTests {
    @Test("addresses are taken apart; a credential in one is refused")
    func addresses() throws {
        let plain = try RTSPAddress("rtsp://cam.lan/Streaming/101?x=1")
        #expect(plain.host == "cam.lan" && plain.port == 554 && !plain.isSecure)
        let six = try RTSPAddress("RTSPS://[fe80::1]:8322/a")
        #expect(six.host == "fe80::1" && six.port == 8322 && six.isSecure)
        #expect(throws: RTSPAddress.Refusal.credential) { try RTSPAddress("rtsp://admin:x@cam/1") }
        #expect(throws: RTSPAddress.Refusal.scheme) { try RTSPAddress("http://cam/1") }
        #expect(throws: RTSPAddress.Refusal.host) { try RTSPAddress("rtsp://cam:70000/1") }
        #expect(throws: RTSPAddress.Refusal.host) { try RTSPAddress("rtsp:///1") }
        #expect(throws: RTSPAddress.Refusal.characters) { try RTSPAddress("rtsp://cam/a\r\nb") }
    }

    @Test("a credential shows nowhere")
    func credential() {
        let credential = CameraCredential(user: "admin", password: "hunter2")
        var dumped = ""
        dump(credential, to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), dumped] {
            #expect(!text.contains("hunter2") && !text.contains("admin"))
        }
    }

    @Test("digest answers are those of RFC 7616, 3.9.1 and RFC 2617, 3.5")
    func digest() throws {
        var login = CameraLogin(
            credential: CameraCredential(user: "Mufasa", password: "Circle Of Life"), isSecure: false)
        #expect(login.authorization(method: "GET", uri: "/") == nil)
        // Without qop, so that no client nonce enters: the value follows from RFC 2617, 3.2.2.1.
        let isTaken = login.challenged([
            "Basic realm=\"x\"", "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\"",
        ])
        #expect(isTaken)
        let field = login.authorization(method: "GET", uri: "/dir/index.html")
        #expect(field?.contains("response=\"670fd8c2df070c60b045671b8b24ff02\"") == true)
        #expect(field?.contains("username=\"Mufasa\"") == true)
    }

    @Test("basic is used only where nothing better is offered")
    func basic() {
        var login = CameraLogin(credential: CameraCredential(user: "Aladdin", password: "open sesame"), isSecure: true)
        let isTaken = login.challenged(["Basic realm=\"WallyWorld\""])
        #expect(isTaken)
        #expect(login.authorization(method: "PLAY", uri: "x") == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let isUnknown = login.challenged(["Negotiate", "Digest realm=\"a\", nonce=\"b\", algorithm=MD9"])
        #expect(!isUnknown)
    }

    @Test("a user name cannot end its field or its line")
    func injection() {
        var login = CameraLogin(credential: CameraCredential(user: "a\"\r\nX: y", password: ""), isSecure: false)
        _ = login.challenged(["Digest realm=\"r\", nonce=\"n\""])
        let field = login.authorization(method: "PLAY", uri: "x") ?? ""
        #expect(!field.contains("\r") && field.contains("username=\"a\\\"X: y\""))
    }

    @Test("messages are read with either line end, and with blanks where they do not belong")
    func messages() {
        let text =
            "RTSP/1.0 401 Unauthorized\r\nCSeq : 2\r\nWWW-Authenticate: Basic realm=\"a\"\r\nwww-authenticate:  Digest x\r\n"
        let message = RTSPMessage(head: text.utf8)
        #expect(message?.status == 401 && message?.first("cseq") == "2")
        #expect(message?.all("www-authenticate") == ["Basic realm=\"a\"", "Digest x"])
        #expect(RTSPMessage(head: "OPTIONS * RTSP/1.0\nCSeq: 1".utf8)?.status == nil)
        #expect(RTSPMessage(head: "HTTP/1.1 200 OK".utf8) == nil)
        #expect(RTSPMessage(head: "RTSP/1.0 2000 OK".utf8) == nil)
    }

    @Test("a description says what there is and where")
    func description() throws {
        let sdp = SDP(
            """
            v=0
            a=control:*
            m=video 0 RTP/AVP 96
            a=rtpmap:96 H264/90000
            a=fmtp:96 packetization-mode=1; sprop-parameter-sets=Z0LAHtkAoEf+iA==,aM44gA==
            a=control:trackID=1
            m=application 0 RTP/AVP 107
            a=rtpmap:107 vnd.onvif.metadata/90000
            a=control:trackID=3
            m=audio 0 RTP/AVP 0
            a=control:rtsp://cam/audio
            m=audio 0 RTP/AVP 97
            a=rtpmap:97 mpeg4-generic/16000/1
            a=fmtp:97 mode=AAC-hbr;config=1408;sizeLength=13;indexLength=3;indexDeltaLength=3
            """, mediaMax: 8)
        try #require(sdp.media.count == 3)
        #expect(sdp.control == "*")
        #expect(sdp.media[0].encoding == "H264" && sdp.media[0].control == "trackID=1")
        #expect(sdp.media[0].parameterSets.map(\.count) == [10, 4])
        #expect(sdp.media[1].encoding == "PCMU" && sdp.media[1].clockRate == 8_000)
        guard case .video(.h264, let sets, _) = try RTSPTrackPlan.plan(sdp.media[0]) else {
            Issue.record("H.264 is video")
            return
        }
        #expect(sets.configuration?.reorderDepth == 0)
        let aac = try RTSPTrackPlan.plan(sdp.media[2]).parameters
        #expect(aac?.sampleRate == 16_000 && aac?.channels == 1 && aac?.codecConfiguration == [0x14, 0x08])
        #expect(try RTSPTrackPlan.plan(sdp.media[1]).parameters?.codec == .aac)
        #expect(SDP("m=video 0 RTP/AVP 96\nm=video\nm=audio 0 RTP/AVP 300\na=x", mediaMax: 8).media.count == 1)
        #expect(throws: RTSPTrackPlan.Unsupported.self) {
            try RTSPTrackPlan.plan(SDP("m=video 0 RTP/AVP 26", mediaMax: 8).media[0])
        }
    }

    @Test(
        "media are set up where cameras expect it",
        arguments: [
            ("trackID=1", "rtsp://c/live/", "rtsp://c/live/trackID=1"),
            ("trackID=1", "rtsp://c/live", "rtsp://c/live/trackID=1"),
            ("/t", "rtsp://c/live/", "rtsp://c/live/t"), ("rtsp://d/x", "rtsp://c/", "rtsp://d/x"),
            ("*", "rtsp://c/live", "rtsp://c/live"), ("t", "rtsp://c/live?ch=1", "rtsp://c/live?ch=1/t"),
        ])
    func control(control: String, base: String, result: String) throws {
        let request = try RTSPAddress("rtsp://c/live")
        #expect(ControlAddress.resolve(control, base: base, request: request) == result)
    }

    @Test(
        "a base that is no whole address is mended, and holds no login (H3)",
        arguments: [
            ("rtsp://rtsp://c/live/", "rtsp://c/live/"), ("rtsp://c/live/rtsp://c/live/", "rtsp://c/live/"),
            ("c/live/", "rtsp://c/live/"), ("10.0.0.4:554/live/", "rtsp://10.0.0.4:554/live/"),
            ("/live/", "rtsp://c:8554/live/"), ("", "rtsp://c:8554/a?b=1"), ("rtsp:///", "rtsp://c:8554/a?b=1"),
            ("rtsp://fe80::1:554/live/", "rtsp://c:8554/live/"), ("rtsp://u:p@d/live/", "rtsp://d/live/"),
            ("RTSP://[fe80::1]:554/x", "RTSP://[fe80::1]:554/x"), ("live/", "rtsp://c:8554/a?b=1"),
            ("rtsp://c/a b\r\nX", "rtsp://c/a%20b%0D%0AX"), ("rtsp://c:99999/x", "rtsp://c:8554/x"),
            ("rtsp://c/?url=rtsp://d/", "rtsp://c/?url=rtsp://d/"),
            (String(repeating: "rtsp://", count: 9_000), "rtsp://c:8554/a?b=1"),
        ])
    func base(told: String, result: String) throws {
        let request = try RTSPAddress("rtsp://c:8554/a?b=1")
        let bases = ControlAddress.bases(told: [told], control: "*", request: request)
        #expect(bases == ControlAddress.Bases(media: result, stream: result))
    }

    @Test(
        "Base64 is read as cameras write it",
        arguments: ["Z0LAHg==", "Z0LAHg", "Z0LAHg=", " Z0LA Hg== ", "Z0LA=Hg", "Z0LAHg==="])
    func base64(text: String) {
        #expect(SDP.Media.bytes(text) == [0x67, 0x42, 0xC0, 0x1E])
        #expect(SDP.Media.bytes("*" + text) == nil && SDP.Media.bytes("Z0LA" + "A") == [0x67, 0x42, 0xC0])
    }
}
