internal import ArgumentParser
internal import Machines
internal import Server
internal import Testing

@testable import vigil

@Suite("Words on the command line")
struct WordTests {
    /// 2026-11-21 12:30:15 in Rome.
    private let rome = DisplayClock(zone: "Europe/Rome", now: WallTime(ms: 1_795_260_615_000))

    @Test(
        "times are read in the site's zone",
        arguments: [
            ("now", "2026-11-21T11:30:15.000Z"), ("-10m", "2026-11-21T11:20:15.000Z"),
            ("-1h30m", "2026-11-21T10:00:15.000Z"),
            ("10:00", "2026-11-21T09:00:00.000Z"), ("10:00:07", "2026-11-21T09:00:07.000Z"),
            ("today 10:00", "2026-11-21T09:00:00.000Z"), ("yesterday 10:00", "2026-11-20T09:00:00.000Z"),
            ("yesterday", "2026-11-19T23:00:00.000Z"), ("2026-11-21", "2026-11-20T23:00:00.000Z"),
            ("2026-11-21 10:00", "2026-11-21T09:00:00.000Z"), ("2026-11-21T10:00", "2026-11-21T09:00:00.000Z"),
            ("2026-07-01 10:00", "2026-07-01T08:00:00.000Z"), ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00.000Z"),
            ("2026-11-21T10:00:00.250+02:00", "2026-11-21T08:00:00.250Z"),
            // The clocks go forward over 02:30 on 2026-03-29 and back over it on 2026-10-25.
            ("2026-10-25 02:30", "2026-10-25T00:30:00.000Z"),
        ])
    func times(text: String, expected: String) throws { #expect(try rome.read(text).rfc3339 == expected) }

    @Test("a time that a clock change skips counts from the change on")
    func skipped() throws {
        let read = try rome.read("2026-03-29 02:30").rfc3339
        #expect(["2026-03-29T01:00:00.000Z", "2026-03-29T01:30:00.000Z"].contains(read))
    }

    @Test(
        "what is no time is refused with examples",
        arguments: [
            "", "noon", "25:00", "10:60", "1:00", "2026-02-30", "2026-11-21 10", "tomorrow", "-10", "-", "10:00 x",
            "+1:+2",
        ])
    func noTimes(text: String) {
        #expect {
            try rome.read(text)
        } throws: { error in
            (error as? Failure)?.message.contains("yesterday 10:00") == true
        }
    }

    @Test("times are shown in the site's zone")
    func shown() {
        #expect(rome.show(WallTime(ms: 1_795_255_200_250)) == "2026-11-21 11:00:00")
    }

    @Test(
        "lengths are read",
        arguments: [
            ("30s", 30_000), ("5m", 300_000), ("1h30m", 5_400_000), ("500ms", 500), ("2d", 172_800_000),
            ("1m1ms", 60_001),
        ] as [(String, Int64)])
    func lengths(text: String, ms: Int64) { #expect(TimeLength(argument: text)?.ms == ms) }

    @Test(
        "what is no length is refused",
        arguments: ["", "0s", "30", "s", "30m1h", "1s1s", "-5s", "1.5s", "9999999999d", "5 m", "١s"])
    func noLengths(text: String) { #expect(TimeLength(argument: text) == nil) }

    @Test("where a length may be none, 0s is one, and what is no length is refused all the same")
    func lengthsOrZero() {
        for text in ["0s", "0ms", "0d"] { #expect(TimeLengthOrZero(argument: text)?.ms == 0) }
        #expect(TimeLengthOrZero(argument: "1m1ms")?.ms == 60_001)
        for text in ["", "0", "s", "-0s", "0s0s"] { #expect(TimeLengthOrZero(argument: text) == nil) }
    }

    @Test("what is for motion alone is refused by the names of the options where another trigger is said")
    func optionsOfMotion() {
        func refusal(_ arguments: String) -> String? {
            do {
                _ = try TransportAllocateCommand.parse(["front"] + arguments.split(separator: " ").map(String.init))
                return nil
            } catch { return TransportAllocateCommand.message(for: error) }
        }
        #expect(refusal("--trigger motion --initial 10s --blind 0s") == nil)
        #expect(refusal("--initial 10s --zone gate") == nil)
        #expect(refusal("--trigger continuous --pre-roll 0s --chunk 0s") == nil)
        let told = refusal("--trigger command --initial 10s --blind 0s --pre-roll 0s")
        #expect(told?.contains("--initial, --blind: for --trigger motion alone") == true, "\(told ?? "taken")")
        #expect(told?.contains("vigil transport trigger") == true)
        #expect(refusal("--trigger continuous --zone gate")?.contains("--zone: for --trigger motion alone") == true)
    }

    @Test("sizes and lengths are short")
    func short() {
        #expect(
            [0, 999, 1_000, 12_340_000, 999_600, 99_960_000].map { Words.size($0) } == [
                "0 B", "999 B", "1 kB", "12.3 MB", "1 MB", "100 MB",
            ])
        #expect(Words.size(.max) == "9223 PB")
        #expect(
            [400, 12_900, 65_000, 7_380_000, 273_600_000, -1].map { Words.length(ms: $0) }
                == ["0.4s", "12s", "1m05s", "2h03m", "3d04h", "0s"])
    }

    @Test("a difference shows the changed lines and their surroundings")
    func difference() {
        let old = (1...9).map { "line \($0)\n" }.joined()
        let new = old.replacing("line 8\n", with: "line eight\nand more\n")
        #expect(
            LineDifference(from: old, to: new).lines
                == ["…", " line 5", " line 6", " line 7", "-line 8", "+line eight", "+and more", " line 9"])
        #expect(LineDifference(from: "", to: "a\n").lines == ["+a"])
        #expect(LineDifference(from: "a", to: "").lines == ["-a"])
    }

    @Test("privacy without an option covers the recording; off without one lifts everything")
    func privacy() throws {
        func change(_ arguments: String...) throws -> PrivacyCommand {
            try PrivacySwitchCommand.parse(["front"] + arguments).change
        }
        #expect(try change("on") == PrivacyCommand(softRecording: true))
        #expect(try change("off") == PrivacyCommand(hard: false, softRecording: false, softLive: false))
        #expect(try change("on", "--hard") == PrivacyCommand(hard: true))
        #expect(try change("off", "--live") == PrivacyCommand(softLive: false))
    }

    @Test("a table is aligned and has no blanks at the end of a line")
    func table() {
        var table = Table([("ID", .right), ("NAME", .left), ("WHY", .left)])
        table.add("7", "front", "")
        table.add("12", "back", "no")
        #expect(table.lines == ["ID  NAME   WHY", " 7  front", "12  back   no"])
    }

    @Test("progress never claims to be done before it is")
    func progress() {
        var progress = Progress("exporting", total: 1_000_000)
        progress.advance(250_000)
        #expect(progress.line == "exporting 250 kB of about 1 MB, 25 %")
        progress.advance(2_000_000)
        #expect(progress.line == "exporting 2.3 MB of about 1 MB, 99 %")
    }
}
