import Foundation
import Machines
import RandomSource
import Testing

@testable import Policies

@Suite struct ScheduleTests {
    static let zones = ["Europe/Rome", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca"]

    /// Overlaps, nights, a week's end that wraps, boundaries inside skipped and doubled hours.
    static let busy = """
        name: busy
        schedule:
          - { days: mon-fri, from: "08:00", to: "18:30", mode: continuous }
          - { days: fri-mon, from: "22:00", to: "02:30", mode: off, sensitivity: high }
          - { days: daily, from: "01:45", to: "02:15", preRoll: 9s }
          - { days: "sun,wed", from: "12:00", to: "12:00", blind: 7s }
          - { days: sat, from: "00:00", to: "24:00", maxEventLength: 120s }
        """

    private static func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    private static func unixMs(_ text: String) throws -> Int64 {
        Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970) * 1000
    }

    /// What holds at a wall-clock minute, found by asking each entry for each day: the definition, not the algorithm.
    private static func bruteForce(_ policy: PolicyDocument, minuteOfWeek minute: Int) -> Policy {
        let day = minute / 1_440
        let time = minute % 1_440
        var rules = policy.recording
        var scheduled = false
        for entry in policy.schedule {
            let overNight = entry.toMinute <= entry.fromMinute
            let today =
                entry.days.contains(.day(day)) && time >= entry.fromMinute && (overNight || time < entry.toMinute)
            let yesterday = overNight && entry.days.contains(.day((day + 6) % 7)) && time < entry.toMinute
            guard today || yesterday else { continue }
            rules.mode = entry.mode ?? rules.mode
            rules.sensitivity = entry.sensitivity ?? rules.sensitivity
            rules.preRollMs = entry.preRollMs ?? rules.preRollMs
            rules.timeControl.blindMs = entry.blindMs ?? rules.timeControl.blindMs
            rules.timeControl.maxMs = entry.maxEventLengthMs ?? rules.timeControl.maxMs
            scheduled = scheduled || entry.mode != nil
        }
        return rules.policy(offBySchedule: scheduled && rules.mode == .off)
    }

