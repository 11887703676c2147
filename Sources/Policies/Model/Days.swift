/// A set of days of the week.
public struct Days: OptionSet, Hashable, Sendable {
    /// One bit a day, Monday the lowest.
    public let rawValue: UInt8

    /// A set of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x7F }

    /// Every day.
    public static let daily = Days(rawValue: 0x7F)

    static let minutesPerDay = 1_440
    static let minutesPerWeek = 10_080
    static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// The set of one day, 0 Monday … 6 Sunday; empty for any other number.
    public static func day(_ index: Int) -> Days {
        (0..<7).contains(index) ? Days(rawValue: 1 << UInt8(index)) : []  // 0…6
    }

    /// The days as numbers, 0 Monday … 6 Sunday, in order.
    public var indices: [Int] { (0..<7).filter { contains(.day($0)) } }
}

/// Days as they are written: `daily`, `mon`, `mon-fri`, `sat,sun`, `fri-mon`.
enum DaysText {
    static func parse(_ text: String) throws(Fault) -> Days {
        var days: Days = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            days.formUnion(try range(part.trimmedBlanks, in: text))
        }
        return days
    }

    private static func range(_ part: Substring, in text: String) throws(Fault) -> Days {
        if part == "daily" { return .daily }
        let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { $0.trimmedBlanks }
        guard (1...2).contains(ends.count) else { throw fault(part, text) }
        var numbers: [Int] = []
        for end in ends {
            guard let number = Days.names.firstIndex(of: String(end)) else { throw fault(end, text) }
            numbers.append(number)
        }
        guard let first = numbers.first, let last = numbers.last else { throw fault(part, text) }
        // fri-mon goes over the end of the week.
        let length = (last - first + 7) % 7
        return (0...length).reduce(into: Days()) { $0.formUnion(.day((first + $1) % 7)) }
    }

    private static func fault(_ part: Substring, _ text: String) -> Fault {
        let folded = part.lowercased()
        let nearest =
            Days.names.contains(String(folded.prefix(3))) && folded.count >= 3
            ? String(folded.prefix(3)) : Spelling.nearest(to: folded, among: Days.names + ["daily"])
        return Fault(
            reason: "\"\(part.prefix(40))\" is not a day",
            remedy: nearest.map { "did you mean \($0)?" } ?? "write daily, mon, mon-fri, or sat,sun")
    }
}

/// Times of day as they are written: `08:00`, `24:00`.
enum ClockText {
    /// Minutes after midnight.
    static func parse(_ text: String, midnightEnds: Bool) throws(Fault) -> Int {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let wellFormed =
            parts.count == 2 && parts.allSatisfy { $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } }
        guard wellFormed, let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60,
            hour < 24 || (hour == 24 && minute == 0)
        else {
            throw Fault(
                reason: "\"\(text.prefix(40))\" is not a time of day",
                remedy: "write HH:MM in quotes, such as \"08:00\"")
        }
        guard hour < 24 || midnightEnds else {
            throw Fault(reason: "an entry cannot begin at 24:00", remedy: "write \"00:00\" and the next day")
        }
        return hour * 60 + minute
    }

    /// As it is written.
    static func text(minute: Int) -> String {
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}

extension Substring {
    /// Without blanks at either end.
    var trimmedBlanks: Substring {
        var result = drop { $0 == " " }
        while result.last == " " { result.removeLast() }
        return result
    }
}
