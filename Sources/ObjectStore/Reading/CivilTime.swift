/// A point in time as servers write it, in seconds since 1970 UTC. Years 1970 to 9999; nothing is read by locale.
struct CivilTime: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z; below 253,402,300,800, the year 10000.
    let seconds: Int64

    /// The last second of the year 9999.
    static let secondsMax: Int64 = 253_402_300_799

    /// A time; what lies outside of 1970 to 9999 becomes the nearest that does not.
    init(clamping seconds: Int64) { self.seconds = min(max(seconds, 0), Self.secondsMax) }

    /// A time from its parts; nil where one is out of its range.
    init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        // Days since 1970 by counting years that begin in March, so that the leap day is the last.
        let shifted = month <= 2 ? year - 1 : year
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - 719_468
        let sum = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
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
        let (year, month, day) = civil
        let rest = Int(seconds % 86_400)
        return Self.digits(year, 4) + Self.digits(month, 2) + Self.digits(day, 2) + "T" + Self.digits(rest / 3600, 2)
            + Self.digits(rest / 60 % 60, 2) + Self.digits(rest % 60, 2) + "Z"
    }

    /// `2013-05-24T00:00:00Z`.
    var iso: String {
        let (year, month, day) = civil
        let rest = Int(seconds % 86_400)
        return Self.digits(year, 4) + "-" + Self.digits(month, 2) + "-" + Self.digits(day, 2) + "T"
            + Self.digits(rest / 3600, 2) + ":" + Self.digits(rest / 60 % 60, 2) + ":" + Self.digits(rest % 60, 2) + "Z"
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

    /// Year, month and day.
    private var civil: (Int, Int, Int) {
        let days = Int(seconds / 86_400) + 719_468
        let ofEra = days % 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * ofYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + days / 146_097 * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * shifted + 2) / 5 + 1)
    }

    /// Digits alone, at most nine of them.
    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(text.count), text.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
