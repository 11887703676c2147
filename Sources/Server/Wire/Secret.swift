internal import Hashing

/// What nobody can guess: letters at random, of which each is one of 32. It is shown once and kept as its digest only.
struct Secret: Hashable, Sendable {
    /// 256 bits and a little, at five bits a letter.
    static let length = 52
    /// Of a code that lives for minutes and once: 130 bits.
    static let codeLength = 26
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// The letters.
    let text: String

    /// New letters, from the system's source of randomness.
    static func random(_ length: Int = length) -> Secret {
        var source = SystemRandomNumberGenerator()
        let bytes = (0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &source)] }
        return Secret(text: String(decoding: bytes, as: UTF8.self))
    }

    private init(text: String) { self.text = text }

    /// Reads `length` letters; nil for anything else.
    init?(_ text: some StringProtocol, length: Int = length) {
        guard text.utf8.count == length, text.utf8.allSatisfy({ Self.letters.contains($0) }) else { return nil }
        self.text = String(text)
    }

    /// What is kept of it. The letters are as random as a key, so that a digest cannot be turned round by trying, and nothing
    /// slower is needed, which would let strangers keep the processor busy.
    var digest: Digest { Digest(of: text) }

    /// What is kept of a secret: its SHA-256.
    struct Digest: Hashable, Sendable, Codable {
        let value: SHA256.Value

        init(of text: String) { value = SHA256.value(of: text.utf8) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let value = SHA256.Value(hex: try container.decode(String.self).utf8) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not 64 hexadecimal digits")
            }
            self.value = value
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("\(value)")
        }

        /// Whether it is the digest of the same secret. How long it takes does not tell how much of it is right.
        func matches(_ other: Digest) -> Bool {
            zip(value.hex, other.value.hex).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }
}
