internal import XML

/// What goes along with a new object.
public struct PutOptions: Sendable, Hashable {
    /// Its type of media.
    public var contentType: String?
    /// What is kept with it: names of letters, digits, `-` and `_`, values of printable ASCII, together at most 2 KiB, as Amazon S3
    /// has it. Some stores drop it.
    public var metadata: [String: String] = [:]
    /// Whether an object of this key is left as it is, which is `.exists` then (`If-None-Match: *`). Some stores ignore that.
    public var onlyIfNew = false
    /// The sums of all bytes, where somebody has made them already; nil: they are made before it is sent. Bytes of other sums are
    /// not stored.
    public var sums: KnownSums?
    /// How the object is verified afterwards.
    public var verification = PutVerification.told

    /// The usual options.
    public init() {}

    /// The headers; nil where one of them could not be sent as it is.
    var headers: [(name: String, value: String)]? {
        var headers: [(name: String, value: String)] = []
        if let contentType { headers.append(("content-type", contentType)) }
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isWord) else { return nil }
            headers.append(("x-amz-meta-\(name.lowercased())", value))
        }
        let bytes = metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        let areFine = headers.allSatisfy { header in
            // Blanks at the ends would not come back, and several in a row are one in what is signed.
            header.value.utf8.allSatisfy { (0x20...0x7e).contains($0) } && header.value.trimmed == header.value
                && !header.value.contains("  ")
        }
        return areFine && bytes <= 2048 ? headers : nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// How an object is verified after it was sent.
public enum PutVerification: Sendable, Hashable {
    /// By what the store tells of it: its length, and its sum or its entity tag; where it tells nothing that proves anything, the
    /// object is read back.
    case told
    /// By reading it back in any case: what a store that lies cannot get around.
    case read
}

/// What proved that an object is in the store as it was sent.
public enum Verified: Sendable, Hashable {
    /// The sum that the store keeps.
    case checksum(ChecksumAlgorithm)
    /// The entity tag, which is made of MD5.
    case etag
    /// All of its bytes, read back.
    case bytesRead
}

extension Verified: CustomStringConvertible {
    /// What it was, in words.
    public var description: String {
        switch self {
        case .checksum(let algorithm): algorithm.rawValue
        case .etag: "entity tag"
        case .bytesRead: "bytes read back"
        }
    }
}

/// An object that was sent and verified.
public struct StoredObject: Sendable, Hashable {
    /// Its key.
    public let key: String
    /// Its length in bytes.
    public let bytes: UInt64
    /// The entity tag that the store tells; nil where it tells none.
    public let etag: String?
    /// What proved it.
    public let verified: Verified
}
