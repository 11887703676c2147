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

/// Makes sums of what is taken in.
struct Summing: Sendable {
    private var bytes: UInt64 = 0
    private var crc32c = CRC32C()
    private var md5: MD5?
    private var sha256: SHA256?

    init(withSHA256: Bool, withMD5: Bool) { (sha256, md5) = (withSHA256 ? SHA256() : nil, withMD5 ? MD5() : nil) }

    mutating func update(_ more: UnsafeBufferPointer<UInt8>) {
        bytes &+= UInt64(more.count)
        crc32c.update(more)
        md5?.update(more)
        sha256?.update(more)
    }

    func finish() -> Sums {
        Sums(
            bytes: bytes, crc32c: crc32c.value, md5: md5.map { $0.finish() }, sha256: sha256.map { $0.finish() })
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
    /// The entity tag that a store gives that makes it of MD5; nil where that was not made.
    let etag: String?
    /// Whether it was sent in parts.
    let isInParts: Bool

    /// An object that was sent at once.
    init(_ sums: Sums) {
        bytes = sums.bytes
        crc32c = sums.crc32c
        checksums = [
            .crc32c: Set([sums.text(.crc32c)].compactMap { $0 }), .sha256: Set([sums.text(.sha256)].compactMap { $0 }),
        ]
        etag = sums.etag
        isInParts = false
    }

    /// An object of parts: sums of sums, with the number of parts, or the sum of the whole where the store made that.
    init(parts: [Sums]) {
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
        let tags = parts.compactMap(\.md5)
        etag = tags.count == count ? "\(Hex.text(MD5.value(of: tags.flatMap(\.self))))-\(count)" : nil
        isInParts = true
    }
}
