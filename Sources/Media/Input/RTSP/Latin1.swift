/// Text of a protocol as its bytes: each scalar is one byte (ISO 8859-1). What a camera says in no known coding can be said
/// back as it came.
enum Latin1 {
    /// One scalar for each byte.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }

    /// One byte for each scalar; a question mark for one that no byte has.
    static func bytes(_ text: some StringProtocol) -> [UInt8] {
        text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
    }
}
