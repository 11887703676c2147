internal import Catalog
internal import Cloud
internal import Foundation
internal import Hashing
internal import Machines
internal import Media
internal import ObjectStore
internal import Synchronization

/// Brings a closed clip into its folder of the bucket: media, pictures, playlists, and last the description, each verified
/// (docs/design/cloud.md "One transfer"). Throws `StoreError`, `OtherContent`, or `UnreadableClip`.
struct UploadTransfer: Sendable {
    /// Files up to this size, in bytes, are sent in one request; larger ones in parts of it.
    static let partBytes: UInt64 = 16 << 20

    /// A key of ours holds what is not ours.
    struct OtherContent: Error, CustomStringConvertible {
        let key: String
        let reason: String
        var description: String {
            "the key \(key) holds other content: \(reason); it is left as it is: look at who else writes into this bucket"
        }
    }

    /// What is told while it goes on. Each call returns when it is kept.
    protocol Told: Sendable {
        /// So many bytes of media are there, of this transfer and earlier ones.
        func progressed(_ bytes: Int64)
        /// The upload in parts of an object began.
        func began(_ object: UploadObject) async throws
    }

    let store: CloudStore
    let source: UploadSource
    /// The uploads in parts that an earlier transfer left open, by the objects' names.
    let open: [String: String]
    /// Whether an earlier try sent something: then a key may hold bytes of ours that did not arrive well.
    let isRepeated: Bool
    let told: any Told

    /// Sends what is not there yet. Returns what proved the media, in words, and the description.
    func run() async throws -> (how: String, description: ClipDescription) {
        var (proofs, before) = (Set<String>(), Int64(0))
        for track in source.tracks {
            proofs.insert(try await send(track, after: before))
            before += Int64(clamping: track.file.bytes)
            told.progressed(before)
        }
        let folder = store.folder(of: source.key)
        let description = source.description
        for picture in source.pictures { try await put(picture.jpeg, "image/jpeg", folder + picture.name) }
        let presentation = try ClipPresentation(description)
        for part in presentation.playlists() + [presentation.manifest()] {
            try await put([UInt8](part.body), part.contentType, folder + part.name)
        }
        try await put([UInt8](description.encoded), "application/json", folder + CloudKeys.description)
        return (proofs.sorted().joined(separator: ", "), description)
    }

    /// Small objects that follow from the clip: the same each time, so a repeat is harmless.
    private func put(_ bytes: [UInt8], _ type: String, _ key: String) async throws {
        var options = PutOptions()
        options.contentType = type
        _ = try await store.client.put(bytes, as: key, options)
    }

    private func send(_ track: UploadSource.Track, after before: Int64) async throws -> String {
        let key = store.folder(of: source.key) + track.name
        let inParts = track.file.bytes > Self.partBytes ? Self.partBytes : nil
        // An upload in parts that is open has no object yet.
        let there = open[track.name] == nil ? try await there(track.file, key, inParts) : nil
        if let there { return there.verified.word }
        return try await sent(track, key, inParts, after: before).verified.word
    }

    /// The object if it is there as it must be; nil if there is none, or one that an earlier try left damaged.
    private func there(_ file: FileRange, _ key: String, _ inParts: UInt64?) async throws -> StoredObject? {
        do {
            return try await store.client.verified(file, as: key, inPartsOf: inParts)
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
            _ = try await store.client.list(prefix: store.folder(of: source.key), max: 1)
            return error
        } catch let told as StoreError {
            return told
        }
    }

    private func sent(
        _ track: UploadSource.Track, _ key: String, _ inParts: UInt64?, after before: Int64
    ) async throws -> StoredObject {
        var options = PutOptions()
        options.contentType = CloudKeys.mediaType(track.kind)
        options.onlyIfNew = !isRepeated
        options.sha256 = track.sha256
        let progress: TransferProgress = { [told] in told.progressed(before + Int64(clamping: $0)) }
        do {
            guard let inParts else {
                return try await store.client.put(track.file, as: key, options, progress: progress)
            }
            let upload = try MultipartUpload(track.file, as: key, in: store.client, options, partBytes: inParts)
            return try await upload.run(resuming: open[track.name], progress: progress) { [told] id in
                try await told.began(
                    UploadObject(
                        name: track.name, track: track.ordinal, bytes: Int64(clamping: track.file.bytes),
                        sha256: track.sha256, multipart: id))
            }
        } catch let error as StoreError where error.cause == .exists {
            // It came there in between: an earlier request of ours that arrived late, or somebody else's.
            guard let stored = try await there(track.file, key, inParts) else { throw error }
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
