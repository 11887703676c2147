internal import Catalog
internal import Cloud
internal import Machines
internal import ObjectStore

/// One object of media on its way: bytes of a track file, or of the encrypted one, under a name of their own.
struct MediaObject: Sendable {
    /// Its name in the clip's folder.
    let name: String
    /// What it carries.
    let kind: TrackKind
    /// SHA-256 of its bytes, hexadecimal.
    let sha256: String
    /// The sums of its bytes, where somebody has made them.
    var sums: KnownSums?
    /// Its bytes.
    let file: any ByteSource
    /// The size of the parts in which it goes, in bytes; nil where it goes in one request.
    var inParts: UInt64?
}

/// A small object beside the media: it follows from the clip and is the same each time, so a repeat is harmless.
struct SmallObject: Sendable {
    /// Its name in the clip's folder.
    let name: String
    /// Its type of media.
    let type: String
    let bytes: [UInt8]

    init(name: String, type: String, bytes: [UInt8]) { (self.name, self.type, self.bytes) = (name, type, bytes) }

    /// What is made from a description.
    init(_ part: ClipPresentation.Part) {
        self.init(name: part.name, type: part.contentType, bytes: [UInt8](part.body))
    }

    /// A description.
    init(_ description: ClipDescription, name: String) {
        self.init(name: name, type: "application/json", bytes: [UInt8](description.encoded))
    }

    fileprivate var options: PutOptions {
        var options = PutOptions()
        options.contentType = type
        return options
    }
}

/// Puts objects into a clip's folder, each verified. Throws `StoreError`, or `OtherContent`.
struct MediaSender: Sendable {
    /// A key of ours holds what is not ours.
    struct OtherContent: Error, CustomStringConvertible {
        let key: String
        let reason: String
        var description: String {
            "the key \(key) holds other content: \(reason); it is left as it is: look at who else writes into this bucket"
        }
    }

    let store: CloudStore
    /// What the keys of all objects of the clip begin with.
    let folder: String

    init(_ store: CloudStore, key: String) { (self.store, folder) = (store, store.folder(of: key)) }

    /// Puts a small object.
    func put(_ object: SmallObject) async throws {
        _ = try await store.client.put(object.bytes, as: folder + object.name, object.options)
    }

    /// Sends a small object; `prove` is to see to it that it is there.
    func send(_ object: SmallObject) async throws -> UnprovedObject {
        try await store.client.send(object.bytes, as: folder + object.name, object.options)
    }

    /// Proves that small objects are there, all at once.
    func prove(_ objects: [UnprovedObject]) async throws {
        try await store.client.prove(objects, below: folder, atMost: Self.listedMax)
    }

    /// As many objects of a folder are listed at most, for what is there and what was sent: a clip that was sent live may have more.
    private static let listedMax = 100

    /// The names of what lies in the folder; nil where there may be more, or the store cannot list. Where it does not let it, what is
    /// asked for next says whether it lets anything.
    func names() async throws -> Set<String>? {
        do {
            let page = try await store.client.list(prefix: folder, max: Self.listedMax)
            return page.continuation == nil ? Set(page.entries.map { String($0.key.dropFirst(folder.count)) }) : nil
        } catch let error as StoreError {
            switch error.cause {
            case .invalid, .refused: return nil
            default: throw error
            }
        }
    }

    /// Takes a small object away; one that is not there is no error.
    func remove(_ name: String) async throws { try await store.client.delete(folder + name) }

    /// The object if it is there as it must be; nil if there is none, or one that an earlier try left damaged.
    ///
    /// - Parameter isRepeated: whether an earlier try began to send it.
    func there(_ object: MediaObject, isRepeated: Bool) async throws -> StoredObject? {
        let key = folder + object.name
        do {
            return try await store.client.verified(
                object.file, as: key, inPartsOf: object.inParts, sums: object.sums)
        } catch let error as StoreError {
            switch error.cause {
            case .notFound: return nil
            case .mismatch(let why):
                guard isRepeated else { throw OtherContent(key: key, reason: why) }
                return nil
            case .refused, .invalid, .wrongRegion: throw try await explained(error)
            default: throw error
            }
        }
    }

    /// The answer to a HEAD has no body that could say why it was refused: the same store says it of a listing.
    private func explained(_ error: StoreError) async throws -> StoreError {
        guard error.operation == .headObject, error.code == nil else { return error }
        do {
            _ = try await store.client.list(prefix: folder, max: 1)
            return error
        } catch let told as StoreError {
            return told
        }
    }

    /// Sends a piece of a track file. Which bytes it has is kept before the first of them is sent, and that it is there afterwards;
    /// one that was begun before is looked for, and sent only where it is not there.
    ///
    /// - Parameter isBegun: whether an earlier try began to send it.
    /// - Returns: what the catalog has of it now, and what proved it.
    func send(
        _ piece: MediaObject, as row: UploadObject, isBegun: Bool, _ told: any TransferListener,
        progress: @escaping TransferProgress
    ) async throws -> (row: UploadObject, proof: String) {
        if !isBegun { try await told.record(row, proof: nil) }
        let there = isBegun ? try await there(piece, isRepeated: true) : nil
        let stored = if let there { there } else { try await put(piece, isRepeated: isBegun, progress: progress) }
        var kept = row
        kept.isThere = true
        try await told.record(kept, proof: stored.verified.word)
        return (kept, stored.verified.word)
    }

    /// Puts an object of media.
    ///
    /// - Parameters:
    ///   - isRepeated: whether an earlier try began to send it; then what is there is replaced.
    ///   - open: the upload in parts that an earlier try left open.
    ///   - began: called with the upload in parts that begins.
    func put(
        _ object: MediaObject, isRepeated: Bool, resuming open: String? = nil, progress: @escaping TransferProgress,
        began: @escaping @Sendable (_ multipart: String) async throws -> Void = { _ in }
    ) async throws -> StoredObject {
        let key = folder + object.name
        var options = PutOptions()
        options.contentType = CloudKeys.mediaType(object.kind)
        options.onlyIfNew = !isRepeated
        options.sums = object.sums
        do {
            guard let inParts = object.inParts else {
                return try await store.client.put(object.file, as: key, options, progress: progress)
            }
            let upload = try MultipartUpload(object.file, as: key, in: store.client, options, partBytes: inParts)
            return try await upload.run(resuming: open, progress: progress, began: began)
        } catch let error as StoreError where error.cause == .exists {
            // It came there in between: an earlier request of ours that arrived late, or somebody else's.
            guard let stored = try await there(object, isRepeated: isRepeated) else { throw error }
            return stored
        }
    }
}

extension Verified {
    /// As the catalog has it.
    var word: String {
        switch self {
        case .checksum(.crc32c): "crc32c"
        case .checksum(.sha256): "sha256"
        case .checksum(.none), .bytesRead: "read"
        case .etag: "md5"
        }
    }
}
