import Foundation

/// Looks for schedule entries that the zone's own clock changes leave without a meaning, and for entries without effect.
struct ScheduleExamination {
    private static let dayMs: Int64 = 86_400_000
    private static let minuteMs: Int64 = 60_000

    let document: PolicyDocument
    let places: PolicyPlaces

    /// What the clock changes do to the entries: of each kind the first time that it happens, for each entry.
    func findings(at changes: [ClockChange], zone: String) -> [Diagnostic] {
        document.schedule.indices.flatMap { index -> [Diagnostic] in
            var found: [Diagnostic] = []
            for change in changes {
                guard let finding = finding(index, change, zone), !found.contains(where: { $0.rule == finding.rule })
                else { continue }
                found.append(finding)
            }
            return found
        }
    }

    /// The entry's occurrence around a clock change, if the change does something to it.
    private func finding(_ index: Int, _ change: ClockChange, _ zone: String) -> Diagnostic? {
        let entry = document.schedule[index]
        let today = Self.floor(change.leaves, Self.dayMs)
        // An entry lasts a day at most, so the day before and the next ones are all that can be concerned.
        for day in (today - 1)...(today + 1) where entry.days.contains(.day(Int(((day + 3) % 7 + 7) % 7))) {
            let begin = day * Self.dayMs + Int64(entry.fromMinute) * Self.minuteMs
            let end = begin + Int64(entry.lengthMinutes) * Self.minuteMs
            let found =
                change.after > change.before
                ? forward(index, begin, end, change, zone) : back(index, begin, end, change, zone)
            if let found { return found }
        }
        return nil
    }

    /// Clocks go forward: the wall clock never shows `leaves` up to `shows`.
    private func forward(
        _ index: Int, _ begin: Int64, _ end: Int64, _ change: ClockChange, _ zone: String
    ) -> Diagnostic? {
        let gap = "\(WallClockText.time(change.leaves))–\(WallClockText.time(change.shows))"
        let jump = TraceLine(
            WallClockText.moment(change.shows, offsetMs: change.after),
            "the clock has gone from \(WallClockText.time(change.leaves)) to \(WallClockText.time(change.shows))")
        let before = WallClockText.moment(change.leaves - Self.minuteMs, offsetMs: change.before)
        let remedy = "begin and end outside \(gap)"
        if begin >= change.leaves, end <= change.shows {
            return Diagnostic(
                places.entry(index, "from"), .error, "schedule[\(index)]", .scheduleSkipped,
                "\(WallClockText.date(begin)) \(WallClockText.time(begin)) does not exist in \(zone): the interval \(interval(begin, end)) never begins that day",
                remedy,
                [
                    TraceLine(before, "the last minute before the change: the interval has not begun"), jump,
                    TraceLine(
                        WallClockText.moment(change.shows, offsetMs: change.after), "the interval is over already"),
                ])
        }
        let inside = { (moment: Int64) in moment > change.leaves && moment < change.shows }
        guard inside(begin) || inside(end) else { return nil }
        let moment = inside(begin) ? begin : end
        return Diagnostic(
            places.entry(index, inside(begin) ? "from" : "to"), .warning, "schedule[\(index)]", .scheduleShifted,
            "\(WallClockText.date(moment)) \(WallClockText.time(moment)) does not exist in \(zone): the interval \(interval(begin, end)) \(inside(begin) ? "begins" : "ends") at \(WallClockText.time(change.shows)) that day",
            remedy,
            [
                TraceLine(
                    before,
                    inside(begin)
                        ? "the last minute before the change: the interval has not begun" : "the interval holds"),
                jump,
                TraceLine(
                    WallClockText.moment(change.shows, offsetMs: change.after),
                    inside(begin) ? "the interval begins" : "the interval is over"),
            ])
    }

