/// Bytes and texts that others have made.
enum Samples {
    /// RFC 5769, 2.1: a request, signed with `password`.
    static let request = bytes(
        """
        00010058 2112a442 b7e7a701 bc34d686 fa87dfae 80220010 5354554e 20746573 7420636c 69656e74 00240004 6e0001ff
        80290008 932ff9b1 51263b36 00060009 6576746a 3a683676 59202020 00080014 9aeaa70c bfd8cb56 781ef2b5 b2d3f249
        c1b571a2 80280004 e57a3bcf
        """)
    /// RFC 5769, 2.2: its answer over IPv4.
    static let answerOverFour = bytes(
        """
        0101003c 2112a442 b7e7a701 bc34d686 fa87dfae 8022000b 74657374 20766563 746f7220 00200008 0001a147 e112a643
        00080014 2b91f599 fd9e90c3 8c7489f9 2af9ba53 f06be7d7 80280004 c07d4c96
        """)
    /// RFC 5769, 2.3: its answer over IPv6.
    static let answerOverSix = bytes(
        """
        01010048 2112a442 b7e7a701 bc34d686 fa87dfae 8022000b 74657374 20766563 746f7220 00200014 0002a147 0113a9fa
        a5d3f179 bc25f4b5 bed2b9d9 00080014 a382954e 4be67bf1 1784c97c 8292c275 bfe3ed41 80280004 c8fb0b4c
        """)
    /// RFC 5769, 2: the password.
    static let password = Array("VOkJxbRl1RmTxUk/WvJxBt".utf8)

    /// Bytes of their hexadecimal digits.
    static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.filter(\.isHexDigit))
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
    }

    /// The fingerprint that the offers name.
    static let fingerprint = (0..<32).map { "A\($0 % 10)" }.joined(separator: ":")

    /// The same with H.265 of two profiles beside H.264, as chromium offers it where the machine decodes it.
    static func lateOffer(level: String = "180", mode: String = "SRST") -> String {
        offer(video: "96 97 102 103 49 50").replacing(
            "a=rtpmap:102 ",
            with: """
                a=rtpmap:49 H265/90000\r
                a=rtcp-fb:49 nack\r
                a=rtcp-fb:49 nack pli\r
                a=fmtp:49 level-id=\(level);profile-id=1;tier-flag=0;tx-mode=\(mode)\r
                a=rtpmap:50 H265/90000\r
                a=fmtp:50 level-id=\(level);profile-id=2;tier-flag=0;tx-mode=\(mode)\r
                a=rtpmap:102\u{20}
                """)
    }

    /// What chromium offers for a picture and sound, shortened by codecs.
    static func offer(
        video: String = "96 97 102 103", format: String = "packetization-mode=1;profile-level-id=42e01f",
        setup: String = "actpass", audioFirst: Bool = false
    ) -> String {
        let transport = """
            a=ice-ufrag:J4tX
            a=ice-pwd:lXvDqAkVt9lhYDf0P7eJr3oP
            a=ice-options:trickle
            a=fingerprint:sha-256 \(fingerprint)
            a=setup:\(setup)
            """
        let picture = """
            m=video 9 UDP/TLS/RTP/SAVPF \(video)
            c=IN IP4 0.0.0.0
            a=rtcp:9 IN IP4 0.0.0.0
            \(transport)
            a=mid:0
            a=extmap:1 urn:ietf:params:rtp-hdrext:toffset
            a=recvonly
            a=rtcp-mux
            a=rtcp-rsize
            a=rtpmap:96 VP8/90000
            a=rtcp-fb:96 nack pli
            a=rtpmap:97 rtx/90000
            a=fmtp:97 apt=96
            a=rtpmap:102 H264/90000
            a=rtcp-fb:102 ccm fir
            a=rtcp-fb:102 nack
            a=rtcp-fb:102 nack pli
            a=fmtp:102 level-asymmetry-allowed=1;\(format)
            a=rtpmap:103 H264/90000
            a=fmtp:103 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=4d001f
            """
        let sound = """
            m=audio 9 UDP/TLS/RTP/SAVPF 111 9 0 8
            c=IN IP4 0.0.0.0
            \(transport)
            a=mid:1
            a=recvonly
            a=rtcp-mux
            a=rtpmap:111 opus/48000/2
            a=fmtp:111 minptime=10;useinbandfec=1
            a=rtpmap:9 G722/8000
            a=rtpmap:0 PCMU/8000
            a=rtpmap:8 PCMA/8000
            """
        return """
            v=0
            o=- 4611731400430051336 2 IN IP4 127.0.0.1
            s=-
            t=0 0
            a=group:BUNDLE \(audioFirst ? "1 0" : "0 1")
            a=msid-semantic: WMS
            \(audioFirst ? sound : picture)
            \(audioFirst ? picture : sound)

            """.replacing("\n", with: "\r\n")
    }
}
