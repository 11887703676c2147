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
        let levels = DeviceImaging(
            settings: try node(settings), options: try node("<r><ImagingOptions>\(range)</ImagingOptions></r>")
        ).levels
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
            let sent = try sent(ImagingChange(.contrast, of: first, share: share))
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
            ("inf", "0", "1"), ("5", "0", "nan"), ("5", "-1e400", "1e400"), ("9e999", "0", "1"), ("5", "inf", "-inf"),
        ] {
            #expect(try level(value, least, most) == nil, "\(value) of \(least) to \(most)")
        }
        let untold = try node("<r><ImagingSettings><Contrast>5</Contrast></ImagingSettings></r>")
        #expect(DeviceImaging(settings: untold, options: untold).levels.isEmpty)
    }

    /// What a request has of a change.
    private func sent(_ change: ImagingChange) throws -> XMLNode {
        let request = try node("<r xmlns:t=\"x\" xmlns:tt=\"y\">\(change.element)</r>")
        return try #require(request.child("ImagingSettings"))
    }

    @Test(
        "What is set back is the very number that the device told, also where no share is it, or it lies beyond the range",
        arguments: [
            ("37", "0", "255"), ("37.5", "0", "255"), ("0.1", "0", "1"), ("0.30000001192092896", "0", "1"),
            ("300", "0", "255"), ("-7", "0", "100"), ("1", "0", "1"), ("-999999.75", "-1000000", "1000000"),
            ("1e-5", "0", "1"),
        ])
    func setBack(_ value: String, _ least: String, _ most: String) throws {
        let told = try #require(try level(value, least, most))
        let text = try #require(try sent(ImagingChange(.contrast, backTo: told)).text("Contrast"))
        #expect(Double(text) == Double(value), "\(text)")
        // What devices read as a whole number is written as one.
        if Double(value) == 37 || Double(value) == 300 { #expect(text == value) }
    }

    @Test("Of 0…255 no share is 37: 15 of a hundred is what it is shown as, and what that sets is 38")
    func between() throws {
        let told = try #require(try level("37", "0", "255"))
        #expect(told.share == 15 && told.agrees(share: 15))
        #expect(try sent(ImagingChange(.contrast, of: told, share: told.share)).text("Contrast") == "38")
        #expect(try sent(ImagingChange(.contrast, backTo: told)).text("Contrast") == "37")
    }

    @Test("All of a change is one request, in the standard's order; what it does not name is not in it")
    func together() throws {
        let told = try #require(try level("37", "0", "255"))
        let parts = [PictureLevel.Part.sharpness, .saturation, .brightness, .contrast]
        let all = ImagingChange(
            parts.map { ImagingChange($0, of: told, share: 100) } + [ImagingChange(.auto)]
                + [ImagingChange(.sharpness, backTo: told)])
        let names = try sent(all).children.map(\.name)
        #expect(names == ["Brightness", "ColorSaturation", "Contrast", "IrCutFilter", "Sharpness"])
        #expect(try sent(all).children.map(\.text) == ["255", "255", "255", "AUTO", "37"])
        #expect(try sent(ImagingChange(.on)).children.map(\.name) == ["IrCutFilter"])
    }

    @Test(
        "After a change what the device offers is as it was, and is not read anew; without it night vision is known alone"
    )
    func readAgain() throws {
        func settings(_ contrast: String, _ filter: String) throws -> XMLNode {
            try node(
                "<r><ImagingSettings><Contrast>\(contrast)</Contrast><IrCutFilter>\(filter)</IrCutFilter></ImagingSettings></r>"
            )
        }
        let range = "<Contrast><Min>0</Min><Max>200</Max></Contrast><IrCutFilterModes>ON</IrCutFilterModes>"
        let options = try node("<r><ImagingOptions>\(range)</ImagingOptions></r>")
        let before = DeviceImaging(settings: try settings("50", "ON"), options: options)
        let after = before.with(settings: try settings("100", "AUTO"))
        #expect(before.levels[.contrast]?.share == 25 && before.nightVision == .off)
        #expect(after.levels[.contrast]?.share == 50 && after.nightVision == .auto)
        #expect(after.nightVisionChoices == [.off])
        let plain = DeviceImaging(settings: try settings("50", "OFF"), options: nil)
        #expect(plain.nightVision == .on && plain.levels.isEmpty && plain.nightVisionChoices.isEmpty)
    }

    private func speaker(
        _ level: String, _ token: String = "a", of service: DeviceServices.Kind = .media
    ) throws -> SpeakerConfiguration? {
        SpeakerConfiguration.read(
            try node(
                """
                <r><Configurations token="\(token)"><Name>n</Name><UseCount>1</UseCount><OutputToken>o</OutputToken>\
                <SendPrimacy>p</SendPrimacy><OutputLevel>\(level)</OutputLevel></Configurations></r>
                """), of: service
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

    @Test("The levels of a speaker are kept for the same speaker of the same service alone")
    func sameSpeaker() throws {
        let range = "<r><Options><OutputLevelRange><Min>0</Min><Max>10</Max></OutputLevelRange></Options></r>"
        let told = try #require(try speaker("5")).with(options: try node(range))
        let same = try #require(try speaker("8"))
        #expect(same.with(levelsOf: told)?.volume == 80)
        for other in [try #require(try speaker("8", "b")), try #require(try speaker("8", of: .media2))] {
            #expect(other.with(levelsOf: told) == nil)
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
