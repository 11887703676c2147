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

    /// A level that is `value` of `least` to `most`, as a device tells it.
    private func level(_ value: String, _ least: String, _ most: String) throws -> PictureLevel? {
        let settings = "<r><ImagingSettings><Contrast>\(value)</Contrast></ImagingSettings></r>"
        let range = "<Contrast><Min>\(least)</Min><Max>\(most)</Max></Contrast>"
        let levels = PictureLevel.read(
            settings: try node(settings), options: try node("<r><ImagingOptions>\(range)</ImagingOptions></r>"))
        #expect(levels.keys.allSatisfy { $0 == .contrast })
        return levels[.contrast]
    }

    @Test(
        "A level of the picture is a share of those that a device has, and agrees with what it was set to",
        arguments: [
            ("0", "100"), ("0", "255"), ("-100", "100"), ("0", "10"), ("1", "5"), ("0", "1"), ("-1.0", "1.0"),
            ("0.5", "7.25"), ("-1000000", "1000000"),
        ])
    func levels(_ least: String, _ most: String) throws {
        let (lowest, highest) = (try #require(Double(least)), try #require(Double(most)))
        let first = try #require(try level(least, least, most))
        #expect(first.share == 0 && first.level(share: 100) == highest && first.level(share: -1) == lowest)
        for share in 0...100 {
            let sent = try node("<r xmlns:tt=\"y\">\(first.element(.contrast, share: share))</r>")
            let said = try #require(try level(sent.text("Contrast") ?? "", least, most))
            #expect(said.agrees(share: share) && (lowest...highest).contains(said.value))
            // What is as fine comes back as it was set, and another share is another one.
            if highest - lowest >= 100 || highest - lowest <= 2 || lowest == 0.5 {
                #expect(said.share == share && !said.agrees(share: share < 50 ? share + 2 : share - 2))
            }
        }
    }

    @Test("What is beyond its range is its end; a range that is none, and a level without one, are left out")
    func strangeLevels() throws {
        #expect(try level("500", "0", "100")?.share == 100)
        #expect(try level("-5", "0", "100")?.share == 0)
        for (value, least, most) in [
            ("5", "", "100"), ("5", "0", ""), ("", "0", "100"), ("5", "9", "1"), ("5", "5", "5"), ("nan", "0", "1"),
            ("5", "nan", "1"), ("5", "-inf", "inf"), ("1e9", "0", "100"), ("5", "0", "1e300"), ("0", "0", "1e-300"),
        ] {
            #expect(try level(value, least, most) == nil, "\(value) of \(least) to \(most)")
        }
        let untold = try node("<r><ImagingSettings><Contrast>5</Contrast></ImagingSettings></r>")
        #expect(PictureLevel.read(settings: untold, options: untold).isEmpty)
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
