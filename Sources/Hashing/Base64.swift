/// Base64 with padding (RFC 4648 section 4), written and read strictly.
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The letters of `bytes`.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            word <<= UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                text.append(
                    place <= group.count ? letters[Int(word >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
            start += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` stands for; nil where it is no Base64 of whole groups.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var (bytes, word, count, padding) = ([UInt8](), UInt32(0), 0, 0)
        for letter in text.utf8 {
            if letter == UInt8(ascii: "=") {
                padding += 1
                word <<= 6
            } else {
                guard padding == 0, let value = letters.firstIndex(of: letter) else { return nil }
                word = word << 6 | UInt32(value)
            }
            count += 1
            if count % 4 == 0 {
                guard padding <= 2 else { return nil }
                let group = [16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
                bytes += group.prefix(3 - padding)
                word = 0
            }
        }
        return count % 4 == 0 ? bytes : nil
    }
}
