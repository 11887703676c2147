/// Numbers as people read them.
enum Words {
    /// `999 B`, `12.3 MB`: decimal units, three figures.
    static func size(_ bytes: Int64) -> String {
        let units = ["B", "kB", "MB", "GB", "TB", "PB"]
        var value = Double(max(0, bytes))
        var unit = 0
        while value >= 999.5, unit < units.count - 1 {
            value /= 1_000
            unit += 1
        }
        if unit == 0 || value >= 99.95 { return "\(Int(value.rounded())) \(units[unit])" }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// `83.2 %`, rounded down so that only the whole is 100 %.
    static func share(_ part: Int64, of whole: Int64) -> String {
        guard whole > 0 else { return "0.0 %" }
        let tenths = Int64(Double(part) / Double(whole) * 1_000)
        return "\(tenths / 10).\(tenths % 10) %"
    }

    /// `0.4s`, `12s`, `1m05s`, `2h03m`, `3d04h`: the two largest units.
    static func length(ms: Int64) -> String {
        let ms = max(0, ms)
        if ms < 10_000 {
            let tenths = ms / 100
            return tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s"
        }
        let seconds = ms / 1_000
        let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if minutes == 0 { return "\(seconds)s" }
        if hours == 0 { return "\(minutes)m\(two(seconds % 60))s" }
        if days == 0 { return "\(hours)h\(two(minutes % 60))m" }
        return "\(days)d\(two(hours % 24))h"
    }
}
