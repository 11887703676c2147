/// The last guard before the journal: takes passwords out of every address in a text.
///
/// Credentials should never come this far: `Credential` and `CameraCredential` do not print themselves, and what a camera says
/// goes through `SecretFilter`. Where one does (a URL in an error of a library, a camera that repeats its
/// address), this removes it. Two shapes are known: `scheme://user:password@host`, from which everything up to the `@`
/// goes, and `password=…` and its kin inside an address, whose value goes.
public enum Redaction {
    /// What stands in place of the value of a secret parameter.
    static let mark = Array("REDACTED".utf8)

    /// Parameter names whose value is a secret, lower case.
    static let secretKeys = ["password", "passwd", "pwd", "pass", "token", "secret", "signature", "auth"]

    /// `text` without secrets; the same text where it holds no address.
    public static func clean(_ text: String) -> String {
        // By bytes: behind a slash that carries an accent an address goes on all the same.
        let bytes = Array(text.utf8)
        guard bytes.indices.contains(where: { startsAddress(bytes, at: $0) }) else { return text }
        return String(decoding: clean(bytes), as: UTF8.self)
    }

    static func clean(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard startsAddress(bytes, at: index) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result.append(contentsOf: "://".utf8)
            let start = index + 3
            let end = addressEnd(bytes, from: start)
            let host = hostStart(bytes[start..<end])
            append(parameters: bytes[host..<end], to: &result)
            index = end
        }
        return result
    }

    private static func startsAddress(_ bytes: [UInt8], at index: Int) -> Bool {
        index + 2 < bytes.count && bytes[index] == UInt8(ascii: ":") && bytes[index + 1] == UInt8(ascii: "/")
            && bytes[index + 2] == UInt8(ascii: "/")
    }

    /// White space, double quotes (also escaped, as in JSON), angle brackets and controls end an address.
    private static func addressEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            let isQuote = byte == UInt8(ascii: "\"")
            let isEscape =
                byte == UInt8(ascii: "\\") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\"")
            let isBracket = byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
            if byte <= 0x20 || byte == 0x7f || isQuote || isEscape || isBracket { break }
            index += 1
        }
        return index
    }

    /// Where the host begins: behind the last `@` of the authority.
    ///
    /// A password may hold an unescaped `/`, `?` or `#`, which ends the authority too early. It shows by what then
    /// stands behind the last colon, which is no port; in that case the last `@` of the address counts.
    private static func hostStart(_ address: ArraySlice<UInt8>) -> Int {
        let separators: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
        let at = UInt8(ascii: "@")
        let authority = address[..<(address.firstIndex(where: separators.contains) ?? address.endIndex)]
        if let last = authority.lastIndex(of: at) { return last + 1 }
        guard !isHostAndPort(authority), let last = address.lastIndex(of: at) else { return address.startIndex }
        return last + 1
    }

    private static func isHostAndPort(_ authority: ArraySlice<UInt8>) -> Bool {
        if authority.first == UInt8(ascii: "["), authority.contains(UInt8(ascii: "]")) { return true }
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return true }
        let port = authority[(colon + 1)...]
        return port.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }

    private static func append(parameters address: ArraySlice<UInt8>, to result: inout [UInt8]) {
        var index = address.startIndex
        while index < address.endIndex {
            let byte = address[index]
            result.append(byte)
            index += 1
            guard byte == UInt8(ascii: "="), isSecret(address[..<(index - 1)]) else { continue }
            result.append(contentsOf: mark)
            index = address[index...].firstIndex(where: endsParameter) ?? address.endIndex
        }
    }

    private static func isSecret(_ prefix: ArraySlice<UInt8>) -> Bool {
        let letters = prefix.suffix(32).reversed().prefix { byte in
            let lower = byte | 0x20
            return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
        }
        let key = String(decoding: letters.reversed(), as: UTF8.self).lowercased()
        return secretKeys.contains { key.hasSuffix($0) }
    }

    private static func endsParameter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "#")
    }
}
