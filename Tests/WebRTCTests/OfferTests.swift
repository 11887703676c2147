import Testing

@testable import WebRTC

@Suite struct OfferTests {
    @Test("a format of the stream's own profile is taken, else the first one in fragments")
    func formats() throws {
        let offer = try SessionOffer(Samples.offer())
        #expect(try NegotiatedMedia(offer, SentMedia(.h264(profile: 0x42))).video.choices[0].format.payloadType == 102)
        #expect(try NegotiatedMedia(offer, SentMedia(.h264(profile: 0x4D))).video.choices[0].format.payloadType == 103)
        #expect(try NegotiatedMedia(offer, SentMedia(.h264(profile: 0x64))).video.choices[0].format.payloadType == 102)
        let single = try SessionOffer(Samples.offer(format: "packetization-mode=0;profile-level-id=42e01f"))
        #expect(try NegotiatedMedia(single, SentMedia(.h264(profile: 0x42))).video.choices[0].format.payloadType == 103)
    }

    @Test(
        "H.265 is sent in a format of its profile, at the best of its level, and H.264 stands beside it in the answer")
    func late() throws {
        func late(_ profile: UInt8 = 1, high: Bool = false, level: UInt8 = 93) -> SentMedia {
            SentMedia(.h265(profile: profile, isHighTier: high, level: level))
        }
        func choices(_ sent: SentMedia, _ text: String = Samples.lateOffer()) throws -> [UInt8] {
            try NegotiatedMedia(try SessionOffer(text), sent).video.choices.map(\.format.payloadType)
        }
        #expect(try choices(late()) == [49, 102] && choices(late(2)) == [50, 102])
        #expect(try choices(SentMedia(.h264(profile: 0x42))) == [102, 49] && choices(SentMedia(nil)) == [102, 49])
        // A level that is stated too high is no reason.
        #expect(try choices(late(level: 153), Samples.lateOffer(level: "93")) == [49, 102])
        let two = Samples.lateOffer(level: "93").replacing(
            "level-id=93;profile-id=2", with: "level-id=153;profile-id=1")
        #expect(try choices(late(level: 153), two) == [50, 102] && choices(late(), two) == [49, 102])
        // What is not said is Main, the main tier, one stream.
        let bare = Samples.lateOffer().replacing("a=fmtp:49", with: "a=x:49")
        #expect(try choices(late(), bare) == [49, 102])
        for (sent, text) in [
            (late(4), Samples.lateOffer()), (late(high: true), Samples.lateOffer()),
            (late(), Samples.lateOffer(mode: "MRST")), (late(), Samples.offer()),
        ] {
            let fault = #expect(throws: OfferFault.self) { try choices(sent, text) }
            #expect(fault?.why.hasPrefix("it takes no video in H.265 of profile ") == true)
        }
        let only = Samples.lateOffer().replacing("H264/90000", with: "VP9/90000")
        #expect(try choices(late(), only) == [49] && SessionOffer(only).takes(.opus))
        let answer = try Self.answer(Samples.lateOffer(), late())
        #expect(answer.contains("m=video 8189 UDP/TLS/RTP/SAVPF 49 102\r\n"))
        #expect(answer.contains("a=fmtp:49 level-id=180;profile-id=1;tier-flag=0;tx-mode=SRST\r\n"))
        #expect(answer.contains("a=rtcp-fb:49 nack pli\r\n") && answer.contains("a=rtcp-fb:102 ccm fir\r\n"))
    }

    @Test("G.711 and Opus are sent where they are offered")
    func sound() throws {
        let offer = try SessionOffer(Samples.offer())
        #expect(offer.takes(.pcmu) && offer.takes(.pcma))
        let media = try NegotiatedMedia(offer, SentMedia(.h264(profile: 0x42), sound: .pcma))
        #expect(media.sound?.medium == 1 && media.sound?.format.payloadType == 8)
        #expect(try NegotiatedMedia(offer, SentMedia(.h264(profile: 0x42))).sound == nil)
        let without = try SessionOffer(Samples.offer().replacing("9 0 8\r\n", with: "9\r\n"))
        #expect(!without.takes(.pcmu) && !without.takes(.pcma) && without.takes(.opus))
        let opus = try NegotiatedMedia(offer, SentMedia(.h264(profile: 0x42), sound: .opus))
        #expect(opus.sound?.medium == 1 && opus.sound?.format.payloadType == 111)
        // Opus has two channels in an offer, whatever comes (RFC 7587, 7).
        for other in ["opus/48000", "opus/16000/2", "opus/48000/1"] {
            #expect(try !SessionOffer(Samples.offer().replacing("opus/48000/2", with: other)).takes(.opus))
        }
    }

