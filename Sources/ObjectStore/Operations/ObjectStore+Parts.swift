internal import Hashing
internal import NIOHTTP1
internal import XML

/// A part that the store has, as the completion names it.
struct SentPart: Sendable, Hashable {
    let number: Int
    let etag: String
    let sums: Sums
    /// Whether the store told the part's sum back: then it wants it again for the completion.
    let hasChecksum: Bool
}

extension ObjectStore {
    /// How many pages of parts or uploads are read: ten thousand parts are ten.
    static let pagesMax = 100

    /// Begins an upload in parts and returns what the store calls it. Until it is completed or aborted, the store keeps, and may
    /// charge for, each part. Throws `StoreError`.
    public func createUpload(_ key: String, _ options: PutOptions = PutOptions()) async throws -> String {
        var call = Call(.createUpload, .POST, key: key, query: [("uploads", "")])
        call.headers = try headers(options, .createUpload, key)
        if configuration.checksum != .none {
            call.headers.append(("x-amz-checksum-algorithm", configuration.checksum.rawValue))
        }
        call.body = .bytes([])
        guard let id = UploadIdentity.created(try document(call, try await send(call))) else {
            throw failure(.invalid("the answer names no upload"), .createUpload, key)
        }
        return id
    }

    /// Sends part `number` of an upload; `known` are its sums, where they were made already.
    func uploadPart(
        _ key: String, upload id: String, number: Int, _ source: any ByteSource, _ known: Sums?,
        progress: TransferProgress?
    ) async throws -> SentPart {
        let sums =
            if let known { known } else {
                try await sums(of: source, .uploadPart, key, withMD5: md5Wanted(inParts: true) == .parts)
            }
        let query = [(name: "partNumber", value: String(number)), (name: "uploadId", value: id)]
        var call = Call(.uploadPart, .PUT, key: key, query: query)
        call.headers = sumHeaders(sums)
        call.body = .source(source, sums, progress)
        let answer = try await send(call)
        guard let etag = EntityTagText.bare(answer.headers.first(name: "etag")) else {
            throw failure(.invalid("the answer tells no entity tag of the part"), .uploadPart, key)
        }
        let told = answer.headers.first(name: configuration.checksum.header)
        guard told == nil || told == sums.text(configuration.checksum) else {
            throw failure(.mismatch("the store has another sum of part \(number)"), .uploadPart, key)
        }
        return SentPart(number: number, etag: etag, sums: sums, hasChecksum: told != nil)
    }

    /// The parts of an upload that the store has, at most 10,000 of them. Throws `StoreError`; `.notFound` where the upload is not
    /// open any more.
    public func listParts(_ key: String, upload id: String) async throws -> [StoredPart] {
        var (parts, marker) = ([StoredPart](), Int?.none)
        for _ in 0..<Self.pagesMax {
            var call = Call(.listParts, .GET, key: key, query: [("uploadId", id), ("max-parts", "1000")])
            if let marker { call.query.append(("part-number-marker", String(marker))) }
            guard let page = PartsPage(try document(call, try await send(call))) else {
                throw failure(.invalid("the answer is no list of parts"), .listParts, key)
            }
            parts += page.parts
            guard let next = page.nextMarker else { return parts }
            guard next > marker ?? 0 else {
                throw failure(.invalid("the list goes round in a circle"), .listParts, key)
            }
            marker = next
        }
        throw failure(.invalid("the list does not end"), .listParts, key)
    }

    /// One page of the open uploads of keys that begin with `prefix`; `next` is that of the page before. Throws `StoreError`.
    public func listUploads(prefix: String = "", after next: UploadsPage.Marker? = nil) async throws -> UploadsPage {
        var call = Call(.listUploads, .GET)
        call.query = [("uploads", ""), ("max-uploads", "1000"), ("encoding-type", "url"), ("prefix", prefix)]
        if let next {
            call.query.append(("key-marker", next.key))
            if let id = next.id { call.query.append(("upload-id-marker", id)) }
        }
        guard let page = UploadsPage(try document(call, try await send(call))) else {
            throw failure(.invalid("the answer is no list of uploads"), .listUploads, nil)
        }
        guard page.next == nil || page.next != next else {
            throw failure(.invalid("the list goes round in a circle"), .listUploads, nil)
        }
        return page
    }

    /// Makes the object of its parts, which must be in order. The answer may say with status 200 that it failed.
    func complete(_ key: String, upload id: String, _ parts: [SentPart], onlyIfNew: Bool) async throws {
        let algorithm = configuration.checksum
        let rows = parts.map { part in
            let sum = part.hasChecksum ? part.sums.text(algorithm) : nil
            let element = sum.map { "<\(algorithm.element)>\($0)</\(algorithm.element)>" } ?? ""
            return "<Part><PartNumber>\(part.number)</PartNumber><ETag>&quot;\(XMLNode.escaped(part.etag))&quot;</ETag>"
                + "\(element)</Part>"
        }
        let body = Array(
            ("<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" + rows.joined()
                + "</CompleteMultipartUpload>").utf8)
        var call = Call(.completeUpload, .POST, key: key, query: [("uploadId", id)])
        call.headers = [("content-type", "application/xml")]
        if onlyIfNew { call.headers.append(("if-none-match", "*")) }
        call.body = .bytes(body)
        let root = try document(call, try await send(call))
        guard root.name.hasPrefix("CompleteMultipartUpload") else {
            throw failure(.invalid("the answer does not tell of a completion"), .completeUpload, key)
        }
    }

    /// Gives an upload and its parts up. One that is not open any more is no error. Throws `StoreError`.
    public func abortUpload(_ key: String, upload id: String) async throws {
        do {
            _ = try await send(Call(.abortUpload, .DELETE, key: key, query: [("uploadId", id)]))
        } catch let error as StoreError where error.cause == .notFound && error.code != nil {
            return
        }
    }
}
