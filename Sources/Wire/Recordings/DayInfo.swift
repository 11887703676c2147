/// A day with recordings, as `GET /v1/cameras/{camera}/days` tells it.
public struct DayInfo: Hashable, Sendable, Codable {
    /// The day in the site's time zone: `2026-11-21`.
    public var day: String
    /// Its begin.
    public var from: WallTime
    /// Its end: 23, 24 or 25 hours later, sometimes otherwise.
    public var to: WallTime
    /// Media in it, in milliseconds, on the disk or in the cloud alone.
    public var recordedMs: Int64
    /// Of these, what the cloud alone has.
    public var cloudMs: Int64
    /// Events that began in it, those that the cloud alone knows too.
    public var events: Int

    /// A day.
    public init(day: String, from: WallTime, to: WallTime, recordedMs: Int64, cloudMs: Int64 = 0, events: Int) {
        self.day = day
        self.from = from
        self.to = to
        self.recordedMs = recordedMs
        self.cloudMs = cloudMs
        self.events = events
    }
}

/// A month of the calendar, in the years 1970 to 9998.
public struct CalendarMonth: Hashable, Sendable, CustomStringConvertible {
    /// The year.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int

    /// Reads `2026-11`; nil for anything else.
    public init?(_ text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.isAtEnd,
            (1970...9998).contains(year), (1...12).contains(month)
        else { return nil }
        (self.year, self.month) = (Int(year), Int(month))
    }

    /// `2026-11`.
    public var description: String { "\(year)-\(month < 10 ? "0" : "")\(month)" }
}
