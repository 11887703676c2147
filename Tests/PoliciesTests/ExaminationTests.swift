import Foundation
import Machines
import Testing

@testable import Policies

/// What policies cannot mean is found, with a story that the machine itself told.
@Suite struct ExaminationTests {
    private static func found(_ text: String) -> [Diagnostic] { Fixture.policyFindings(text) }

    private static func recording(_ rules: String) -> [Diagnostic] {
        found("name: a\nrecording: { \(rules) }\n")
    }

    @Test func `A blind time longer than the event is refused, with the detections that it misses`() throws {
        let finding = try #require(Self.recording("blind: 5m").first)
        #expect(
            finding.story == """
                p.yaml:2:21: error: recording.blind: of a movement that goes on, 60 s are recorded and the next 301 s are missed; set blind to 1m or less, or let events last longer [blind-outlasts-event]
                    0 s    movement: event 1 begins
                    1 s    the movement goes on, and is seen each second
                    60 s   event 1 ends (limit), its clip is stored; blind until 360 s
                    60 s   movement is ignored, 301 times until 360 s
                    361 s  movement: event 2 begins
                """)
        #expect(Self.recording("blind: 61s").map(\.rule) == [.blindOutlastsEvent])
        #expect(Self.recording("blind: 1m") == [])
        // What is recorded anyway is only marked less.
        #expect(Self.recording("mode: continuous, blind: 5m").map(\.severity) == [.warning])
        #expect(Self.recording("mode: \"off\", blind: 5m").map(\.rule) == [.neverRecords])
    }

    @Test func `The length that counts is what the machine makes of it, not the number in the file`() {
        // Never prolonged: the event ends after its initial 10 s, and 15 s of blindness are longer.
        #expect(Self.recording("augmentation: 0s").map(\.rule) == [.maxNeverReached])
        #expect(Self.recording("augmentation: 0s").map(\.severity) == [.warning])
        #expect(
            Self.recording("augmentation: 0s, blind: 15s").map(\.rule) == [.blindOutlastsEvent, .maxNeverReached])
        #expect(Self.recording("augmentation: 0s, initial: 60s") == [])
        #expect(Self.recording("augmentation: 1s") == [])
    }

    @Test func `Each part of the week is tried, and the entry is to blame that sets the time`() {
        let found = Self.found(
            """
            name: a
            recording: { maxEventLength: 60s, blind: 50s }
            schedule:
              - { days: mon, from: "08:00", to: "12:00", mode: continuous }
              - { days: sat, from: "08:00", to: "12:00", maxEventLength: 15s }
              - { days: sun, from: "08:00", to: "12:00", blind: 10m }
            """)
        #expect(found.map(\.rule) == [.blindOutlastsEvent, .blindOutlastsEvent])
        #expect(found.map(\.keyPath) == ["recording.blind", "schedule[2]"])
        #expect(found.first?.reason.hasSuffix("on sat at 08:00") == true)
    }

    @Test func `An initial longer than the max is shown to end early`() {
        let found = Self.recording("initial: 40s, maxEventLength: 30s")
        #expect(found.map(\.rule) == [.initialOutlastsMax])
        #expect(found.first?.trace.map(\.at) == ["0 s", "30 s", "40 s"])
    }

    @Test func `What later entries override is told`() {
        let found = Self.found(
            """
            name: a
            schedule:
              - { days: mon-fri, from: "08:00", to: "12:00", sensitivity: high }
              - { days: daily, from: "08:00", to: "12:00", sensitivity: low, mode: event }
              - { days: sat, from: "08:00", to: "13:00", sensitivity: high }
            """)
        #expect(found.map(\.rule) == [.entryOverridden])
        #expect(found.map(\.keyPath) == ["schedule[0]"])
    }

    // MARK: Clock changes

    /// 2026-11-21.
    private static let autumn: Int64 = 1_795_219_200_000

    private static func clockChanges(_ entry: String, _ zone: String) throws -> [Diagnostic] {
        let policy = try Fixture.policy("name: a\nschedule: [ { \(entry), mode: continuous } ]")
        return Examiner(nowUnixMs: autumn).clockChanges([policy], zone: zone)
    }

    @Test func `An interval in the hour that is skipped never begins that day`() throws {
        let found = try Self.clockChanges("days: daily, from: \"02:00\", to: \"03:00\"", "Europe/Berlin")
        #expect(
            found.map(\.story) == [
                """
                p.yaml:2:34: error: schedule[0]: 2027-03-28 02:00 does not exist in Europe/Berlin: the interval 02:00–03:00 never begins that day; begin and end outside 02:00–03:00 [schedule-skipped]
                    2027-03-28 01:59 (UTC+1)  the last minute before the change: the interval has not begun
                    2027-03-28 03:00 (UTC+2)  the clock has gone from 02:00 to 03:00
                    2027-03-28 03:00 (UTC+2)  the interval is over already
                """
            ])
    }

    @Test func `An interval that begins in the hour that comes twice begins twice`() throws {
        let found = try Self.clockChanges("days: daily, from: \"02:30\", to: \"06:00\"", "Europe/Berlin")
        #expect(found.map(\.rule) == [.scheduleShifted, .scheduleRepeated])
        #expect(
            found.last?.trace.map(\.at) == [
                "2027-10-31 02:30 (UTC+2)", "2027-10-31 03:00 (UTC+2)", "2027-10-31 02:30 (UTC+1)",
                "2027-10-31 06:00 (UTC+1)",
            ])
        let late = try Self.clockChanges("days: sat, from: \"22:00\", to: \"02:30\"", "Europe/Berlin")
        #expect(late.map(\.rule) == [.scheduleShifted, .scheduleRepeated])
        #expect(late.first?.reason.contains("ends at 03:00 that day") == true)
    }

    @Test(
        arguments: [
            // The whole hour, or more, is one stretch in autumn; the day without clock changes; days that follow on each other.
            ("days: daily, from: \"01:00\", to: \"06:00\"", "Europe/Berlin"),
            ("days: daily, from: \"22:00\", to: \"02:00\"", "Europe/Berlin"),
            ("days: daily, from: \"03:00\", to: \"02:00\"", "Europe/Berlin"),
            ("days: mon-sat, from: \"02:00\", to: \"03:00\"", "Europe/Berlin"),
            ("days: daily, from: \"02:00\", to: \"03:00\"", "Asia/Tokyo"),
            ("days: daily, from: \"02:30\", to: \"02:45\"", "UTC"),
        ])
    func `Other intervals mean what they say`(entry: String, zone: String) throws {
        #expect(try Self.clockChanges(entry, zone) == [])
    }

    @Test(arguments: [
        ("America/New_York", "2027-03-14"), ("Europe/Berlin", "2027-03-28"), ("Australia/Lord_Howe", "2027-10-03"),
        ("America/St_Johns", "2027-03-14"), ("Pacific/Chatham", "2027-09-26"), ("America/Santiago", "2027-09-05"),
    ])
    func `The changes are those of the zone itself`(zone: String, forward: String) throws {
        let changes = ClockChange.upcoming(after: Self.autumn, in: try #require(TimeZone(identifier: zone)))
        #expect(changes.count == 4, "two years")
        let next = try #require(changes.first { $0.after > $0.before })
        #expect(WallClockText.date(next.leaves) == forward)
    }

    /// The findings against the schedule as it is really applied: for every hour-long entry around the change, count how
    /// often it is in force that day.
    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Chatham"])
    func `What is found is what the schedule does`(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        for minute in stride(from: 0, to: 300, by: 10) {
            for length in [20, 50, 60, 90] {
                let from = ClockText.text(minute: minute)
                let to = ClockText.text(minute: minute + length)
                let policy = try Fixture.policy(
                    "name: a\nschedule: [ { days: sun, from: \"\(from)\", to: \"\(to)\", mode: continuous } ]")
                let found = Examiner(nowUnixMs: Self.autumn).clockChanges([policy], zone: name)
                for change in ClockChange.upcoming(after: Self.autumn, in: zone).prefix(2) {
                    let begins = Self.begins(policy, around: change, zone)
                    let rules = Set(found.compactMap(\.rule))
                    if change.after > change.before {
                        #expect(rules.contains(.scheduleSkipped) == (begins == 0), "\(from) to \(to): \(begins)")
                    } else {
                        #expect(rules.contains(.scheduleRepeated) == (begins == 2), "\(from) to \(to): \(begins)")
                    }
                }
            }
        }
    }

    /// How often continuous mode begins on the day of a change.
    private static func begins(_ policy: PolicyDocument, around change: ClockChange, _ zone: TimeZone) -> Int {
        var moment = change.atUnixMs - 12 * 3_600_000
        var begins = 0
        while moment < change.atUnixMs + 12 * 3_600_000 {
            let effective = policy.effective(atUnixMs: moment, in: zone)
            guard let next = effective.untilUnixMs else { break }
            if effective.policy.mode != .continuous, next < change.atUnixMs + 12 * 3_600_000 { begins += 1 }
            moment = next
        }
        return begins
    }

    @Test
    func `A configuration with an impossible schedule is refused, but not where clock changes are left to the caller`()
    {
        let files = MemoryFiles(contents: [
            "/etc/vigil.yaml":
                "timezone: Europe/Berlin\npolicies: [ a.yaml ]\ncameras: { c: { main: demo, policy: a } }",
            "/etc/a.yaml": "name: a\nschedule: [ { days: daily, from: \"02:00\", to: \"03:00\", mode: \"off\" } ]",
        ])
        let checked = ConfigurationLoader(files: files, examiner: Examiner(nowUnixMs: Self.autumn)).load(
            "/etc/vigil.yaml")
        guard case .failure(let refusal) = checked.result else {
            Issue.record("accepted")
            return
        }
        #expect(refusal.diagnostics.map(\.rule) == [.scheduleSkipped])
        let left = ConfigurationLoader(files: files, examiner: nil).load("/etc/vigil.yaml")
        #expect((try? left.result.get()) != nil)
    }

    // MARK: Zones

    private static func site(_ areas: String, _ zones: String) -> [Diagnostic] {
        Fixture.findings(
            "timezone: UTC\ncameras:\n  front:\n    main: demo\n    policy: shop\n    \(areas)\n",
            policies: ["shop.yaml": "name: shop\nrecording: { zones: \(zones) }\n"])
    }

    @Test func `A zone under a mask can never pass`() {
        let door = "[[0.1,0.1],[0.3,0.1],[0.3,0.3],[0.1,0.3]]"
        let around = "[[0,0],[0.5,0],[0.5,0.5],[0,0.5]]"
        let masked = "zones: { door: \(door), yard: [[0.6,0.6],[1,0.6],[1,1]] }\n    masks: { tree: \(around) }"
        let alone = Self.site(masked, "[ door ]")
        #expect(alone.map(\.rule) == [.zoneNeverPasses] && alone.map(\.severity) == [.error])
        #expect(alone.first?.trace.first?.what.hasPrefix("door: ") == true)
        #expect(Self.site(masked, "[ door, yard ]").map(\.severity) == [.warning])
        #expect(Self.site(masked, "[ yard, null ]") == [])
        let whole = "[[0,0],[1,0],[1,1],[0,1]]"
        #expect(Self.site("zones: { all: \(whole) }", "[ null ]").map(\.severity) == [.error])
        #expect(Self.site("masks: { all: \(whole) }", "[]").map(\.severity) == [.error])
        #expect(Self.site("zones: { all: \(whole) }", "[ all ]") == [])
    }
}
