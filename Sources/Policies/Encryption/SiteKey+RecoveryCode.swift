internal import Hashing

/// The key of a site as people write it down: Base32 (RFC 4648), in which 0, 1, 8 and 9 do not occur, of the key and of three
/// bytes that find out a slip of the pen.
extension SiteKey {
    /// Why a text is no recovery code. It holds nothing of the text.
    public enum CodeProblem: Error, Hashable, Sendable, CustomStringConvertible {
        /// So many letters and digits in the place of 56.
        case length(Int)
        /// It has a character that no code has.
        case character
        /// A letter is another one than it was, or some changed their places.
        case mistyped

        /// What is wrong, and what to do.
        public var description: String {
            switch self {
            case .length(let count):
                "a recovery code has \(SiteKey.codeLength) letters and digits, and this one has \(count); compare it with the paper"
            case .character: "a recovery code has letters and the digits 2 to 7; compare it with the paper"
            case .mistyped: "a letter of it is not as it was written down; compare it with the paper"
            }
        }
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    private static let sumBytes = 3
    /// Letters and digits of a code.
    static let codeLength = (bytesCount + sumBytes) * 8 / 5
    private static let (groupLength, lineGroups) = (4, 7)

    /// The code in two lines of seven groups with four letters and digits each. As secret as the key.
    public var recoveryCode: [String] {
        var (text, bits, count) = ([UInt8](), UInt32(0), 0)
        for byte in bytes + Self.sum(bytes) {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)  // a byte
            while count >= 5 {
                count -= 5
                text.append(Self.digits[Int(bits >> UInt32(count) & 31)])  // 0…7
            }
            bits &= (1 << UInt32(count)) - 1  // 0…4
        }
        let groups = stride(from: 0, to: text.count, by: Self.groupLength).map {
            String(decoding: text[$0..<min($0 + Self.groupLength, text.count)], as: UTF8.self)
        }
        return stride(from: 0, to: groups.count, by: Self.lineGroups).map {
            groups[$0..<min($0 + Self.lineGroups, groups.count)].joined(separator: " ")
        }
    }

    /// The key that a code stands for. Case does not matter, nor do spaces and hyphens; 0, 1 and 8 are read as the letters that they
    /// look like.
    public init(recoveryCode text: String) throws(CodeProblem) {
        var (found, letters, bits, count) = ([UInt8](), 0, UInt32(0), 0)
        for byte in text.utf8 where ![0x20, 0x2D, 0x09, 0x0A, 0x0D].contains(byte) {
            guard let value = Self.value(byte) else { throw .character }
            letters += 1
            (bits, count) = (bits << 5 | value, count + 5)
            if count >= 8 {
                count -= 8
                found.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))  // 0…4
                bits &= (1 << UInt32(count)) - 1  // 0…4
            }
            // What comes after that is counted, and not kept.
            if letters >= Self.codeLength { (bits, count) = (0, 0) }
        }
        guard letters == Self.codeLength else { throw .length(letters) }
        let key = Array(found.prefix(Self.bytesCount))
        guard Self.sum(key) == Array(found.dropFirst(Self.bytesCount)), let made = SiteKey(bytes: key) else {
            throw .mistyped
        }
        self = made
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        let alike: [UInt8: Character] = [0x30: "O", 0x31: "I", 0x38: "B"]
        let upper = alike[byte].flatMap(\.asciiValue) ?? ((0x61...0x7A).contains(byte) ? byte - 0x20 : byte)
        return digits.firstIndex(of: upper).map(UInt32.init)
    }

    private static func sum(_ key: [UInt8]) -> [UInt8] {
        Array(SHA256.value(of: Array("vigil recovery code".utf8) + [0] + key).bytes.prefix(sumBytes))
    }
}
