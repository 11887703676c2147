internal import NIOHTTP1
internal import XML

/// The facts about an object (HeadObject, and the head of GetObject).
public struct ObjectHead: Sendable, Hashable {
    /// The whole object's length in bytes.
    public let bytes: UInt64
    /// Its entity tag without quotes; nil where the store tells none.
    public let etag: String?
    /// Its type of media; nil where the store tells none.
    public let contentType: String?
    /// When it was written, in seconds since 1970; nil where the store tells no time that is one.
    public let modifiedSeconds: Int64?
    /// What was given along with it, by lower-case names without `x-amz-meta-`. Some stores drop it.
    public let metadata: [String: String]
    /// The sums that the store keeps, in Base64; of an object of parts with `-` and their number where they are sums of sums.
    let checksums: [ChecksumAlgorithm: String]

    /// How much metadata is kept of an answer, in bytes of names and values; more than Amazon S3 takes.
    static let metadataMax = 16 << 10

    /// Reads the head of an answer about an object of `bytes`.
    init(_ headers: HTTPHeaders, bytes: UInt64) {
        self.bytes = bytes
        etag = EntityTagText.bare(headers.first(name: "etag"))
        contentType = headers.first(name: "content-type").flatMap(ErrorAnswer.line)
        modifiedSeconds = headers.first(name: "last-modified").flatMap(ServerTime.init(http:))?.seconds
        var (metadata, room) = ([String: String](), Self.metadataMax)
        for (name, value) in headers {
            let name = name.lowercased()
            guard name.hasPrefix("x-amz-meta-") else { continue }
            room -= name.utf8.count + value.utf8.count
            guard room >= 0 else { break }
            metadata[String(name.dropFirst(11))] = value
        }
        self.metadata = metadata
        var checksums: [ChecksumAlgorithm: String] = [:]
        for algorithm in ChecksumAlgorithm.allCases where algorithm != .none {
            checksums[algorithm] = headers.first(name: algorithm.header)
        }
        self.checksums = checksums
    }

    /// A header that is a number of bytes; nil where there is none, or it is none.
    static func length(_ headers: HTTPHeaders) -> UInt64? {
        headers.first(name: "content-length").flatMap { UInt64($0.trimmed) }
    }
}
