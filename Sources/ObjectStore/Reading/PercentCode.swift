internal import Hashing

/// Percent-encoding as Signature Version 4 wants it ("UriEncode" in the AWS documents): every byte of the UTF-8 is escaped with
/// upper-case digits, except letters, digits, `-`, `.`, `_` and `~`.
enum PercentCode {
    /// `text` escaped; `/` stays where `keepsSlash` says so, as in the path of an object.
    static func encode(_ text: some StringProtocol, keepsSlash: Bool = false) -> String {
        Hex.escaped(text) { Hex.isUnreserved($0) || keepsSlash && $0 == UInt8(ascii: "/") }
    }

    /// What `text` stands for, with `+` as itself; nil where an escape is broken or the bytes are no UTF-8.
    static func decode(_ text: some StringProtocol) -> String? {
        Hex.decoded(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
