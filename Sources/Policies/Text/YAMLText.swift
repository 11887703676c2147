/// Text as it is written into YAML.
public enum YAMLText {
    /// Text in quotation marks, as YAML reads it: no control character stands in it as it is.
    public static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": out += "\\\(scalar)"
            case "\n": out += "\\n"
            case _
            where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || [0x2028, 0x2029, 0xFEFF].contains(scalar.value):
                out +=
                    "\\u" + String(repeating: "0", count: max(0, 4 - String(scalar.value, radix: 16).count))
                    + String(scalar.value, radix: 16)
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
