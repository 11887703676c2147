internal import XML

/// A part that a store says it has (ListParts).
public struct StoredPart: Sendable, Hashable {
    /// Its number: 1 to 10,000.
    public let number: Int
    /// Its length in bytes.
    public let bytes: UInt64
    /// Its entity tag without quotes.
    public let etag: String
    /// Its CRC-32C, in Base64; nil where the store keeps none.
    public let crc32c: String?
    /// Its SHA-256, in Base64; nil where the store keeps none.
    public let sha256: String?
}

/// One page of the parts of an upload.
struct PartsPage: Hashable {
    /// What the store has.
    let parts: [StoredPart]
    /// After which number the next page begins; nil on the last one.
    let nextMarker: Int?

    /// Reads an answer; nil where it is no such list. Stores differ in how the name ends.
    init?(_ root: XMLNode) {
        guard root.name.hasPrefix("ListParts") else { return nil }
        var parts: [StoredPart] = []
        for node in root.all("Part") {
            guard let number = node.text("PartNumber").flatMap(Int.init), PartPlan.numbers.contains(number),
                let bytes = node.text("Size").flatMap(UInt64.init), let etag = EntityTagText.bare(node.text("ETag"))
            else { return nil }
            parts.append(
                StoredPart(
                    number: number, bytes: bytes, etag: etag, crc32c: node.text("ChecksumCRC32C"),
                    sha256: node.text("ChecksumSHA256")))
        }
        self.parts = parts
        guard root.text("IsTruncated") == "true" else {
            nextMarker = nil
            return
        }
        guard let marker = root.text("NextPartNumberMarker").flatMap(Int.init), PartPlan.numbers.contains(marker) else {
            return nil
        }
        nextMarker = marker
    }
}

/// An upload in parts that was begun and neither completed nor aborted.
public struct OpenUpload: Sendable, Hashable {
    /// The key that it will have.
    public let key: String
    /// What the store calls the upload.
    public let id: String
    /// When it began, in seconds since 1970; nil where the store tells no time that is one.
    let initiatedSeconds: Int64?
}

/// One page of the open uploads of a bucket (ListMultipartUploads).
public struct UploadsPage: Sendable, Hashable {
    /// The uploads, as the store orders them.
    public let uploads: [OpenUpload]
    /// After which key and upload the next page begins; nil on the last one.
    public let next: Marker?

    /// A place in the list of open uploads.
    public struct Marker: Sendable, Hashable {
        let key: String
        let id: String?
    }

    /// Reads an answer; nil where it is no such list.
    init?(_ root: XMLNode) {
        guard root.name.hasPrefix("ListMultipartUploads") else { return nil }
        let isEncoded = root.text("EncodingType") == "url"
        func key(_ text: String?) -> String? { text.flatMap { isEncoded ? FormCode.decode($0) : $0 } }
        var uploads: [OpenUpload] = []
        for node in root.all("Upload") {
            guard let key = key(node.text("Key")), !key.isEmpty, let id = UploadIdentity.checked(node.text("UploadId"))
            else {
                return nil
            }
            let time = node.text("Initiated").flatMap(ServerTime.init(iso:))
            uploads.append(OpenUpload(key: key, id: id, initiatedSeconds: time?.seconds))
        }
        self.uploads = uploads
        guard root.text("IsTruncated") == "true" else {
            next = nil
            return
        }
        guard let marker = key(root.text("NextKeyMarker")), !marker.isEmpty else { return nil }
        next = Marker(key: marker, id: root.text("NextUploadIdMarker").flatMap { $0.isEmpty ? nil : $0 })
    }
}

/// The name of an upload.
enum UploadIdentity {
    /// The name as it came; nil where there is none, or none that may stand in a query: 1 to 2,048 bytes without control characters.
    static func checked(_ text: String?) -> String? {
        guard let text, (1...2048).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            return nil
        }
        return text
    }

    /// The upload's name in the answer to its creation.
    static func created(_ root: XMLNode) -> String? {
        root.name.hasPrefix("InitiateMultipartUpload") ? checked(root.text("UploadId")) : nil
    }
}
