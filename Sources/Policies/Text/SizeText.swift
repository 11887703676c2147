/// Sizes as people write them: `500GB`, `2TB`, `1.5TiB`. GB is 10^9 bytes as on the box of a disk, GiB is 2^30.
public enum SizeText {
    /// Largest size that is accepted: 1000 PB.
    public static let maxBytes: Int64 = 1_000_000_000_000_000_000

    private static let units: [(name: String, bytes: Int64)] = [
        ("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
        ("PB", 1_000_000_000_000_000), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
        ("PiB", 1 << 50),
    ]

    /// The size in bytes; nil when the text is none.
    public static func bytes(_ text: String) -> Int64? { try? parse(text) }

    static func parse(_ text: String) throws(Fault) -> Int64 {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unitName = text.dropFirst(number.count).drop { $0 == " " }
        let fault = Fault(
            reason: "\"\(text)\" is not a size", remedy: "write a number with a unit, such as 500GB, 2TB or 1.5TiB")
        if unitName.isEmpty, !number.isEmpty {
            throw Fault(reason: "\(text) has no unit", remedy: "write \(text)GB or \(text)TB")
        }
        guard let unit = units.first(where: { $0.name == unitName }) else {
            // KB and KiB are told apart by their letters, so a wrong case is not guessed.
            if let meant = units.first(where: { $0.name.lowercased() == unitName.lowercased() }) {
                throw Fault(reason: "the unit \(unitName) is unknown", remedy: "write \(number)\(meant.name)")
            }
            throw fault
        }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.count <= 18 }), let whole = Int64(parts[0]) else {
            throw fault
        }
        let (wholeBytes, overflow) = whole.multipliedReportingOverflow(by: unit.bytes)
        guard !overflow, wholeBytes <= maxBytes else {
            throw Fault(
                reason: "\"\(text)\" is larger than 1000PB",
                remedy: "write a smaller size, or leave the key out for no limit")
        }
        guard parts.count == 2 else { return wholeBytes }
        guard parts[1].count <= 3, let fraction = Int64(parts[1]) else {
            throw Fault(
                reason: "\"\(text)\" is more exact than needed", remedy: "write at most three digits after the point")
        }
        let scale: Int64 = [10, 100, 1000][parts[1].count - 1]
        return wholeBytes + unit.bytes / scale * fraction + unit.bytes % scale * fraction / scale
    }

    /// The size as it is written in a file, in the largest unit that divides it, else in bytes with one digit.
    public static func text(bytes: Int64) -> String {
        for unit in units.sorted(by: { $0.bytes > $1.bytes }) where bytes >= unit.bytes && bytes % unit.bytes == 0 {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        for unit in units.prefix(5).reversed() where bytes >= unit.bytes {
            let tenths = bytes / (unit.bytes / 10)
            return "\(tenths / 10).\(tenths % 10)\(unit.name)"
        }
        return "\(bytes)B"
    }
}