    @Test(arguments: zones) func `Every minute of two years has the policy of its wall-clock time`(name: String) throws
    {
        let zone = try Self.zone(name)
        let policy = try Fixture.policy(Self.busy)
        let table = (0..<Days.minutesPerWeek).map { Self.bruteForce(policy, minuteOfWeek: $0) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let start = try Self.unixMs("2025-01-01T00:00:00Z")
        let end = try Self.unixMs("2027-01-01T00:00:00Z")

        var effective = policy.effective(atUnixMs: start, in: zone)
        var changes = 0
        var wrong: [String] = []
        for moment in stride(from: start, to: end, by: 60_000) {
            if let until = effective.untilUnixMs, moment >= until {
                #expect(until % 60_000 == 0)
                effective = policy.effective(atUnixMs: moment, in: zone)
                changes += 1
            }
            let local =
                moment + Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment / 1000)))) * 1000
            let minute = Int((local + 3 * 86_400_000) % 604_800_000 / 60_000)
            if effective.policy != table[minute] { wrong.append("\(moment)") }
            // The calendar says independently which wall-clock minute this is; asked now and then, for it is slow.
            if moment / 60_000 % 997 == 0 {
                let parts = calendar.dateComponents(
                    [.weekday, .hour, .minute], from: Date(timeIntervalSince1970: Double(moment / 1000)))
                let weekday = (try #require(parts.weekday) + 5) % 7
                let shown = weekday * 1_440 + (try #require(parts.hour)) * 60 + (try #require(parts.minute))
                if shown != minute { wrong.append("calendar \(moment)") }
            }
        }
        #expect(wrong.prefix(3) == [])
        #expect(changes > 1_000)
    }

    @Test(arguments: zones) func `The next change is the first moment at which the policy differs`(name: String) throws
    {
        let zone = try Self.zone(name)
        let policy = try Fixture.policy(Self.busy)
        var random = SeededGenerator(seed: 7)
        let start = try Self.unixMs("2020-01-01T00:00:00Z")
        for _ in 0..<300 {
            let moment = start + Int64.random(in: 0..<(15 * 365 * 86_400_000), using: &random)
            let now = policy.effective(atUnixMs: moment, in: zone)
            let until = try #require(now.untilUnixMs)
            #expect(until > moment && until <= moment + 8 * 86_400_000)
            #expect(policy.effective(atUnixMs: until - 1, in: zone).policy == now.policy)
            #expect(policy.effective(atUnixMs: until, in: zone).policy != now.policy)
        }
    }

    @Test func `A boundary in the skipped hour takes effect at the jump`() throws {
        let rome = try Self.zone("Europe/Rome")
        let policy = try Fixture.policy(
            "name: a\nschedule: [ { days: sun, from: \"02:30\", to: \"04:00\", mode: off } ]")
        // 2026-03-29 02:00 CET is 03:00 CEST: 02:30 does not exist.
        let before = try Self.unixMs("2026-03-29T00:00:00Z")
        let jump = try Self.unixMs("2026-03-29T01:00:00Z")
        let first = policy.effective(atUnixMs: before, in: rome)
        #expect(first.policy.mode == .event && first.untilUnixMs == jump)
        let second = policy.effective(atUnixMs: jump, in: rome)
        #expect(second.policy.mode == .off && second.policy.offBySchedule)
        #expect(second.untilUnixMs == jump + 3_600_000)
    }

    @Test func `Both passes of the doubled hour count`() throws {
        let rome = try Self.zone("Europe/Rome")
        let policy = try Fixture.policy(
            "name: a\nschedule: [ { days: sun, from: \"02:15\", to: \"02:45\", mode: off } ]")
        // 2026-10-25: 02:00 to 03:00 comes twice, first as CEST (UTC+2), then as CET (UTC+1).
        var moment = try Self.unixMs("2026-10-24T23:00:00Z")
        var seen: [String] = []
        for _ in 0..<4 {
            moment = try #require(policy.effective(atUnixMs: moment, in: rome).untilUnixMs)
            seen.append(Date(timeIntervalSince1970: Double(moment / 1000)).formatted(.iso8601))
        }
        #expect(
            seen == ["2026-10-25T00:15:00Z", "2026-10-25T00:45:00Z", "2026-10-25T01:15:00Z", "2026-10-25T01:45:00Z"])
    }

    @Test func `An entry over midnight belongs to the day on which it begins`() throws {
        let policy = try Fixture.policy(
            "name: a\nschedule: [ { days: sun, from: \"22:00\", to: \"06:00\", mode: off } ]")
        #expect(policy.policy(atMinuteOfWeek: 0).mode == .off)
        #expect(policy.policy(atMinuteOfWeek: 359).mode == .off)
        #expect(policy.policy(atMinuteOfWeek: 360).mode == .event)
        #expect(policy.policy(atMinuteOfWeek: 6 * 1_440 + 1_319).mode == .event)
        #expect(policy.policy(atMinuteOfWeek: 6 * 1_440 + 1_320).mode == .off)
    }

    @Test func `Later entries win, key by key`() throws {
        let policy = try Fixture.policy(
            """
            name: a
            schedule:
              - { days: daily, from: "00:00", to: "24:00", mode: off, sensitivity: low }
              - { days: mon, from: "10:00", to: "11:00", mode: continuous }
            """)
        let inner = policy.policy(atMinuteOfWeek: 600)
        #expect(inner.mode == .continuous && inner.sensitivity == .low && !inner.offBySchedule)
        #expect(policy.policy(atMinuteOfWeek: 660).offBySchedule)
    }

    @Test func `Off by the policy itself is not off by schedule`() throws {
        let off = try Fixture.policy("name: a\nrecording: { mode: off }")
        let effective = off.effective(atUnixMs: 0, in: try Self.zone("UTC"))
        #expect(effective == EffectivePolicy(policy: Policy(mode: .off), untilUnixMs: nil))
    }

    @Test func `A schedule that changes nothing has no next change, and no moment is too far`() throws {
        let rome = try Self.zone("Europe/Rome")
        let same = try Fixture.policy(
            "name: a\nschedule: [ { days: daily, from: \"08:00\", to: \"09:00\", mode: event } ]")
        for moment in [Int64.min, -1, 0, .max] {
            #expect(same.effective(atUnixMs: moment, in: rome).untilUnixMs == nil)
        }
    }

    @Test(
        arguments: [
            ("mon", [0]), ("daily", [0, 1, 2, 3, 4, 5, 6]), ("mon-fri", [0, 1, 2, 3, 4]), ("sat,sun", [5, 6]),
            ("fri-mon", [0, 4, 5, 6]), ("mon, wed-thu", [0, 2, 3]), ("tue-tue", [1]),
        ])
    func `Days are read`(text: String, days: [Int]) throws {
        #expect(try DaysText.parse(text).indices == days)
    }

    @Test(arguments: ["", "monday", "mon-", "mon-tue-wed", "mon,", "Mon", "-", "mon fri"])
    func `What are no days is refused`(text: String) {
        #expect(throws: Fault.self) { try DaysText.parse(text) }
    }

    @Test func `Durations and sizes are read as written`() {
        #expect(DurationText.milliseconds("1h30m") == 5_400_000)
        #expect(DurationText.milliseconds("2w") == 1_209_600_000)
        for text in [
            "", "5", "s", "5 s", "30m1h", "1m1m", "-1s", "1.5h", "٣s", "99999999999999999999d", "9223372036854775807w",
            "1h30",
        ] {
            #expect(DurationText.milliseconds(text) == nil, "\(text)")
        }
        #expect(SizeText.bytes("500GB") == 500_000_000_000 && SizeText.bytes("1.5TiB") == 1_649_267_441_664)
        #expect(SizeText.bytes("0.5 KiB") == 512)
        for text in ["", "5", "GB", "5gb", "1.2345TB", "1.TB", ".5TB", "1..5TB", "99999999999999PB", "-1GB", "5GBs"] {
            #expect(SizeText.bytes(text) == nil, "\(text)")
        }
        for value in [0, 1_000, 60_000, 90_000, 604_800_000, 5_400_000] as [Int64] {
            #expect(DurationText.milliseconds(DurationText.text(milliseconds: value)) == value)
        }
        for value in [512, 1_000, 500_000_000_000, 1 << 40] as [Int64] {
            #expect(SizeText.text(bytes: value) == "512B" || SizeText.bytes(SizeText.text(bytes: value)) == value)
        }
    }
}
