internal import Machines
internal import XML

/// A point in time as devices write it, in UTC.
package struct DeviceTime: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, to the end of the year 9999.
    package let seconds: Int64

    /// The last second of the year 9999.
    static let secondsMax: Int64 = 253_402_300_799

    /// A time; what lies outside of 1970 to 9999 becomes the nearest that does not.
    package init(clamping seconds: Int64) { self.seconds = min(max(seconds, 0), Self.secondsMax) }

    /// A time from its parts; nil where no calendar or clock has it.
    init?(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) {
        guard let date = CivilDate(year: year, month: month, day: day), (0...23).contains(hour),
            (0...59).contains(minute),
            (0...60).contains(second)
        else { return nil }
        let sum = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
        guard (0...Self.secondsMax).contains(sum) else { return nil }
        seconds = sum
    }

    /// Reads what GetSystemDateAndTime says of UTC; nil where it says none that is a time.
    init?(_ response: XMLNode) {
        guard let time = response.child("SystemDateAndTime")?.child("UTCDateTime"), let day = time.child("Date"),
            let clock = time.child("Time")
        else { return nil }
        func number(_ node: XMLNode, _ name: String) -> Int64? { node.text(name).flatMap { Int64($0.trimmed) } }
        guard let year = number(day, "Year"), let month = number(day, "Month"), let date = number(day, "Day"),
            let hour = number(clock, "Hour"), let minute = number(clock, "Minute"), let second = number(clock, "Second")
        else { return nil }
        self.init(year: year, month: month, day: date, hour: hour, minute: minute, second: second)
    }

    /// `2026-11-26T19:51:00Z`, as requests have it.
    package var text: String {
        let time = CivilTime(epochMs: seconds * 1_000)
        return "\(time.date)T\(time.clock.joined(separator: ":"))Z"
    }
}