    /// Clocks go back: the wall clock shows `shows` up to `leaves` twice.
    private func back(
        _ index: Int, _ begin: Int64, _ end: Int64, _ change: ClockChange, _ zone: String
    ) -> Diagnostic? {
        let entry = document.schedule[index]
        guard begin < change.leaves, end > change.shows else { return nil }
        // Not twice where nothing is left out in between, by this occurrence or by the next day's.
        let stopsBefore = end < change.leaves && !entry.covers(minuteOfWeek: Self.minuteOfWeek(end))
        let restsAfter = begin > change.shows && !entry.covers(minuteOfWeek: Self.minuteOfWeek(change.shows))
        guard stopsBefore || restsAfter else { return nil }
        let again = max(begin, change.shows)
        let hour = "\(WallClockText.time(change.shows))–\(WallClockText.time(change.leaves))"
        return Diagnostic(
            places.entry(index, stopsBefore ? "to" : "from"), .error, "schedule[\(index)]", .scheduleRepeated,
            "\(WallClockText.date(again)) \(hour) comes twice in \(zone): the interval \(interval(begin, end)) begins twice that day",
            "begin and end outside \(hour)",
            [
                TraceLine(WallClockText.moment(begin, offsetMs: change.before), "the interval begins"),
                TraceLine(
                    WallClockText.moment(min(end, change.leaves), offsetMs: change.before),
                    stopsBefore
                        ? "the interval ends"
                        : "the clock goes back to \(WallClockText.time(change.shows)), before its beginning"),
                TraceLine(
                    WallClockText.moment(again, offsetMs: change.after),
                    stopsBefore
                        ? "the clock has gone back to \(WallClockText.time(change.shows)): the interval holds again"
                        : "the interval begins again"),
                TraceLine(WallClockText.moment(end, offsetMs: change.after), "the interval ends"),
            ])
    }

    /// Entries that say nothing, or nothing that holds.
    func withoutEffect() -> [Diagnostic] {
        let boundaries = document.boundaryMinutes
        var found: [Diagnostic] = []
        for index in document.schedule.indices {
            let keys = document.schedule[index].settings
            if keys.isEmpty {
                found.append(
                    Diagnostic(
                        places.entry(index), .warning, "schedule[\(index)]", .entryEmpty, "the entry changes nothing",
                        "add a key such as mode, or remove the entry"))
            } else if boundaries.allSatisfy({ isOverridden(index, at: $0) }) {
                found.append(
                    Diagnostic(
                        places.entry(index), .warning, "schedule[\(index)]", .entryOverridden,
                        "later entries override all that this one says (\(keys.sorted().joined(separator: ", "))), whenever it holds",
                        "put it after them, or remove it"))
            }
        }
        return found
    }

    /// Whether at a minute of the week an entry does not hold, or later ones that do set each of its keys.
    private func isOverridden(_ index: Int, at minute: Int) -> Bool {
        let entry = document.schedule[index]
        guard entry.covers(minuteOfWeek: minute) else { return true }
        let later = document.schedule.dropFirst(index + 1).filter { $0.covers(minuteOfWeek: minute) }
        return later.reduce(entry.settings) { $0.subtracting($1.settings) }.isEmpty
    }

    private func interval(_ begin: Int64, _ end: Int64) -> String {
        "\(WallClockText.time(begin))–\(end % Self.dayMs == 0 ? "24:00" : WallClockText.time(end))"
    }

    private static func minuteOfWeek(_ local: Int64) -> Int {
        let minutes = floor(local, minuteMs) + 3 * 1_440
        return Int(((minutes % 10_080) + 10_080) % 10_080)
    }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        value >= 0 ? value / unit : -((-value + unit - 1) / unit)
    }
}

extension ScheduleEntry {
    /// The keys that it sets.
    var settings: Set<String> {
        let values: [(String, Bool)] = [
            ("mode", mode != nil), ("sensitivity", sensitivity != nil), ("zones", zones != nil),
            ("maxEventLength", maxEventLengthMs != nil), ("initial", initialMs != nil),
            ("augmentation", augmentationMs != nil), ("blind", blindMs != nil), ("preRoll", preRollMs != nil),
        ]
        return Set(values.filter(\.1).map(\.0))
    }
}
