internal import Hashing

/// The sums of a source, made in one reading before it is sent.
public struct KnownSums: Sendable, Hashable {
    /// Which sums a store wants, as far as is known of it (`ObjectStore.wantedSums`).
    public struct Wanted: Sendable, Hashable {
        /// The size of the parts that the source is sent in, in bytes; nil where it is sent at once.
        let partBytes: UInt64?
        let md5: JointSums.MD5Of
        /// Whether each part has a SHA-256 of its own.
        let partSHA256: Bool

        /// CRC-32C and SHA-256 of all bytes.
        public static let least = Wanted(partBytes: nil, md5: .nothing, partSHA256: false)
    }

    /// CRC-32C of all bytes.
    public let crc32c: UInt32
    /// SHA-256 of all bytes, in lower-case hexadecimal.
    public let sha256: String
    /// MD5 of all bytes; nil where it was not made.
    let md5: [UInt8]?
    /// The sums of each part; empty where it is sent at once.
    let parts: [Sums]

    /// Sums that were made of all bytes.
    public init(crc32c: UInt32, sha256: String) {
        (self.crc32c, self.sha256, md5, parts) = (crc32c, sha256, nil, [])
    }

    /// How many bytes are read at a time: they stay near the processor until they are summed.
    private static let pieceBytes = 128 << 10

    /// Reads a source and makes its sums. Blocking, for as long as the disk takes.
    ///
    /// - Throws: what kept it from being read, `CancellationError` where `isEnded` says so, or `Short`.
    public init(of source: any ByteSource, _ wanted: Wanted, isEnded: () -> Bool = { false }) throws {
        var (sums, parts, place) = (JointSums(md5: wanted.md5, partSHA256: wanted.partSHA256), [Sums](), UInt64(0))
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceBytes) { piece in
            while place < source.bytes {
                if isEnded() { throw CancellationError() }
                let end = wanted.partBytes.map { (place / $0 + 1) * $0 } ?? source.bytes
                let most = Int(clamping: min(UInt64(piece.count), min(end, source.bytes) - place))
                let count = try source.read(
                    at: place, into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: piece[..<most]))
                )
                guard count > 0 else { throw Short() }
                sums.update(UnsafeBufferPointer(rebasing: piece[..<count]))
                place += UInt64(count)
                if place == end, place < source.bytes { parts.append(Sums(sums.endPart())) }
            }
        }
        parts.append(Sums(sums.endPart()))
        let whole = sums.finish()
        crc32c = parts.reduce(0) { CRC32C.joined($0, $1.crc32c, secondBytes: $1.bytes) }
        (sha256, md5) = (whole.sha256.description, whole.md5)
        self.parts = wanted.partBytes == nil ? [] : parts
    }

    /// A source has fewer bytes than it says.
    public struct Short: Error, Sendable, CustomStringConvertible {
        /// That, in words.
        public let description = "it is shorter than it says"
    }

    /// The sums of the parts of `plan`; nil where they were made of others, or not at all.
    func parts(of plan: PartPlan) -> [Sums]? {
        let isSame = parts.indices.allSatisfy { plan.range($0 + 1).map { UInt64($0.count) } == parts[$0].bytes }
        return parts.count == plan.count && isSame ? parts : nil
    }
}

extension ObjectStore {
    /// Which sums of a source are worth making in one reading before it is sent, at once or in parts of so many bytes.
    public func wantedSums(of bytes: UInt64, inPartsOf partBytes: UInt64?) -> KnownSums.Wanted {
        guard let plan = partBytes.flatMap({ PartPlan(bytes: bytes, preferred: $0) }) else {
            return KnownSums.Wanted(partBytes: nil, md5: md5Wanted(inParts: false), partSHA256: false)
        }
        return KnownSums.Wanted(
            partBytes: plan.partBytes, md5: md5Wanted(inParts: true), partSHA256: wantsSHA256)
    }
}
