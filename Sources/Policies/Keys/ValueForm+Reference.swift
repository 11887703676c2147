import Machines

extension ValueForm {
    /// What may be written, for messages and the reference tables.
    var inWords: String {
        switch self {
        case .name: "a name (small letters, digits, `-`, `_`; at most 64)"
        case .zone: "the name of a zone, or `null`"
        case .label: "a label (letters, digits, `-`, `_`; at most \(LabelName.bytesMax))"
        case .words: "a text of one line"
        case .template: "a text of one line, with fields"
        case .path: "a path"
        case .address: "an address (`rtsp://`, `rtsps://`, `file:///…`, `demo`)"
        case .listen: "an address and port, or `none`"
        case .numericAddress: "an address in numbers, without a port"
        case .webAddress: "an address (`https://`, `http://`)"
        case .broker: "an address (`mqtts://`, `mqtt://`)"
        case .bucket: "the name of a bucket"
        case .prefix: "names with slashes between them"
        case .timeZone: "a time zone, such as `Europe/Rome`"
        case .variable: "the name of an environment variable"
        case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .sensitivity: "`1`, `5`, `10` or `low`, `medium`, `high`"
        case .duration(let range, let allowed): Self.durationInWords(range, allowed)
        case .size: "a size (KB, MB, GB, TB, PB or KiB … PiB)"
        case .sizeOrShare: "a size, or a share in `%`"
        case .whole(let range): "a whole number, `\(range.lowerBound)` to `\(range.upperBound)`"
        case .numbers(let numbers): numbers.map { "`\($0)`" }.joined(separator: ", ")
        case .flag: "`true` or `false`"
        case .clock(let midnightEnds): midnightEnds ? "`\"00:00\"` to `\"24:00\"`" : "`\"00:00\"` to `\"23:59\"`"
        case .days: "days: `daily`, `mon`, `mon-fri`, `sat,sun`"
        }
    }

    private static func durationInWords(_ range: ClosedRange<Int64>, _ allowed: [Int64]) -> String {
        if !allowed.isEmpty {
            return allowed.map { "`\(DurationText.text(milliseconds: $0))`" }.joined(separator: ", ")
        }
        let low = DurationText.text(milliseconds: range.lowerBound)
        guard range.upperBound < DurationText.maxMs else { return "a duration (s, m, h, d, w) from `\(low)`" }
        return "a duration (s, m, h, d, w), `\(low)` to `\(DurationText.text(milliseconds: range.upperBound))`"
    }

    /// The form as a JSON Schema; the loader checks more than a schema can say (limits, names that must exist).
    var schema: SchemaJSON {
        switch self {
        case .name: .pattern("^[a-z0-9][a-z0-9_-]{0,63}$")
        case .zone: .object([("anyOf", .array([ValueForm.name.schema, .object([("type", .string("null"))])]))])
        case .label: .pattern("^[A-Za-z0-9_-]{1,\(LabelName.bytesMax)}$")
        case .words, .template:
            .object([("type", .string("string")), ("minLength", .number(1)), ("maxLength", .number(500))])
        case .path: .object([("type", .string("string")), ("minLength", .number(1))])
        case .address: .pattern("^(rtsps?://[^@\\s/]+(/\\S*)?|file:///.+|demo:?)$")
        case .listen: .pattern("^(none|.+:[0-9]{1,5})$")
        case .numericAddress: .pattern("^[0-9A-Fa-f:.]{2,45}$")
        case .webAddress: .pattern("^https?://[^/@\\s?#]+(/[^@\\s?#]*)?$")
        case .broker: .pattern("^mqtts?://[A-Za-z0-9._:%\\[\\]-]+/?$")
        case .bucket: .pattern("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$")
        case .prefix: .pattern("^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*/?$")
        case .timeZone: .object([("type", .string("string")), ("minLength", .number(1))])
        case .variable: .pattern("^[A-Za-z_][A-Za-z0-9_]{0,127}$")
        case .choice(let words): .object([("type", .string("string")), ("enum", .array(words.map(SchemaJSON.string)))])
        case .sensitivity:
            .object([
                (
                    "enum",
                    .array([.number(1), .number(5), .number(10), .string("low"), .string("medium"), .string("high")])
                )
            ])
        case .duration: .pattern("^([0-9]+w)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?$", minLength: 2)
        case .size: .pattern("^[0-9]+(\\.[0-9]{1,3})? ?[KMGTP]i?B$")
        case .sizeOrShare: .pattern("^([0-9]{1,2}%|[0-9]+(\\.[0-9]{1,3})? ?[KMGTP]i?B)$")
        case .whole(let range):
            .object([
                ("type", .string("integer")), ("minimum", .number(range.lowerBound)),
                ("maximum", .number(range.upperBound)),
            ])
        case .numbers(let numbers):
            .object([("type", .string("integer")), ("enum", .array(numbers.map(SchemaJSON.number)))])
        case .flag: .object([("type", .string("boolean"))])
        case .clock(let midnightEnds):
            .pattern(midnightEnds ? "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$" : "^([01][0-9]|2[0-3]):[0-5][0-9]$")
        case .days:
            .pattern(
                "^(daily|(mon|tue|wed|thu|fri|sat|sun)(-(mon|tue|wed|thu|fri|sat|sun))?)( *, *(daily|(mon|tue|wed|thu|fri|sat|sun)(-(mon|tue|wed|thu|fri|sat|sun))?))*$"
            )
        }
    }
}