    @Test("an answer says that Opus of two channels is sent, and apart from that what is taken of the viewer's")
    func opus() throws {
        let mono = try Self.answer(Samples.offer(), SentMedia(.h264(profile: 0x42), sound: .opus))
        #expect(
            mono.contains("m=audio 8189 UDP/TLS/RTP/SAVPF 111\r\n") && mono.contains("a=rtpmap:111 opus/48000/2\r\n"))
        #expect(mono.contains("a=ssrc:8 cname:front") && !mono.contains("stereo"))
        let two = SentMedia(.h264(profile: 0x42), sound: .opus, isStereo: true, hears: true)
        let stereo = try Self.answer(Samples.offer(), two)
        #expect(stereo.contains("a=fmtp:111 minptime=10;useinbandfec=1;sprop-stereo=1\r\n"))
        let both = Samples.offer().replacing("a=mid:1\r\na=recvonly", with: "a=mid:1\r\na=sendrecv")
        let heard = try Self.answer(both, two)
        #expect(heard.contains("m=audio 8189 UDP/TLS/RTP/SAVPF 111 0 8\r\n"))
        #expect(heard.contains("a=fmtp:111 minptime=10;stereo=0;useinbandfec=0;sprop-stereo=1\r\n"))
        #expect(heard.split(separator: "sprop-stereo").count == 2)
    }

    @Test("sound of the viewer is taken where it is sent and this end hears: Opus first, and what is sent beside it")
    func heard() throws {
        let both = Samples.offer().replacing("a=mid:1\r\na=recvonly", with: "a=mid:1\r\na=sendrecv")
        let only = Samples.offer().replacing("a=mid:1\r\na=recvonly", with: "a=mid:1\r\na=sendonly")
        #expect(try !SessionOffer(Samples.offer()).speaks)
        #expect(try SessionOffer(both).speaks && SessionOffer(only).speaks)
        let media = try NegotiatedMedia(SessionOffer(both), SentMedia(.h264(profile: 0x42), sound: .pcma, hears: true))
        #expect(media.heard?.medium == 1 && media.heard?.formats.map(\.payloadType) == [111, 0, 8])
        #expect(media.heard?.codings == [111: .opus, 0: .pcmu, 8: .pcma])
        #expect(try NegotiatedMedia(SessionOffer(both), SentMedia(.h264(profile: 0x42))).heard == nil)
        let answered = try Self.answer(both, SentMedia(.h264(profile: 0x42), sound: .pcma, hears: true))
        #expect(answered.contains("m=audio 8189 UDP/TLS/RTP/SAVPF 111 0 8\r\n") && answered.contains("a=sendrecv\r\n"))
        #expect(answered.contains("a=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;stereo=0;useinbandfec=0\r\n"))
        // Sound that this end has and the viewer does not take is not sent.
        let heard = try Self.answer(only, SentMedia(.h264(profile: 0x42), sound: .pcma, hears: true))
        #expect(heard.contains("a=recvonly\r\n") && !heard.contains("a=msid:front audio"))
        #expect(try Self.answer(only, SentMedia(.h264(profile: 0x42), sound: .pcma)).contains("a=inactive\r\n"))
        let unknown = only.replacing("opus/48000", with: "x/48000").replacing("PCM", with: "y").replacing(
            "9 0 8", with: "9")
        #expect(try !SessionOffer(unknown).speaks)
    }

    @Test("a packet of what a viewer says is read within its bounds")
    func packets() throws {
        func read(_ head: [UInt8], _ rest: [UInt8]) -> [UInt8]? {
            let bytes = head + [0, 7, 0, 0, 1, 0, 0, 0, 0, 9] + rest
            return bytes.withUnsafeBytes { HeardPacket($0, [111: .opus]).map { Array($0.payload) } }
        }
        #expect(read([0x80, 111], [1, 2, 3]) == [1, 2, 3])
        #expect(read([0x80, 239], [1]) == [1])
        #expect(read([0x80, 0], [1]) == nil && read([0x40, 111], [1]) == nil && read([0x80, 111], []) == nil)
        #expect(read([0x82, 111], [0, 0, 0, 0, 0, 0, 0, 0, 5]) == [5] && read([0x82, 111], [0, 0, 0, 0, 0]) == nil)
        #expect(read([0x90, 111], [0xBE, 0xDE, 0, 1, 0, 0, 0, 0, 5]) == [5])
        #expect(read([0x90, 111], [0xBE, 0xDE, 0xFF, 0xFF, 5]) == nil && read([0x90, 111], [0, 0, 0]) == nil)
        #expect(read([0xA0, 111], [5, 0, 2]) == [5] && read([0xA0, 111], [5, 200]) == nil)
        #expect(read([0xA0, 111], [5, 6, 0]) == [5, 6, 0])
    }

    @Test(
        "an offer that cannot be answered is refused with the reason",
        arguments: [
            (("m=video", "m=text"), "it takes no video: it has no medium m=video that is recvonly or sendrecv"),
            (("a=recvonly", "a=sendonly"), "it takes no video: it has no medium m=video that is recvonly or sendrecv"),
            (("H264", "H265"), "it takes no video in H.264 with packetization-mode=1"),
            (("a=rtcp-mux", "a=x"), "RTP and RTCP do not share a port (a=rtcp-mux)"),
            (("UDP/TLS/RTP/SAVPF", "RTP/AVP"), "its video is not protected: the protocol is not UDP/TLS/RTP/SAVPF"),
            (("actpass", "passive"), "it waits for the handshake (a=setup:passive), and so does this end"),
            (("a=ice-ufrag", "a=x"), "it has no a=ice-ufrag and a=ice-pwd"),
            (("sha-256", "sha-1"), "it has no a=fingerprint of SHA-256 or better"),
        ])
    func refusals(_ change: (String, String), _ why: String) throws {
        let offer = try SessionOffer(Samples.offer().replacing(change.0, with: change.1))
        let fault = #expect(throws: OfferFault.self) { try NegotiatedMedia(offer, SentMedia(.h264(profile: 0x42))) }
        #expect(fault?.why == why)
    }

    @Test(
        "what is no session description is refused",
        arguments: [
            "", "v=0", "x", "o=- 1 1 IN IP4 0.0.0.0\r\nm=video 9 x 1", "v=0\r\nm=video", "v=0\r\nm=video 9 RTP/SAVPF",
            "v=0\r\nm=video 9 RTP/SAVPF \u{E9}", "v=0\r\nnothing", String(repeating: "v=0\r\n", count: 20_000),
            "v=0\r\n" + String(repeating: "m=video 9 RTP/SAVPF 1\r\n", count: 17), "v=0\r\nm=a/b 9 RTP/SAVPF 1",
        ])
    func malformed(_ text: String) throws {
        let fault = #expect(throws: OfferFault.self) { try SessionOffer(text) }
        guard case .malformed? = fault else { throw fault ?? .unsupported("nothing was thrown") }
    }

    @Test(
        "the answer is that of an end which only answers checks, with the candidates in the first medium",
        arguments: [false, true])
    func answer(_ audioFirst: Bool) throws {
        let text = try Self.answer(Samples.offer(audioFirst: audioFirst), SentMedia(.h264(profile: 0x42), sound: .pcmu))
        let head = """
            v=0
            o=- 3 1 IN IP4 127.0.0.1
            s=-
            t=0 0
            a=ice-lite
            a=group:BUNDLE \(audioFirst ? "1 0" : "0 1")
            a=msid-semantic: WMS *
            """
        let transport = """
            a=sendonly
            a=rtcp-mux
            a=rtcp-rsize
            a=ice-ufrag:abcdefgh
            a=ice-pwd:0123456789abcdefghijklmn
            a=fingerprint:sha-256 AB:CD
            a=setup:passive
            """
        let candidates = """
            a=candidate:1 1 udp 2130706431 192.0.2.7 8189 typ host
            a=candidate:2 1 udp 2130706175 2001:db8::7 8189 typ host
            a=end-of-candidates
            """
        let video = """
            m=video 8189 UDP/TLS/RTP/SAVPF 102
            c=IN IP4 192.0.2.7
            a=mid:0
            \(transport)
            a=rtpmap:102 H264/90000
            a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f
            a=rtcp-fb:102 nack
            a=rtcp-fb:102 nack pli
            a=rtcp-fb:102 ccm fir
            a=msid:front video
            a=ssrc:7 cname:front
            a=ssrc:7 msid:front video
            """
        let audio = """
            m=audio 8189 UDP/TLS/RTP/SAVPF 0
            c=IN IP4 192.0.2.7
            a=mid:1
            \(transport)
            a=rtpmap:0 PCMU/8000
            a=msid:front audio
            a=ssrc:8 cname:front
            a=ssrc:8 msid:front audio
            """
        let expected = [head, audioFirst ? audio : video, candidates, audioFirst ? video : audio, ""]
        #expect(text == expected.joined(separator: "\n").replacing("\n", with: "\r\n"))
    }

    @Test("a medium that is not served is answered all the same")
    func notServed() throws {
        let more = "m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:2\r\n"
        let text = try Self.answer(Samples.offer() + more, SentMedia(.h264(profile: 0x42)))
        #expect(text.contains("m=audio 8189 UDP/TLS/RTP/SAVPF 111\r\n") && text.contains("a=inactive"))
        #expect(text.contains("m=application 0 UDP/DTLS/SCTP webrtc-datachannel\r\n"))
        #expect(text.contains("a=group:BUNDLE 0 1\r\n"))
    }

    @Test("a medium whose port is 0 is refused by its sender, unless it goes over the port of another one")
    func noPort() throws {
        let refused = Samples.offer().replacing("m=video 9 ", with: "m=video 0 ")
        #expect(throws: OfferFault.self) { try Self.answer(refused, SentMedia(.h264(profile: 0x42))) }
        let bundled = Samples.offer().replacing("a=rtcp-mux", with: "a=rtcp-mux\r\na=bundle-only")
            .replacing("m=video 9 ", with: "m=video 0 ")
        #expect(try Self.answer(bundled, SentMedia(.h264(profile: 0x42))).contains("m=video 8189 "))
    }

    @Test("what an offer says of its formats is kept only as far as it is short")
    func longWords() throws {
        let long = String(repeating: "x", count: 60_000)
        for line in ["rtcp-fb:* \(long)", "rtpmap:96 \(long)/90000", "fmtp:96 \(long)"] {
            for format in try SessionOffer(Samples.offer() + "a=\(line)\r\n").media.flatMap(\.described) {
                #expect(format.name.utf8.count <= 32 && format.parameters.utf8.count <= 512)
                #expect(format.feedback.allSatisfy { $0.utf8.count <= 32 } && format.feedback.count <= 16)
            }
        }
    }

    @Test("a fingerprint is that of a hash that proves something")
    func fingerprints() {
        #expect(Fingerprint("SHA-256 " + Samples.fingerprint[...])?.sum.count == 32)
        #expect(Fingerprint("sha-256 " + Samples.fingerprint.dropLast(3)) == nil)
        #expect(Fingerprint("sha-512 " + Samples.fingerprint[...]) == nil)
        #expect(Fingerprint("md5 00:11") == nil && Fingerprint("") == nil)
        #expect(Fingerprint(.sha256, [0, 0x0F, 0xF0]).text == "sha-256 00:0F:F0")
    }

    private static func answer(_ offer: String, _ sent: SentMedia) throws -> String {
        let offer = try SessionOffer(offer)
        return SessionAnswer(
            offer: offer, media: try NegotiatedMedia(offer, sent),
            local: SessionAnswer.Local(
                user: "abcdefgh", password: "0123456789abcdefghijklmn",
                fingerprint: Fingerprint(.sha256, [0xAB, 0xCD]),
                addresses: ["192.0.2.7", "2001:db8::7"], port: 8_189, videoSource: 7, soundSource: 8, name: "front",
                session: 7)
        ).text
    }
}
