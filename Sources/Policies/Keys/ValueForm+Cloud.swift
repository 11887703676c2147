extension ValueForm {
    /// The longest address and the longest prefix, in characters: keys have at most 1024 bytes.
    private static let (addressMax, prefixMax) = (2_048, 256)

    /// Checks what names a place in the network or in a bucket.
    func checkCloud(_ text: String) throws(Fault) {
        switch self {
        case .webAddress:
            if text.contains("@") {
                throw Fault(
                    reason: "the address names a user", remedy: "take everything up to the @ out, and use a credential")
            }
            guard text.utf8.count <= Self.addressMax, text.wholeMatch(of: /https?:\/\/[^\/\s?#]+(\/[^\s?#]*)?/) != nil
            else {
                // Not what stands behind the host: it may be a secret.
                let begin = text.prefix { $0 != "?" && $0 != "#" }.split(
                    separator: "/", maxSplits: 3, omittingEmptySubsequences: false
                ).prefix(3).joined(separator: "/").prefix(80)
                throw Fault(
                    reason: "\"\(begin)…\" is no address of HTTP",
                    remedy: "write https://host, with a port or a path where there is one, and nothing behind a ? or #")
            }
        case .bucket:
            guard text.wholeMatch(of: /[a-z0-9][a-z0-9.\-]{1,61}[a-z0-9]/) != nil, !text.contains("..") else {
                throw Fault(
                    reason: "\"\(text.prefix(80))\" cannot be the name of a bucket",
                    remedy: "use 3 to 63 small letters, digits, - and ., beginning and ending with a letter or digit")
            }
        case .prefix:
            let names = text.split(separator: "/")
            guard text.utf8.count <= Self.prefixMax,
                text.wholeMatch(of: /[A-Za-z0-9._\-]+(\/[A-Za-z0-9._\-]+)*\/?/) != nil, !names.contains("."),
                !names.contains("..")
            else {
                throw Fault(
                    reason: "\"\(text.prefix(80))\" cannot begin a key",
                    remedy: "use letters, digits, -, _ and . with slashes between them, at most \(Self.prefixMax)")
            }
        default: break
        }
    }
}
