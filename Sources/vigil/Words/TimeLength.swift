internal import ArgumentParser

/// A length of time as people write it: `30s`, `5m`, `1h30m`, `2d`, `500ms`; larger units first, each at most once.
struct TimeLength: Hashable, ExpressibleByArgument {
    /// Milliseconds, more than 0.
    let ms: Int64

    private static let units: [(name: String, ms: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    init?(argument: String) {
        guard let ms = Self.milliseconds(argument), ms > 0 else { return nil }
        self.ms = ms
    }

    /// Milliseconds, 0 or more; nil where it is no length.
    fileprivate static func milliseconds(_ text: String) -> Int64? {
        guard !text.isEmpty else { return nil }
        var rest = text[...]
        var next = 0
        var sum: Int64 = 0
        while !rest.isEmpty {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix { ("a"..."z").contains($0) }
            rest = rest.dropFirst(letters.count)
            guard let count = Int64(digits), digits.count <= 9,
                let unit = units[next...].firstIndex(where: { $0.name == letters })
            else { return nil }
            sum += count * units[unit].ms
            next = unit + 1
        }
        return sum
    }
}

/// A length of time that may be none: as `TimeLength`, or `0s`.
struct TimeLengthOrZero: Hashable, ExpressibleByArgument {
    /// Milliseconds, 0 or more.
    let ms: Int64

    init?(argument: String) {
        guard let ms = TimeLength.milliseconds(argument) else { return nil }
        self.ms = ms
    }
}
