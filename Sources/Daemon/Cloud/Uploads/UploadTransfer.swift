internal import Catalog
internal import Cloud
internal import Foundation
internal import Machines
internal import Media
internal import ObjectStore

/// What a transfer tells while it goes on.
protocol TransferListener: Sendable {
    /// So many bytes of media are there, of this transfer and earlier ones.
    func progressed(_ bytes: Int64)
    /// An object of media is on its way, or with `proof` there; returns when that is kept.
    ///
    /// - Parameter proof: what proved it, in words.
    func record(_ object: UploadObject, proof: String?) async throws
}

/// Brings a closed clip into its folder of the bucket: media, pictures, playlists, and last the description, each verified
/// (docs/design/cloud.md "One transfer"). Throws `StoreError`, `MediaSender.OtherContent`, or `UploadSource.Unreadable`.
struct UploadTransfer: Sendable {
    /// Files up to this size, in bytes, are sent in one request; larger ones in parts of it.
    static let partBytes: UInt64 = 16 << 20
    /// The most memory that one transfer takes, in bytes: what is being sent, and a fragment with what it becomes when it is encrypted.
    static let memoryBytes = ObjectStore.transferBytes + 2 * ClipPace.chunkBytes

    /// The size of the parts in which a file of so many bytes goes; nil where it goes in one request.
    static func partBytes(of bytes: UInt64) -> UInt64? { bytes > partBytes ? partBytes : nil }

    let source: UploadSource
    let sender: MediaSender
    /// What earlier transfers sent or began to send, by the objects' names.
    let known: [String: UploadObject]
    /// What proved those of them that need not be asked for again.
    let proofs: [String: String]
    /// Whether an earlier try sent something: then a key may hold bytes of ours that did not arrive well.
    let isRepeated: Bool
    let told: any TransferListener

    /// Sends what is not there yet. Returns what proved the media, in words, and the description.
    func run() async throws -> (how: String, description: ClipDescription) {
        var (proofs, before) = (Set<String>(), Int64(0))
        // One listing tells of all tracks whether there is anything to ask for. Of a clip in pieces the catalog knows it.
        let names = source.tracks.contains { $0.isInPieces } ? nil : try await sender.names()
        for track in source.tracks {
            for object in track.objects {
                let isAbsent = names.map { !$0.contains(object.name) } ?? false
                proofs.insert(try await send(object, of: track, after: before + object.firstByte, isAbsent: isAbsent))
                told.progressed(before + object.firstByte + object.bytes)
            }
            before += Int64(clamping: track.sentBytes)
        }
        let description = source.description
        try await describe(description)
        if source.wasLive { try await sender.remove(CloudKeys.liveDescription) }
        return (proofs.sorted().joined(separator: ", "), description)
    }

    /// Sends what follows from the clip, the description last, and proves it.
    private func describe(_ description: ClipDescription) async throws {
        let presentation = try ClipPresentation(description)
        let parts = presentation.playlists() + [presentation.manifest()]
        var sent: [UnprovedObject] = []
        for object in source.pictures + parts.map(SmallObject.init)
            + [SmallObject(description, name: CloudKeys.description)]
        {
            sent.append(try await sender.send(object))
        }
        try await sender.prove(sent)
    }

    private func send(
        _ object: ClipDescription.Object, of track: UploadSource.Track, after before: Int64, isAbsent: Bool
    ) async throws -> String {
        let progress: TransferProgress = { [told] in told.progressed(before + Int64(clamping: $0)) }
        guard track.isInPieces else { return try await sendWhole(track, isAbsent: isAbsent, progress).verified.word }
        let row = known[object.name]
        if row?.isThere == true, let proof = proofs[object.name] { return proof }
        let piece = MediaObject(
            name: object.name, kind: track.kind, sha256: object.sha256, file: try track.content(object.range))
        let made = UploadObject(
            name: object.name, track: track.ordinal, firstByte: object.firstByte, bytes: object.bytes,
            sha256: object.sha256)
        return try await sender.send(piece, as: made, isBegun: row != nil, told, progress: progress).proof
    }

    private func sendWhole(
        _ track: UploadSource.Track, isAbsent: Bool, _ progress: @escaping TransferProgress
    ) async throws -> StoredObject {
        let object = MediaObject(
            name: track.name, kind: track.kind, sha256: track.sentSHA256, sums: track.sums,
            file: try track.content(0..<track.sentBytes), inParts: Self.partBytes(of: track.sentBytes))
        let open = known[track.name]?.multipart
        // An upload in parts that is open has no object yet.
        if open == nil, !isAbsent, let there = try await sender.there(object, isRepeated: isRepeated) { return there }
        return try await sender.put(object, isRepeated: isRepeated, resuming: open, progress: progress) { [told] id in
            try await told.record(
                UploadObject(
                    name: track.name, track: track.ordinal, bytes: Int64(clamping: track.sentBytes),
                    sha256: track.sentSHA256, multipart: id), proof: nil)
        }
    }
}

extension ClipDescription.Object {
    /// Its bytes in the track file.
    var range: Range<UInt64> { UInt64(max(firstByte, 0))..<UInt64(max(firstByte, 0)) + UInt64(max(bytes, 0)) }
}
