import Testing

@testable import ONVIF
@testable import XML

@Suite("Profiles, and which of them become a camera's streams")
struct ProfileTests {
    private func profiles(_ text: String) throws -> [MediaProfile] {
        MediaProfile.read(try XMLNode.parse(Array("<r>\(text)</r>".utf8), within: SOAPAnswer.bounds))
    }

    /// A profile of version 1.
    private func profile(
        _ token: String, _ size: String, _ encoding: String = "H264", rate: Int = 25, bits: Int = 1_000,
        source: String = "s"
    ) -> String {
        let parts = size.split(separator: "x")
        return """
            <Profiles token="\(token)" fixed="true"><Name>\(token)</Name><VideoSourceConfiguration token="c"><SourceToken>\(source)\
            </SourceToken></VideoSourceConfiguration><VideoEncoderConfiguration token="e"><Encoding>\(encoding)</Encoding><Resolution>\
            <Width>\(parts[0])</Width><Height>\(parts[1])</Height></Resolution><RateControl><FrameRateLimit>\(rate)</FrameRateLimit>\
            <BitrateLimit>\(bits)</BitrateLimit></RateControl></VideoEncoderConfiguration></Profiles>
            """
    }

    @Test("A profile of either version is read")
    func read() throws {
        let first = try #require(try profiles(profile("a&amp;b", "1920x1080", rate: 20, bits: 4_096)).first)
        #expect(first.token == "a&b" && first.videoSource == "s")
        #expect(first.words == "H264 1920x1080, 20 frames/s, 4096 kbit/s")
        let second = try #require(
            try profiles(
                """
                <Profiles token="p"><Name>Main</Name><Configurations><VideoSource><SourceToken>v0</SourceToken></VideoSource>
                <VideoEncoder GovLength="50" Profile="Main"><Encoding>H265</Encoding><Resolution><Width>3840</Width><Height>2160</Height>
                </Resolution><RateControl ConstantBitRate="true"><FrameRateLimit>12.5</FrameRateLimit><BitrateLimit>6144</BitrateLimit>
                </RateControl></VideoEncoder><AudioEncoder/><PTZ/></Configurations></Profiles>
                """
            ).first)
        #expect(second.videoSource == "v0" && second.hasPTZ)
        #expect(second.words == "H265 3840x2160, 12.5 frames/s, 6144 kbit/s, sound")
    }

    @Test("Figures that no picture has are not told, and a profile that cannot be named is none")
    func lies() throws {
        for size in ["0x0", "-1x-1", "99999999999999999999x1", "32769x1", "ax1"] {
            let read = try #require(try profiles(profile("a", size, rate: -5, bits: -5)).first)
            #expect(read.pixels == nil && read.frameRate == nil && read.bitRate == nil)
        }
        for token in ["", String(repeating: "a", count: MediaProfile.tokenMax + 1), "a&#10;b"] {
            #expect(try profiles(profile(token, "1x1")).isEmpty)
        }
        let many = String(repeating: "<Profiles token='a'/>", count: MediaProfile.countMax + 1)
        #expect(try profiles(many).count == MediaProfile.countMax)
    }

    private func chosen(_ text: String...) throws -> [[String?]] {
        StreamChoice.of(try profiles(text.joined())).map { [$0.main.token, $0.sub?.token] }
    }

    @Test("The largest picture is the main stream and the one near 640 by 360 the sub-stream, whatever the order")
    func sizes() throws {
        let four = [
            profile("third", "1280x720"), profile("small", "640x360"), profile("tiny", "176x144"),
            profile("large", "2560x1440"),
        ]
        #expect(try chosen(four[0], four[1], four[2], four[3]) == [["large", "small"]])
        #expect(try chosen(four[3], four[2], four[1], four[0]) == [["large", "small"]])
        #expect(try chosen(four[3], four[0]) == [["large", "third"]])
    }

    @Test(
        "Of pictures of one size the one with more frames, then with more bits, is the main stream; there is no sub-stream then"
    )
    func ties() throws {
        #expect(
            try chosen(profile("slow", "1920x1080", rate: 5), profile("fast", "1920x1080", rate: 30)) == [
                ["fast", nil]
            ])
        #expect(
            try chosen(profile("thin", "1920x1080"), profile("thick", "1920x1080", bits: 8_000)) == [["thick", nil]])
    }

    @Test("JPEG becomes no stream, and H.264 is the sub-stream before H.265")
    func encodings() throws {
        #expect(try chosen(profile("j", "3840x2160", "JPEG")) == [])
        #expect(
            try chosen(
                profile("j", "3840x2160", "JPEG"), profile("m", "1920x1080", "H265"), profile("h5", "640x360", "H265"),
                profile("h4", "640x360", "H264")) == [["m", "h4"]])
    }

    @Test("Each sensor or channel has streams of its own")
    func channels() throws {
        #expect(
            try chosen(
                profile("m1", "1920x1080", source: "1"), profile("m2", "3840x2160", source: "2"),
                profile("s1", "640x480", source: "1"), profile("s2", "704x576", source: "2")) == [
                    ["m1", "s1"], ["m2", "s2"],
                ])
    }
}
