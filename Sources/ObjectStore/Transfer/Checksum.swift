internal import Hashing

/// Which sum goes along with an object from end to end ("Checking object integrity" in the Amazon S3 user guide).
public enum ChecksumAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// CRC-32C: finds damage, costs next to nothing.
    case crc32c = "CRC32C"
    /// SHA-256: finds forgery, too.
    case sha256 = "SHA256"
    /// None: some stores refuse headers that they do not know.
    case none = "NONE"

    /// The header that carries it.
    var header: String { "x-amz-checksum-\(rawValue.lowercased())" }
    /// The element of it in an answer.
    var element: String { "Checksum\(rawValue)" }
}

/// The sums of a stretch of bytes: all that a store may be asked to compare.
struct Sums: Sendable, Hashable {
    let bytes: UInt64
    let crc32c: UInt32
    /// Nil where the store is known to tell a sum of its own: no processor has instructions for this one.
    let md5: [UInt8]?
    /// Nil where nobody asks for it.
    let sha256: SHA256.Value?

    /// The value of a header or element, in Base64; nil where there is to be none.
    func text(_ algorithm: ChecksumAlgorithm) -> String? {
        switch algorithm {
        case .crc32c: Self.text(crc32c)
        case .sha256: sha256.map { Base64.text($0.bytes) }
        case .none: nil
        }
    }

    /// The entity tag of an object or part of these bytes, where a store makes it of MD5.
    var etag: String? { md5.map { Hex.text($0) } }

    /// A CRC as headers have it: four bytes, the highest first, in Base64.
    static func text(_ crc: UInt32) -> String {
        Base64.text([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) })
    }
}

extension Sums {
    /// Those of a part.
    init(_ part: JointSums.Part) {
        self.init(bytes: part.bytes, crc32c: part.crc32c, md5: part.md5, sha256: part.sha256)
    }
}

/// Makes sums of what is taken in.
struct Summing: Sendable {
    private var joint: JointSums?
    private var bytes: UInt64 = 0
    private var crc32c = CRC32C()
    private var md5: MD5?

    init(withSHA256: Bool, withMD5: Bool) {
        if withSHA256 {
            joint = JointSums(md5: withMD5 ? .whole : .nothing, partSHA256: false)
        } else {
            md5 = withMD5 ? MD5() : nil
        }
    }

    mutating func update(_ more: UnsafeBufferPointer<UInt8>) {
        if joint != nil {
            joint?.update(more)
        } else {
            bytes &+= UInt64(more.count)
            crc32c.update(more)
            md5?.update(more)
        }
    }

    func finish() -> Sums {
        guard var joint else {
            return Sums(bytes: bytes, crc32c: crc32c.value, md5: md5.map { $0.finish() }, sha256: nil)
        }
        let (part, whole) = (joint.endPart(), joint.finish())
        return Sums(bytes: part.bytes, crc32c: part.crc32c, md5: whole.md5, sha256: whole.sha256)
    }

    /// All sums of `bytes`.
    static func sums(of bytes: [UInt8]) -> Sums { sums(of: bytes, withMD5: true) }

    /// The sums of `bytes`, with MD5 or without.
    static func sums(of bytes: [UInt8], withMD5: Bool) -> Sums {
        var summing = Summing(withSHA256: true, withMD5: withMD5)
        bytes.withUnsafeBufferPointer { summing.update($0) }
        return summing.finish()
    }
}

/// What is expected of a whole object: its length, and what each kind of sum must be.
struct Expectation: Sendable, Hashable {
    let bytes: UInt64
    /// The CRC-32C of all bytes; nil where it is not known.
    let crc32c: UInt32?
    /// The checksums that prove the object, as `x-amz-checksum-…` has them.
    let checksums: [ChecksumAlgorithm: Set<String>]
    /// The entity tags that prove it: a store may make them of MD5. Those are missing whose MD5 was not made.
    private(set) var tags: Set<String>
    /// The lengths of its parts in bytes; nil where it was sent at once.
    let parts: [UInt64]?

    /// Whether it was sent in parts.
    var isInParts: Bool { parts != nil }

    /// What an entity tag would be made of.
    enum TagForm { case whole, parts }

    /// What a tag may be made of, by its form; nil where that is neither, or proves nothing because its like is among `tags`.
    func untried(_ tag: String) -> TagForm? {
        let halves = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.first?.utf8.count == 32, halves.first?.utf8.allSatisfy({ Hex.value(of: $0) != nil }) == true
        else { return nil }
        let isOfWhole = halves.count == 1
        guard isOfWhole || halves.count == 2 && halves[1] == "\(parts?.count ?? 0)" else { return nil }
        return tags.contains { $0.contains("-") != isOfWhole } ? nil : isOfWhole ? .whole : .parts
    }

    /// An object that was sent at once.
    init(_ sums: Sums) {
        bytes = sums.bytes
        crc32c = sums.crc32c
        checksums = [
            .crc32c: Set([sums.text(.crc32c)].compactMap { $0 }), .sha256: Set([sums.text(.sha256)].compactMap { $0 }),
        ]
        tags = Set([sums.etag].compactMap { $0 })
        parts = nil
    }

    /// An object of parts: sums of sums, with the number of parts, or the sum of the whole where the store made that.
    init(parts: [Sums], md5: [UInt8]? = nil) {
        let count = parts.count
        let whole = parts.reduce((UInt32(0), UInt64(0))) { sum, part in
            (CRC32C.joined(sum.0, part.crc32c, secondBytes: part.bytes), sum.1 &+ part.bytes)
        }
        let words = parts.flatMap { part in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: part.crc32c >> $0) }
        }
        let composite = "\(Sums.text(CRC32C.value(of: words)))-\(count)"
        let digests = parts.compactMap(\.sha256)
        let digest = Base64.text(SHA256.value(of: digests.flatMap(\.bytes)).bytes)
        bytes = whole.1
        crc32c = whole.0
        checksums = [
            .crc32c: [composite, Sums.text(whole.0)], .sha256: digests.count == count ? ["\(digest)-\(count)"] : [],
        ]
        tags = Set([Self.tag(ofParts: parts), md5.map { Hex.text($0) }].compactMap { $0 })
        self.parts = parts.map(\.bytes)
    }

    /// The entity tag that is made of those of the parts; nil where there is no MD5 of one.
    static func tag(ofParts parts: [Sums]) -> String? {
        let digests = parts.compactMap(\.md5)
        guard digests.count == parts.count else { return nil }
        return "\(Hex.text(MD5.value(of: digests.flatMap(\.self))))-\(parts.count)"
    }
}
