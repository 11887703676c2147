internal import Catalog
internal import Cloud
internal import Foundation
internal import Machines
internal import Media
internal import ObjectStore

/// What is in the bucket of a clip that is being written, as far as the worker knows.
struct LiveState: Sendable {
    /// What was sent or begun, by the objects' names, as the catalog has it.
    var objects: [String: UploadObject]
    /// Lists as they were put last, by their names.
    var put: [String: Data] = [:]
    /// Where the fragments of its encrypted files lie, as far as they were looked through.
    var maps: [TrackKind: EncryptedTrackMap] = [:]
    /// The tracks that the list of the lists names.
    var listed: [TrackKind]?

    init(_ objects: [UploadObject]) {
        self.objects = Dictionary(objects.map { ($0.name, $0) }) { $1 }
    }

    /// Bytes of media that are there.
    var sentBytes: Int64 { objects.values.reduce(0) { $0 + ($1.isThere && $1.track != nil ? $1.bytes : 0) } }
}

/// Brings the next piece of each track of a clip that is being written into the bucket, and then what tells of it: the lists, which
/// have no end, and `live.json` (docs/design/cloud.md "Live mode"). Throws as `UploadTransfer`.
struct LiveRound: Sendable {
    /// What a round came to.
    struct Outcome: Sendable {
        let state: LiveState
        /// Whether more of the clip is durable than was sent.
        let hasMore: Bool
        /// Whether anything was sent.
        let hasSent: Bool
    }

    let clip: GrowingClip
    let catalog: Catalog
    let sender: MediaSender
    /// What the clip is encrypted with; nil: it is sent as it is.
    let encryption: ClipKey?
    /// Reads files and the catalog.
    let files: any WorkQueue
    let told: any TransferListener

    func run(_ before: LiveState) async throws -> Outcome {
        let made = await files.result { [clip, catalog, encryption, maps = before.maps] in
            try LiveSource(clip, encryption: encryption, after: maps, in: catalog)
        }
        guard let source = try made.get() else { return Outcome(state: before, hasMore: false, hasSent: false) }
        var (state, plans, hasSent) = (before, [TrackKind: PiecePlan](), false)
        for track in source.tracks {
            state.maps[track.kind] = track.encrypted?.map
            guard let plan = LivePieces.plan(of: track.kind, state.objects.values) else {
                throw UploadSource.Unreadable(description: "the pieces of \(track.path) that are known have holes")
            }
            plans[track.kind] = plan
        }
        if state.objects[CloudKeys.liveDescription] == nil {
            try await begin(source, &state)
            hasSent = true
        }
        var total = state.sentBytes
        for track in source.tracks {
            guard var plan = plans[track.kind], let piece = Self.next(of: track, &plan, state) else { continue }
            total += try await send(piece, plan, track, &state, after: total)
            plans[track.kind] = plan
            told.progressed(total)
            hasSent = true
        }
        if hasSent { try await tell(source, plans, &state) }
        let sent = source.tracks.map { ($0.kind, plans[$0.kind]?.sent(of: $0.sentIndex).entries.count ?? 0) }
        let counts = Dictionary(sent) { $1 }
        let hasMore = clip.files(root: catalog.rootPath).tracks.contains { $0.durable > counts[$0.kind] ?? 0 }
        return Outcome(state: state, hasMore: hasMore, hasSent: hasSent)
    }

    /// The piece that was begun and is not known to be there, or else the next one, which the plan has then.
    private static func next(
        of track: LiveSource.Track, _ plan: inout PiecePlan, _ state: LiveState
    ) -> PiecePlan.Piece? {
        if let last = plan.pieces.last, state.objects[plan.name(of: last)]?.isThere != true { return last }
        guard let piece = plan.next(in: track.sentIndex, upTo: track.durable) else { return nil }
        plan.add(piece)
        return piece
    }

    /// Says that a clip is being written, before there is anything of it: the row comes first, so that the object is never
    /// forgotten.
    private func begin(_ source: LiveSource, _ state: inout LiveState) async throws {
        let row = UploadObject(name: CloudKeys.liveDescription, bytes: 0)
        try await told.record(row, proof: nil)
        state.objects[row.name] = row
        try await tell(source, [:], &state)
    }

    /// Sends a piece; gives its bytes.
    private func send(
        _ piece: PiecePlan.Piece, _ plan: PiecePlan, _ track: LiveSource.Track, _ state: inout LiveState,
        after before: Int64
    ) async throws -> Int64 {
        let name = plan.name(of: piece)
        let known = state.objects[name]
        let content = try await files.result { try LiveSource.content(of: piece, track) }.get()
        if let known, known.sha256 != content.sha256 {
            throw UploadSource.Unreadable(
                description:
                    "\(track.path) is not the file of which \(name) was begun; `vigil fsck --deep` looks into it")
        }
        let row = UploadObject(
            name: name, track: track.ordinal, firstByte: Int64(clamping: piece.bytes.lowerBound),
            bytes: Int64(clamping: piece.bytes.count), sha256: content.sha256)
        let object = MediaObject(
            name: name, kind: track.kind, sha256: content.sha256,
            sums: KnownSums(crc32c: content.crc32c, sha256: content.sha256), file: content.file)
        let sent = try await sender.send(object, as: row, isBegun: known != nil, told) { [told] in
            told.progressed(before + Int64(clamping: $0))
        }
        state.objects[name] = sent.row
        return row.bytes
    }

    /// Puts the lists and the description that have become others. The list of the lists changes with the tracks alone: that its
    /// rates do would have it put each time.
    private func tell(
        _ source: LiveSource, _ plans: [TrackKind: PiecePlan], _ state: inout LiveState
    ) async throws {
        let description = source.description(plans, state.objects)
        let tracks = description.tracks.filter { !$0.objects.isEmpty }.map(\.kind)
        for part in try ClipPresentation(description).playlists(isOpen: true).reversed() {
            if part.name == CloudKeys.index, state.listed == tracks { continue }
            if state.put[part.name] == part.body { continue }
            try await sender.put(SmallObject(part))
            state.put[part.name] = part.body
            if part.name == CloudKeys.index { state.listed = tracks }
        }
        try await sender.put(SmallObject(description, name: CloudKeys.liveDescription))
    }
}
