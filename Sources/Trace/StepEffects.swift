internal import Hashing

/// The effects of one step as its record has them: each by a short digest of its own, so that an order or a report that is
/// not the machine's is named, and not only that something differs.
public struct StepEffects: Sendable, Hashable {
    /// One word for each effect, in their order: `o` for an order or `r` for a report, and 8 hexadecimal digits.
    public let words: [String]
    /// The canonical JSON of their array.
    let bytes: [UInt8]

    /// The effects of a step.
    ///
    /// - Throws: ``TraceError/notEncodable(subject:cause:)``.
    public init<Effect: Encodable>(_ effects: [Effect]) throws(TraceError) {
        var words: [String] = []
        var bytes = [UInt8(ascii: "[")]
        for effect in effects {
            let one = try CanonicalJSON.encode(effect)
            words.append(Self.word(one))
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            bytes += one
        }
        self.words = words
        self.bytes = bytes + [UInt8(ascii: "]")]
    }

    /// The words as the record has them, parted by spaces; empty for no effect.
    public var text: String { words.joined(separator: " ") }

    /// A report is what every machine calls `report`. The halves of the digest are laid over each other.
    private static func word(_ bytes: [UInt8]) -> String {
        let digest = Digest(of: bytes).value
        let isReport = bytes.starts(with: #"{"report":"#.utf8)
        return (isReport ? "r" : "o") + Hex.text(UInt32(truncatingIfNeeded: digest ^ digest >> 32))
    }
}
