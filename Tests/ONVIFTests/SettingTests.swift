import Testing

@testable import ONVIF
@testable import XML

@Suite("What can be set of a camera itself")
struct SettingTests {
    private func node(_ text: String) throws -> XMLNode {
        try XMLNode.parse(Array(text.utf8), within: SOAPAnswer.bounds)
    }

    @Test(
        "Night is a filter against infrared light that is away",
        arguments: [("ON", NightVision.off), ("OFF", .on), ("AUTO", .auto), (" OFF\n", .on), ("on", nil), ("", nil)])
    func night(_ word: String, _ night: NightVision?) throws {
        let answer = try node("<r><ImagingSettings><IrCutFilter>\(word)</IrCutFilter></ImagingSettings></r>")
        #expect(NightVision(settings: answer) == night)
        if let night { #expect(night.filter == word.trimmed) }
    }

    @Test("What a device offers of it is read; words of its own are left out")
    func choices() throws {
        let modes = ["ON", "OFF", "DUSK", "OFF"].map { "<IrCutFilterModes>\($0)</IrCutFilterModes>" }.joined()
        #expect(NightVision.choices(try node("<r><ImagingOptions>\(modes)</ImagingOptions></r>")) == [.on, .off])
        #expect(NightVision.choices(try node("<r><ImagingOptions/></r>")).isEmpty)
        #expect(NightVision(settings: try node("<r><ImagingSettings/></r>")) == nil)
    }

    private func speaker(_ level: String, _ token: String = "a") throws -> SpeakerConfiguration? {
        SpeakerConfiguration.read(
            try node(
                """
                <r><Configurations token="\(token)"><Name>n</Name><UseCount>1</UseCount><OutputToken>o</OutputToken>\
                <SendPrimacy>p</SendPrimacy><OutputLevel>\(level)</OutputLevel></Configurations></r>
                """)
        ).first
    }

    @Test("A volume is a part of the levels that a speaker has, and comes back as it was set where it has as many")
    func volume() throws {
        let plain = try #require(try speaker("50"))
        #expect(plain.volume == 50 && (0...100).allSatisfy { plain.level(volume: $0) == $0 })
        for (least, most) in [(0, 10), (1, 16), (0, 255), (5, 6), (0, 1_000_000)] {
            let bounds = "<Min>\(least)</Min><Max>\(most)</Max>"
            let range = "<r><Options><OutputLevelRange>\(bounds)</OutputLevelRange></Options></r>"
            for volume in 0...100 {
                let level = plain.with(options: try node(range)).level(volume: volume)
                #expect((least...most).contains(level))
                let back = try #require(try speaker("\(level)")).with(options: try node(range)).volume
                #expect((0...100).contains(back))
                if most - least >= 100 { #expect(back == volume) }
            }
            let ends = plain.with(options: try node(range))
            #expect(ends.level(volume: 0) == least && ends.level(volume: 100) == most)
            #expect(ends.level(volume: -5) == least && ends.level(volume: 500) == most)
        }
    }

    @Test("Levels that no speaker has, and ranges that are none, are not taken")
    func strange() throws {
        for level in ["", "-1", "1e3", "99999999999999999999", "1000001", "loud"] { #expect(try speaker(level) == nil) }
        #expect(try speaker("5", "") == nil)
        let plain = try #require(try speaker("1000000"))
        #expect(plain.volume == 100)
        for range in ["<Min>5</Min><Max>5</Max>", "<Min>9</Min><Max>1</Max>", "<Min>0</Min>", "<Max>9</Max>"] {
            let answer = try node("<r><Options><OutputLevelRange>\(range)</OutputLevelRange></Options></r>")
            #expect(plain.with(options: answer).levels == 0...100)
        }
    }

    @Test("What is sent back is the configuration with another level, escaped")
    func element() throws {
        let speaker = try #require(try speaker("5", "a &amp; &lt;b&gt;"))
        let sent = try node("<r xmlns:t=\"x\" xmlns:tt=\"y\">\(speaker.element(level: 7))</r>")
        let configuration = try #require(sent.child("Configuration"))
        #expect(configuration.attributes["token"] == "a & <b>")
        #expect(
            configuration.children.map(\.name) == ["Name", "UseCount", "OutputToken", "SendPrimacy", "OutputLevel"])
        #expect(configuration.text("OutputLevel") == "7" && configuration.text("OutputToken") == "o")
    }
}
