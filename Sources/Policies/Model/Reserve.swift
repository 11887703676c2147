/// Free space that is kept on the file system of the recordings.
public enum Reserve: Hashable, Sendable {
    /// So many bytes.
    case bytes(Int64)
    /// A share of the file system, in whole percent, 0…50.
    case percent(Int)

    /// The reserve in bytes on a file system of `capacity` bytes.
    public func bytes(ofCapacity capacity: Int64) -> Int64 {
        switch self {
        case .bytes(let bytes): bytes
        // Divided first: a capacity in bytes times a hundred could overflow.
        case .percent(let percent): max(0, capacity) / 100 * Int64(percent)
        }
    }

    static func parse(_ text: String) throws(Fault) -> Reserve {
        guard text.hasSuffix("%") else { return .bytes(try SizeText.parse(text)) }
        guard let percent = Int(text.dropLast()), (0...50).contains(percent) else {
            throw Fault(
                reason: "\"\(text.prefix(80))\" is not a share from 0% to 50%",
                remedy: "write whole percent such as 5%, or a size such as 20GB")
        }
        return .percent(percent)
    }
}
