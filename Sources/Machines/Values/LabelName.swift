/// The name of what a program recognises in a picture, such as `person`.
public enum LabelName {
    /// The most bytes of a name.
    public static let bytesMax = 32

    /// Whether a text can be a name: 1…``bytesMax`` letters of ASCII, digits, `-` and `_`.
    public static func isValid(_ text: String) -> Bool {
        (1...bytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
