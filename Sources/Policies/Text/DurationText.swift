/// Durations as people write them: `60s`, `10m`, `1h30m`, `7d`. Whole numbers with units, larger units first.
public enum DurationText {
    /// Longest duration that is accepted: 100 years, in milliseconds.
    public static let maxMs: Int64 = 100 * 365 * 86_400_000

    private static let units: [(name: Character, ms: Int64)] = [
        ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000),
    ]

    /// The duration in milliseconds; nil when the text is none.
    public static func milliseconds(_ text: String) -> Int64? { try? parse(text) }

    static func parse(_ text: String) throws(Fault) -> Int64 {
        let plainNumber = !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
        if plainNumber {
            throw Fault(reason: "\(text) has no unit", remedy: "write \(text)s for seconds, \(text)m for minutes")
        }
        var total: Int64 = 0
        var number: Int64?
        var rest = units[...]
        for character in text {
            if let digit = character.wholeNumberValue, character.isASCII {
                let (value, overflow) = (number ?? 0).multipliedReportingOverflow(by: 10)
                guard !overflow, value <= Self.maxMs else { throw tooLong(text) }
                number = value + Int64(digit)
            } else {
                guard let count = number, let index = rest.firstIndex(where: { $0.name == character }) else {
                    throw notOne(text)
                }
                let (part, overflow) = count.multipliedReportingOverflow(by: rest[index].ms)
                guard !overflow, part <= Self.maxMs - total else { throw tooLong(text) }
                total += part
                number = nil
                rest = rest[(index + 1)...]
            }
        }
        guard number == nil, rest.count < units.count else { throw notOne(text) }
        return total
    }

    /// The duration as it is written in a file, in the fewest units: 90 000 is `1m30s`.
    public static func text(milliseconds: Int64) -> String {
        guard milliseconds >= 1000 else { return milliseconds > 0 ? "\(milliseconds)ms" : "0s" }
        var rest = milliseconds
        var parts = ""
        for unit in units where unit.name != "w" {
            let count = rest / unit.ms
            if count > 0 { parts += "\(count)\(unit.name)" }
            rest %= unit.ms
        }
        return parts
    }

    private static func notOne(_ text: String) -> Fault {
        Fault(
            reason: "\"\(text)\" is not a duration",
            remedy: "write whole numbers with units, such as 30s, 10m, 1h30m or 7d")
    }

    private static func tooLong(_ text: String) -> Fault {
        Fault(
            reason: "\"\(text)\" is longer than 100 years",
            remedy: "write a shorter duration, or leave the key out for no limit")
    }
}
