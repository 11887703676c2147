public import Foundation
internal import Machines
public import Replay
public import Server

/// Shows times as they are in one time zone: the site's.
public struct LocalTime: Sendable {
    private let calendar: Calendar

    /// Times in `zone`.
    public init(zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// The time zone.
    public var zone: TimeZone { calendar.timeZone }

    /// `2026-11-21 10:00:07`.
    public func show(_ time: WallTime) -> String {
        let date = Date(timeIntervalSince1970: Double(time.ms) / 1_000)
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func two(_ number: Int?) -> String { ((number ?? 0) < 10 ? "0" : "") + String(number ?? 0) }
        let clock = [parts.hour, parts.minute, parts.second].map(two).joined(separator: ":")
        return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) \(clock)"
    }

    /// Tells traces with these times, to the millisecond.
    public var narrator: Narrator {
        Narrator { ms in
            let time = WallTime(ms: ms)
            let part = String((time.ms % 1_000 + 1_000) % 1_000 + 1_000).dropFirst()
            return "\(show(time)).\(part)"
        }
    }
}
