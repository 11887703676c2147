public import Foundation
public import Machines

/// The policy in force at a moment, and until when.
public struct EffectivePolicy: Hashable, Sendable {
    /// The policy for the machine.
    public let policy: Policy
    /// The first moment at which the schedule changes it, in milliseconds since 1970-01-01 UTC; nil when nothing changes
    /// within eight days.
    public let untilUnixMs: Int64?
}

extension PolicyDocument {
    /// How far ahead a change is looked for: a week, plus a day for the hour that may be skipped.
    static let horizonMs: Int64 = 8 * 86_400_000

    /// The policy in force at a moment of wall time (milliseconds since 1970-01-01 UTC), in a time zone, for a camera with
    /// these zones in their order and what is set for it over the policy. Pure.
    ///
    /// An entry covers the instants whose local wall-clock time lies in it. So in the hour that is skipped in spring a
    /// boundary takes effect at the jump, and in the hour that comes twice in autumn both passes count. Where entries
    /// overlap, each key is taken from the last entry that sets it.
    public func effective(
        atUnixMs moment: Int64, in zone: TimeZone, zones: [String] = [], settings: CameraSettings = CameraSettings()
    ) -> EffectivePolicy {
        let start = Self.bounded(moment)
        let policy = policy(atUnixMs: start, in: zone, zones: zones, settings: settings)
        guard !schedule.isEmpty else { return EffectivePolicy(policy: policy, untilUnixMs: nil) }

        let boundaries = boundaryMinutes
        let end = start + Self.horizonMs
        var time = start
        var jump = TimeOfWeek.nextOffsetChange(after: time, until: end, in: zone)
        while true {
            let local = TimeOfWeek(unixMs: time, in: zone)
            var next = time + local.msUntil(firstOf: boundaries)
            if let known = jump, known <= next {
                next = known
                jump = TimeOfWeek.nextOffsetChange(after: known, until: end, in: zone)
            }
            guard next <= end else { return EffectivePolicy(policy: policy, untilUnixMs: nil) }
            let then = self.policy(atUnixMs: next, in: zone, zones: zones, settings: settings)
            if then != policy { return EffectivePolicy(policy: policy, untilUnixMs: next) }
            time = next
        }
    }

    /// The same without the time of the next change. Pure.
    public func policy(
        atUnixMs moment: Int64, in zone: TimeZone, zones: [String] = [], settings: CameraSettings = CameraSettings()
    ) -> Policy {
        let minute = TimeOfWeek(unixMs: Self.bounded(moment), in: zone).minuteOfWeek
        return settings.applied(to: policy(atMinuteOfWeek: minute, zones: zones))
    }

    /// Years 1 to 9999: outside, a calendar has no meaning, and sums could overflow.
    private static func bounded(_ moment: Int64) -> Int64 { min(max(moment, -62_135_596_800_000), 253_402_300_799_000) }

    /// The minutes of the week (Monday 00:00 is 0) at which an entry begins or ends, sorted.
    var boundaryMinutes: [Int] {
        var minutes: Set<Int> = []
        for entry in schedule {
            for day in entry.days.indices {
                let from = day * Days.minutesPerDay + entry.fromMinute
                minutes.insert(from)
                minutes.insert((from + entry.lengthMinutes) % Days.minutesPerWeek)
            }
        }
        return minutes.sorted()
    }

    /// The policy at a minute of the week, 0…10 079, for a camera with these zones.
    func policy(atMinuteOfWeek minute: Int, zones: [String] = []) -> Policy {
        var rules = recording
        var modeFromSchedule = false
        for entry in schedule where entry.covers(minuteOfWeek: minute) {
            rules.apply(entry)
            modeFromSchedule = modeFromSchedule || entry.mode != nil
        }
        return rules.policy(offBySchedule: modeFromSchedule && rules.mode == .off, zones: zones)
    }
}

extension ScheduleEntry {
    /// Whether it holds at a minute of the week, 0…10 079.
    func covers(minuteOfWeek minute: Int) -> Bool {
        days.cover(minuteOfWeek: minute, fromMinute: fromMinute, toMinute: toMinute)
    }
}

extension Days {
    /// Whether a time of day that begins on each of these days covers a minute of the week, 0…10 079.
    func cover(minuteOfWeek minute: Int, fromMinute: Int, toMinute: Int) -> Bool {
        let length = Self.length(fromMinute: fromMinute, toMinute: toMinute)
        return indices.contains { day in
            // Counted from its beginning, so that what begins on Sunday night reaches into Monday.
            let since = (minute - day * Days.minutesPerDay - fromMinute + Days.minutesPerWeek) % Days.minutesPerWeek
            return since >= 0 && since < length
        }
    }

    /// Minutes from one time of day to another; to the next day where that is not later.
    static func length(fromMinute: Int, toMinute: Int) -> Int {
        toMinute > fromMinute ? toMinute - fromMinute : toMinute + minutesPerDay - fromMinute
    }
}

extension RecordingRules {
    /// Takes over what an entry sets.
    mutating func apply(_ entry: ScheduleEntry) {
        mode = entry.mode ?? mode
        sensitivity = entry.sensitivity ?? sensitivity
        zones = entry.zones ?? zones
        timeControl.maxMs = entry.maxEventLengthMs ?? timeControl.maxMs
        timeControl.initialMs = entry.initialMs ?? timeControl.initialMs
        timeControl.augmentationMs = entry.augmentationMs ?? timeControl.augmentationMs
        timeControl.blindMs = entry.blindMs ?? timeControl.blindMs
        preRollMs = entry.preRollMs ?? preRollMs
    }

    /// The value for the machine of a camera with these zones.
    func policy(offBySchedule: Bool, zones names: [String] = []) -> Policy {
        Policy(
            mode: mode, offBySchedule: offBySchedule, sensitivity: sensitivity, zones: filter(names),
            timeControl: timeControl, preRollMs: preRollMs, clipLengthMs: clipLengthMs, connection: connection)
    }

    /// Which of the camera's zones count; nil for anywhere.
    private func filter(_ names: [String]) -> Zones? {
        guard !zones.isEmpty else { return nil }
        // The loader has checked that the camera has each of them.
        let numbers = zones.compactMap { $0 }.compactMap(names.firstIndex(of:))
        // Places among the camera's zones.
        return Zones(inside: numbers.reduce(0) { $0 | 1 << UInt32($1) }, outside: zones.contains(nil))
    }
}
