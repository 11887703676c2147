/// JSON with its keys in a chosen order, so that the committed schemas are stable and readable.
indirect enum SchemaJSON {
    case string(String)
    case number(Int)
    case flag(Bool)
    case array([SchemaJSON])
    case object([(String, SchemaJSON)])

    /// A text that matches a regular expression.
    static func pattern(_ expression: String, minLength: Int? = nil) -> SchemaJSON {
        .object(
            [("type", .string("string"))] + (minLength.map { [("minLength", .number($0))] } ?? [])
                + [("pattern", .string(expression))])
    }

    /// The text, indented by two blanks a level.
    func text(indent: Int = 0) -> String {
        let pad = String(repeating: "  ", count: indent + 1)
        let end = String(repeating: "  ", count: indent)
        switch self {
        case .string(let value): return Self.quoted(value)
        case .number(let value): return "\(value)"
        case .flag(let value): return "\(value)"
        case .array(let values):
            return "[" + values.map { $0.text(indent: indent) }.joined(separator: ", ") + "]"
        case .object(let pairs):
            guard !pairs.isEmpty else { return "{}" }
            let lines = pairs.map { "\(pad)\(Self.quoted($0.0)): \($0.1.text(indent: indent + 1))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(end)}"
        }
    }

    private static func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

    /// `text` as the inside of a string of JSON.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default:
                if scalar.value < 0x20 {
                    let hex = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
