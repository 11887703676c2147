/// The sum of a certificate (RFC 8122, 5).
struct Fingerprint: Hashable, Sendable {
    /// How a sum is made. SHA-1 and MD5 prove nothing any more.
    enum Hash: String, Hashable, Sendable {
        case sha256 = "sha-256"
        case sha384 = "sha-384"
        case sha512 = "sha-512"

        /// The size of a sum, in bytes.
        var bytes: Int {
            switch self {
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }
    }

    let hash: Hash
    let sum: [UInt8]

    /// A sum.
    init(_ hash: Hash, _ sum: [UInt8]) { (self.hash, self.sum) = (hash, sum) }

    /// Reads `sha-256 AB:CD:…`; nil for what is no sum of a hash that is trusted.
    init?(_ text: Substring) {
        let words = text.words(2)
        guard words.count == 2, let hash = Hash(rawValue: words[0].lowercased()) else { return nil }
        let digits = words[1].split(separator: ":", omittingEmptySubsequences: false)
        guard digits.count == hash.bytes, digits.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        let sum = digits.compactMap { UInt8($0, radix: 16) }
        guard sum.count == hash.bytes else { return nil }
        self.init(hash, sum)
    }

    /// As a session description has it.
    var text: String {
        let digits = sum.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        return "\(hash.rawValue) \(digits.joined(separator: ":"))"
    }
}
