/// Takes secrets out of what another says: a camera, a device, a service. Each is found in any case, percent-encoded in whole or in part,
/// also more than once, and in Base64, a password with the user's name before it, too.
package struct SecretFilter: Sendable {
    private static let mark = Array("***".utf8)
    /// How many times a text is decoded, at most.
    private static let roundsMax = 3

    /// In small letters.
    private let plain: [[UInt8]]
    private let encoded: [[UInt8]]

    /// The filter of a login.
    package init(user: String, password: String) { self.init(words: [], login: (user, password)) }

    /// The filter of other words, and of a login.
    package init(words: [String], login: (user: String, password: String)? = nil) {
        var words = words.map { Array($0.utf8) }
        if let login { words.append(Array(login.password.utf8)) }
        words = words.filter { !$0.isEmpty }
        // An address is percent-encoded itself.
        plain = words.flatMap { [$0] + Self.decodings(of: $0) }.map { $0.map(Self.lower) }
        if let login, !login.password.isEmpty { words.append(Array("\(login.user):\(login.password)".utf8)) }
        encoded = words.flatMap { secret in
            // Behind nothing, one byte or two bytes of something else, the same bytes give other letters.
            (0..<3).map { Self.base64(of: secret, behind: $0) }
        }.filter { $0.count >= 4 }
    }

    /// `text` without the secrets.
    package func clean(_ text: String) -> String {
        guard !plain.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var hidden = [Bool](repeating: false, count: bytes.count)
        var view = bytes.enumerated().map { (byte: $1, range: $0..<($0 + 1)) }
        for _ in 0..<Self.roundsMax {
            for secret in plain { hide(secret, in: view, where: Self.lower, &hidden) }
            for secret in encoded { hide(secret, in: view, where: Self.standardLetter, &hidden) }
            let decoded = Self.decoded(view)
            if decoded.count == view.count { break }
            view = decoded
        }
        guard hidden.contains(true) else { return text }
        var result: [UInt8] = []
        for index in bytes.indices {
            if !hidden[index] {
                result.append(bytes[index])
            } else if index == 0 || !hidden[index - 1] {
                result += Self.mark
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Marks where `secret` stands in a view of the text.
    private func hide(
        _ secret: [UInt8], in view: [(byte: UInt8, range: Range<Int>)], where form: (UInt8) -> UInt8,
        _ hidden: inout [Bool]
    ) {
        guard !secret.isEmpty, view.count >= secret.count else { return }
        for start in 0...(view.count - secret.count)
        where secret.indices.allSatisfy({ form(view[start + $0].byte) == secret[$0] }) {
            for part in view[start..<(start + secret.count)] { for index in part.range { hidden[index] = true } }
        }
    }

    /// What `bytes` come to when they are decoded, once and again.
    private static func decodings(of bytes: [UInt8]) -> [[UInt8]] {
        var (result, view): ([[UInt8]], _) = ([], bytes.map { (byte: $0, range: 0..<0) })
        for _ in 0..<roundsMax {
            let next = decoded(view)
            if next.count == view.count { break }
            view = next
            result.append(view.map(\.byte))
        }
        return result
    }

    /// The view with each `%41` as one byte.
    private static func decoded(_ view: [(byte: UInt8, range: Range<Int>)]) -> [(byte: UInt8, range: Range<Int>)] {
        var result: [(byte: UInt8, range: Range<Int>)] = []
        var index = 0
        while index < view.count {
            if view[index].byte == UInt8(ascii: "%"), index + 2 < view.count,
                let high = Hex.value(of: view[index + 1].byte),
                let low = Hex.value(of: view[index + 2].byte)
            {
                result.append((high << 4 | low, view[index].range.lowerBound..<view[index + 2].range.upperBound))
                index += 3
            } else {
                result.append(view[index])
                index += 1
            }
        }
        return result
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// The letters of Base64 for addresses as those of Base64.
    private static func standardLetter(_ byte: UInt8) -> UInt8 {
        byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
    }

    /// The letters of Base64 that are those of `secret` alone, where `before` bytes modulo 3 stand before it.
    private static func base64(of secret: [UInt8], behind before: Int) -> [UInt8] {
        let letters = Base64.text([UInt8](repeating: 0, count: before) + secret).utf8
        // The first letter may begin with bits of what stands before, and the last end with bits of what follows.
        return Array(letters.prefix((before + secret.count) * 8 / 6).dropFirst((before * 8 + 5) / 6))
    }
}
