internal import Catalog
internal import Cloud
internal import Foundation
internal import Hashing
internal import Machines
internal import Media
internal import ObjectStore

/// What may be sent of a clip that is being written: what of its files is durable, and what the catalog knows of it. Making one
/// blocks.
struct LiveSource: Sendable {
    /// One track file.
    struct Track: Sendable {
        let ordinal: Int
        let kind: TrackKind
        let codec: String
        /// The file's path.
        let path: String
        /// Its fragments.
        let index: FragmentIndex
        /// Size of its pictures, where they are some and the file says it.
        let size: (width: Int, height: Int)?
        /// How many of them a power cut cannot take any more: only these are sent.
        let durable: Int
        /// What is sent in the place of these, where the clip is encrypted.
        let encrypted: EncryptedTrack?

        /// Where its fragments lie in what is sent.
        var sentIndex: FragmentIndex { encrypted?.map.encrypted ?? index }
    }

    /// Bytes of a piece, with their sums.
    struct Content: Sendable {
        let file: any ByteSource
        /// SHA-256, hexadecimal.
        let sha256: String
        /// CRC-32C, made with it.
        let crc32c: UInt32
    }

    let clip: Clip
    let tracks: [Track]
    private let encryption: ClipKey?
    let events: [ClipDescription.Event]
    /// How long before the clip's start zero of its files lies, in milliseconds.
    private let leadMs: Int64

    /// - Parameters:
    ///   - encryption: what the clip is encrypted with; nil: it is sent as it is.
    ///   - known: what was known of its encrypted files before they grew.
    /// - Returns: nil where the clip is not being written any more.
    init?(
        _ growing: GrowingClip, encryption: ClipKey?, after known: [TrackKind: EncryptedTrackMap], in catalog: Catalog
    ) throws {
        // The files first: what is in them has its rows.
        let files = growing.files(root: catalog.rootPath)
        guard let clip = try catalog.clip(growing.id), clip.state == .open else { return nil }
        (self.clip, self.encryption) = (clip, encryption)
        leadMs = files.leadMs
        tracks = try files.tracks.compactMap { file in
            try clip.tracks.first { $0.path == file.path }.map { row in
                let path = catalog.absolutePath(of: row.path)
                return Track(
                    ordinal: row.ordinal, kind: row.kind, codec: row.codec, path: path, index: file.index,
                    size: UploadSource.size(of: file, catalog.rootPath), durable: file.durable,
                    encrypted: try encryption.map {
                        try Self.encrypted(file, path, key: $0.media, after: known[file.kind])
                    })
            }
        }
        let end = Self.moment(clip, files.durationMs)
        // The picture of an event is made of the clip that is whole.
        events = try UploadSource.events(in: clip, until: end, nil, catalog).0
    }

    /// What is sent of the fragments that are durable.
    private static func encrypted(
        _ file: ClipFiles.Track, _ path: String, key: MediaKey, after known: EncryptedTrackMap?
    ) throws -> EncryptedTrack {
        let index = file.index.first(file.durable)
        let end = index.entries.last?.endOffset ?? index.headerBytes
        return try EncryptedTrack(
            FileRange(path: path, bytes: end), file.path, index, key: key, after: known)
    }

    /// So long after the clip's first frame.
    private static func moment(_ clip: Clip, _ ms: Int64) -> Moment {
        Moment(monotonicMs: clip.start.monotonicMs &+ ms, wallMs: clip.start.wallMs &+ ms)
    }

    /// Reads a piece. Blocking.
    static func content(of piece: PiecePlan.Piece, _ track: Track) throws -> Content {
        let file: any ByteSource
        if let encrypted = track.encrypted {
            file = encrypted.content(
                piece.bytes, of: try FileRange(path: track.path, bytes: encrypted.map.plainBytes))
        } else {
            file = try FileRange(path: track.path, bytes: piece.bytes.upperBound).part(piece.bytes)
        }
        var (sum, crc) = (SHA256(), CRC32C())
        try file.pieces(as: track.path) { bytes in
            sum.update(bytes)
            crc.update(bytes)
        }
        return Content(file: file, sha256: sum.finish().description, crc32c: crc.value)
    }

    /// The clip as far as these objects hold it.
    func description(_ plans: [TrackKind: PiecePlan], _ objects: [String: UploadObject]) -> ClipDescription {
        var endMs: Int64 = 0
        let told = tracks.map { track in
            let plan = plans[track.kind] ?? PiecePlan(track.kind)
            let sent = plan.sent(of: track.sentIndex)
            let index = track.index.first(sent.entries.count)
            endMs = max(endMs, index.endMs - leadMs)
            return ClipDescription.Track(
                kind: track.kind, codec: track.codec,
                bytes: plan.pieces.isEmpty ? 0 : Int64(clamping: index.entries.last?.endOffset ?? index.headerBytes),
                sha256: "",
                durationMs: index.durationMs, width: track.size?.width, height: track.size?.height,
                index: Data(index.encoded()), encryptedIndex: track.encrypted.map { _ in Data(sent.encoded()) },
                objects: plan.pieces.map { piece in
                    let name = plan.name(of: piece)
                    return ClipDescription.Object(
                        name: name, firstByte: Int64(clamping: piece.bytes.lowerBound),
                        bytes: Int64(clamping: piece.bytes.count), sha256: objects[name]?.sha256 ?? "")
                })
        }
        return ClipDescription(
            clip, end: Self.moment(clip, endMs), encryption: encryption?.encryption, tracks: told, events: events)
    }
}

extension FragmentIndex {
    /// The same without the fragments after the first `count`.
    fileprivate func first(_ count: Int) -> FragmentIndex {
        FragmentIndex(
            timescale: timescale, primingTicks: primingTicks, headerBytes: headerBytes,
            entries: Array(entries.prefix(max(count, 0))))
    }
}
