internal import XML

/// One page of what lies in a bucket (ListObjectsV2).
public struct ListPage: Sendable, Hashable {
    /// One object, as a listing tells of it.
    public struct Entry: Sendable, Hashable {
        /// Its whole key.
        public let key: String
        /// Its length in bytes.
        public let bytes: UInt64
        /// Its entity tag without quotes; nil where the store tells none.
        public let etag: String?
        /// When it was written, in seconds since 1970; nil where the store tells no time that is one.
        public let modifiedSeconds: Int64?
    }

    /// The objects of this page, as the store orders them (Amazon S3: by the bytes of the key).
    public let entries: [Entry]
    /// What keys have in common up to the delimiter, each once.
    public let commonPrefixes: [String]
    /// What to ask for the next page with; nil on the last one.
    public let continuation: String?

    /// Reads an answer; nil where it is no listing, or says that it goes on and not how.
    init?(_ root: XMLNode) {
        guard root.name.hasPrefix("ListBucket") else { return nil }
        let isEncoded = root.text("EncodingType") == "url"
        func key(_ text: String?) -> String? { text.flatMap { isEncoded ? FormCode.decode($0) : $0 } }
        var entries: [Entry] = []
        for node in root.all("Contents") {
            guard let key = key(node.text("Key")), !key.isEmpty, let bytes = node.text("Size").flatMap(UInt64.init)
            else {
                return nil
            }
            let time = node.text("LastModified").flatMap(ServerTime.init(iso:))
            entries.append(
                Entry(
                    key: key, bytes: bytes, etag: EntityTagText.bare(node.text("ETag")), modifiedSeconds: time?.seconds)
            )
        }
        var prefixes: [String] = []
        for node in root.all("CommonPrefixes") {
            guard let prefix = key(node.text("Prefix")) else { return nil }
            prefixes.append(prefix)
        }
        self.entries = entries
        commonPrefixes = prefixes
        let next = root.text("NextContinuationToken").flatMap { $0.isEmpty ? nil : $0 }
        guard root.text("IsTruncated") != "true" || next != nil else { return nil }
        continuation = root.text("IsTruncated") == "true" ? next : nil
    }
}

/// Keys as listings with `encoding-type=url` write them: percent-encoded, and blanks as `+`.
enum FormCode {
    static func decode(_ text: String) -> String? {
        PercentCode.decode(String(text.map { $0 == "+" ? " " : $0 }))
    }
}

/// Entity tags.
enum EntityTagText {
    /// The tag without its quotes; nil where there is none, or it is longer than 256 bytes or holds what is not printable ASCII.
    static func bare(_ field: String?) -> String? {
        guard var text = field?.trimmed else { return nil }
        if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
            text = String(text.dropFirst().dropLast())
        }
        guard (1...256).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x22 })
        else {
            return nil
        }
        return text
    }
}
