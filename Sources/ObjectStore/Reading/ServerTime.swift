internal import Machines

/// A point in time as servers write it, in seconds since 1970 UTC. Years 1970 to 9999; nothing is read by locale.
struct ServerTime: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z; below 253,402,300,800, the year 10000.
    let seconds: Int64

    /// The last second of the year 9999.
    static let secondsMax: Int64 = 253_402_300_799

    /// A time; what lies outside of 1970 to 9999 becomes the nearest that does not.
    init(clamping seconds: Int64) { self.seconds = min(max(seconds, 0), Self.secondsMax) }

    /// A time from its parts; nil where one is out of its range.
    init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day)), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let sum = date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        guard (0...Self.secondsMax).contains(sum) else { return nil }
        seconds = sum
    }

    /// Reads `2013-05-24T00:00:00.000Z`, with or without the fraction (ISO 8601, what XML answers have).
    init?(iso text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 40, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes.last == UInt8(ascii: "Z")
        else { return nil }
        let fraction = bytes[19..<(bytes.count - 1)]
        guard fraction.isEmpty || fraction.first == UInt8(ascii: ".") && Self.number(fraction.dropFirst()) != nil else {
            return nil
        }
        self.init(bytes[0..<4], bytes[5..<7], bytes[8..<10], bytes[11..<13], bytes[14..<16], bytes[17..<19])
    }

    /// Reads `Fri, 24 May 2013 00:00:00 GMT` (RFC 9110, what headers have).
    init?(http text: String) {
        let parts = text.split(separator: " ")
        guard text.utf8.count <= 40, parts.count == 6, parts[5] == "GMT" || parts[5] == "UTC",
            let month = Self.months.firstIndex(of: String(parts[2]))
        else { return nil }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, let day = Self.number(Array(parts[1].utf8)[...]),
            let year = Self.number(Array(parts[3].utf8)[...]), let hour = Self.number(Array(time[0].utf8)[...]),
            let minute = Self.number(Array(time[1].utf8)[...]), let second = Self.number(Array(time[2].utf8)[...])
        else { return nil }
        self.init(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    }

    /// `20130524T000000Z`, as signatures have it.
    var basic: String {
        let (date, time) = parts
        return date.joined() + "T" + time.joined() + "Z"
    }

    /// `2013-05-24T00:00:00Z`.
    var iso: String {
        let (date, time) = parts
        return date.joined(separator: "-") + "T" + time.joined(separator: ":") + "Z"
    }

    /// Year, month and day; hour, minute and second.
    private var parts: (date: [String], time: [String]) {
        let date = CivilDate(daysSince1970: seconds / 86_400)
        let rest = seconds % 86_400
        return (
            [date.year.padded(to: 4), date.month.padded(to: 2), date.day.padded(to: 2)],
            [rest / 3600, rest / 60 % 60, rest % 60].map { $0.padded(to: 2) }
        )
    }

    private init?(
        _ year: ArraySlice<UInt8>, _ month: ArraySlice<UInt8>, _ day: ArraySlice<UInt8>, _ hour: ArraySlice<UInt8>,
        _ minute: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>
    ) {
        guard let year = Self.number(year), let month = Self.number(month), let day = Self.number(day),
            let hour = Self.number(hour), let minute = Self.number(minute), let second = Self.number(second)
        else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Digits alone, at most nine of them.
    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(text.count), text.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
