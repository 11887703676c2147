internal import Catalog
internal import Cloud
internal import Foundation
internal import Hashing
internal import Machines
internal import Media
internal import ObjectStore

/// What is sent of a closed clip: its files, opened, and what the catalog knows of it. Making one blocks.
struct UploadSource: Sendable {
    /// One track file.
    struct Track: Sendable {
        let ordinal: Int
        let kind: TrackKind
        /// Its path below the root.
        let path: String
        let codec: String
        let durationMs: Int64
        /// Size of its pictures, where they are some and the file says it.
        let size: (width: Int, height: Int)?
        let index: Data
        /// The name of the object that is the whole file.
        let name: String
        /// The file as it was when it was opened; one that is deleted meanwhile stays readable.
        let file: FileRange
        /// What is sent in its place, where the clip is encrypted.
        let encrypted: EncryptedTrack?
        /// The objects that it consists of: one of its name, or pieces. Without digests until the file is digested, but for what
        /// was sent before.
        var objects: [ClipDescription.Object]
        /// SHA-256 of the file, hexadecimal; empty until it is digested.
        var sha256 = ""
        /// SHA-256 of what is sent of it, hexadecimal; empty until it is digested.
        var sentSHA256 = ""
        /// All sums of what is sent of it, where it goes as one object.
        var sums: KnownSums?

        /// How many bytes are sent of it.
        var sentBytes: UInt64 { encrypted?.map.encryptedBytes ?? file.bytes }

        /// Some of the bytes that are sent.
        func content(_ range: Range<UInt64>) throws -> any ByteSource {
            if let encrypted { return encrypted.content(range, of: file) }
            return try file.part(range)
        }

        /// Whether it is in pieces, because it was sent while it was recorded.
        var isInPieces: Bool { objects.first.map { $0.name != name } ?? false }

        /// The file as one object.
        fileprivate var whole: ClipDescription.Object {
            ClipDescription.Object(name: name, firstByte: 0, bytes: Int64(clamping: sentBytes), sha256: sentSHA256)
        }
    }

    let clip: Clip
    let key: String
    /// What it is encrypted with; nil: it is sent as it is.
    let encryption: ClipKey?
    var tracks: [Track]
    /// Whether something of it was sent while it was recorded.
    let wasLive: Bool
    /// The paths of files that are not those of which pieces were sent: they are sent as a whole.
    private(set) var misfits: [String] = []
    private(set) var events: [ClipDescription.Event]
    /// The pictures of events.
    private(set) var pictures: [SmallObject]

    /// Why a clip cannot be sent.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// Opens the files of a clip.
    ///
    /// - Parameters:
    ///   - sent: what was sent of it before, as the catalog has it: what went up while it was recorded stays as it is.
    ///   - encryption: what it is encrypted with; nil: it is sent as it is.
    ///   - isEnded: asked now and then whether somebody has ended it.
    /// - Returns: nil where the clip is gone, or going.
    init?(
        of id: ClipID, key: String, sent: [UploadObject], encryption: ClipKey? = nil, in catalog: Catalog,
        isEnded: () -> Bool = { false }
    ) throws {
        guard let clip = try catalog.clip(id), clip.state == .closed, let end = clip.end else { return nil }
        wasLive = LivePieces.isAny(of: sent)
        var tracks: [Track] = []
        var files: [ClipFiles.Track] = []
        for row in clip.tracks where row.fragments > 0 {
            let (file, track) = try Self.open(row, of: id, encryption, in: catalog, isEnded)
            files.append(file)
            tracks.append(track)
            let pieces =
                wasLive ? LivePieces.objects(of: row.kind, track.encrypted?.map.encrypted ?? file.index, sent) : nil
            let isWhole = pieces?.last.map { $0.firstByte + $0.bytes } == track.whole.bytes
            if wasLive, !isWhole { misfits.append(row.path) }
            tracks[tracks.count - 1].objects = isWhole ? pieces ?? [] : [track.whole]
        }
        self.clip = clip
        (self.key, self.encryption) = (key, encryption)
        self.tracks = tracks
        (events, pictures) = try Self.events(
            in: clip, until: end, ClipFiles(root: catalog.rootPath, tracks: files), catalog)
        if let encryption { try seal(encryption) }
    }

    /// Opens a track file, and looks through it where it is to be encrypted.
    private static func open(
        _ row: Clip.Track, of id: ClipID, _ encryption: ClipKey?, in catalog: Catalog, _ isEnded: () -> Bool
    ) throws -> (ClipFiles.Track, Track) {
        guard let index = try catalog.fragmentIndex(of: id, ordinal: row.ordinal) else {
            throw Unreadable(description: "nothing is known of what is in \(row.path); `vigil fsck` looks into it")
        }
        let file = ClipFiles.Track(kind: row.kind, path: row.path, index: try FragmentIndex(decoding: index))
        let range = try FileRange(path: catalog.absolutePath(of: row.path), bytes: UInt64(max(row.bytes, 0)))
        let encrypted = try encryption.map {
            try EncryptedTrack(range, row.path, file.index, key: $0.media, isEnded: isEnded)
        }
        guard encrypted.map({ $0.map.plainBytes == range.bytes }) ?? true else {
            throw Unreadable(description: "\(row.path) has bytes behind its last fragment; `vigil fsck` looks into it")
        }
        let track = Track(
            ordinal: row.ordinal, kind: row.kind, path: row.path, codec: row.codec, durationMs: row.durationMs,
            size: size(of: file, catalog.rootPath), index: index, name: CloudKeys.track(row.kind), file: range,
            encrypted: encrypted, objects: [])
        return (file, track)
    }

    /// Seals the pictures, each under a name of its own.
    private mutating func seal(_ encryption: ClipKey) throws {
        pictures = try pictures.map { picture in
            let name = CloudKeys.sealed(picture.name)
            do {
                return SmallObject(
                    name: name, type: "application/octet-stream", bytes: try encryption.seal(picture.bytes, as: name))
            } catch let error as EncryptionError { throw Unreadable(description: "\(picture.name): \(error)") }
        }
        for number in events.indices { events[number].picture = events[number].picture.map(CloudKeys.sealed) }
    }

    /// The size of the pictures of a track, from its header; nil for sound. A file that cannot be read is refused by the transfer.
    static func size(of track: ClipFiles.Track, _ root: String) -> (width: Int, height: Int)? {
        let reader = try? ClipReader(ClipFiles(root: root, tracks: [track]), only: .video)
        guard let configuration = reader?.video?.configuration, let width = configuration.width,
            let height = configuration.height
        else { return nil }
        return (width, height)
    }

    /// The events that lie in the clip, and the pictures of those whose moment it holds; no pictures without `files`.
    static func events(
        in clip: Clip, until end: Moment, _ files: ClipFiles?, _ catalog: Catalog
    ) throws -> ([ClipDescription.Event], [SmallObject]) {
        var (events, pictures) = ([ClipDescription.Event](), [SmallObject]())
        for record in try catalog.records(in: clip, until: end) {
            let begun = record.event.begun
            let moment = record.detail?.pictureMonotonicMs ?? begun.began.monotonicMs
            let holdsMoment =
                begun.bootID == clip.opened.bootID
                && (clip.start.monotonicMs...max(end.monotonicMs, clip.start.monotonicMs)).contains(moment)
            var name: String?
            // An event without a picture is still worth sending.
            if holdsMoment, let files, files.track(.video)?.index.entries.isEmpty == false,
                let picture = try? Snapshot(
                    of: files, atMs: moment - clip.start.monotonicMs + files.leadMs, options: SnapshotOptions())
            {
                let own = CloudKeys.picture(beganMonotonicMs: begun.began.monotonicMs)
                pictures.append(SmallObject(name: own, type: "image/jpeg", bytes: picture.jpeg))
                name = own
            }
            events.append(
                ClipDescription.Event(
                    bootID: begun.bootID, beganMonotonicMs: begun.began.monotonicMs, beganWallMs: begun.began.wallMs,
                    endedWallMs: record.event.ended?.wallMs, cause: begun.cause, level: begun.level,
                    why: record.event.why?.rawValue, detections: record.detail?.detections ?? 0,
                    zones: record.detail?.zones ?? [], picture: name, labels: labels(of: record)))
        }
        return (events, pictures)
    }

    /// What was recognised in an event; nil where nothing was.
    private static func labels(of record: EventRecord) -> [ClipDescription.Label]? {
        guard !record.labels.isEmpty else { return nil }
        return record.labels.map { label in
            ClipDescription.Label(
                label: label.name, atMonotonicMs: label.at.monotonicMs, atWallMs: label.at.wallMs, box: label.box)
        }
    }

    /// How many bytes of media are sent.
    var bytes: Int64 { tracks.reduce(0) { $0 + Int64(clamping: $1.sentBytes) } }

    /// What the clip is, once the digests are known: one line for each track.
    var seal: Upload.Seal {
        let lines = tracks.map { "\($0.name) \($0.sentBytes) \($0.sha256)\n" }.joined()
        return Upload.Seal(digest: SHA256.value(of: Array(lines.utf8)).description, bytes: bytes)
    }

    /// The clip in words for whoever finds it in the bucket.
    var description: ClipDescription {
        ClipDescription(
            clip, end: clip.end ?? clip.start, encryption: encryption?.encryption,
            tracks: tracks.map { track in
                ClipDescription.Track(
                    kind: track.kind, codec: track.codec, bytes: Int64(clamping: track.file.bytes),
                    sha256: track.sha256, durationMs: track.durationMs, width: track.size?.width,
                    height: track.size?.height, index: track.index,
                    encryptedIndex: track.encrypted.map { Data($0.map.encrypted.encoded()) }, objects: track.objects)
            }, events: events)
    }

    /// Makes the digests. Blocking, for as long as the disk takes; ends early when `isEnded` says so.
    ///
    /// - Parameter wanted: which sums a store wants of a file of so many bytes, in the same reading.
    mutating func digest(
        _ wanted: (_ bytes: UInt64) -> KnownSums.Wanted = { _ in .least }, _ isEnded: () -> Bool
    ) throws {
        for index in tracks.indices {
            if tracks[index].isInPieces, try digestPieces(index, isEnded) { continue }
            let track = tracks[index]
            do {
                let sums = try KnownSums(
                    of: try track.content(0..<track.sentBytes), wanted(track.sentBytes), isEnded: isEnded)
                (tracks[index].sentSHA256, tracks[index].sums) = (sums.sha256, sums)
            } catch is KnownSums.Short {
                throw Unreadable(description: "\(track.path) is shorter than it was")
            }
            tracks[index].objects = [tracks[index].whole]
            try digestFile(index, isEnded)
        }
    }

    /// Makes the digests of a track in pieces; false where it is not the file of which they were sent.
    private mutating func digestPieces(_ index: Int, _ isEnded: () -> Bool) throws -> Bool {
        let track = tracks[index]
        var (whole, made) = (SHA256(), [ClipDescription.Object]())
        for var object in track.objects {
            var own = SHA256()
            try track.content(object.range).pieces(as: track.path) { bytes in
                if isEnded() { throw CancellationError() }
                whole.update(bytes)
                own.update(bytes)
            }
            object.sha256 = own.finish().description
            made.append(object)
        }
        guard zip(track.objects, made).allSatisfy({ $0.sha256.isEmpty || $0.sha256 == $1.sha256 }) else {
            misfits.append(track.path)
            return false
        }
        (tracks[index].sentSHA256, tracks[index].objects) = (whole.finish().description, made)
        try digestFile(index, isEnded)
        return true
    }

    /// Makes the digest of the file, which is that of what is sent where it is not encrypted.
    private mutating func digestFile(_ index: Int, _ isEnded: () -> Bool) throws {
        let track = tracks[index]
        guard track.encrypted != nil else { return tracks[index].sha256 = track.sentSHA256 }
        var whole = SHA256()
        try track.file.pieces(as: track.path) { bytes in
            if isEnded() { throw CancellationError() }
            whole.update(bytes)
        }
        tracks[index].sha256 = whole.finish().description
    }
}

extension ByteSource {
    /// Reads all of it and gives it piece by piece, each only as long as `body` works on it; `name` is for errors. Blocking.
    ///
    /// - Throws: `UploadSource.Unreadable` where there are fewer bytes, and what `body` throws.
    func pieces(as name: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        var place: UInt64 = 0
        // So many bytes are read at a time.
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128 << 10) { piece in
            while place < self.bytes {
                let most = Int(clamping: min(UInt64(piece.count), self.bytes - place))
                let room = UnsafeMutableBufferPointer(rebasing: piece[..<most])
                let count = try read(at: place, into: UnsafeMutableRawBufferPointer(room))
                guard count > 0 else { throw UploadSource.Unreadable(description: "\(name) is shorter than it was") }
                try body(UnsafeBufferPointer(rebasing: piece[..<count]))
                place += UInt64(count)
            }
        }
    }
}

extension ClipDescription {
    /// A clip as the catalog has it, of which these tracks and events are told.
    init(_ clip: Clip, end: Moment, encryption: Encryption? = nil, tracks: [Track], events: [Event]) {
        let opened = clip.opened
        self.init(
            camera: clip.camera, bootID: opened.bootID, startMonotonicMs: clip.start.monotonicMs,
            endMonotonicMs: max(end.monotonicMs, clip.start.monotonicMs), startWallMs: clip.start.wallMs,
            endWallMs: end.wallMs, cause: opened.cause, mediaClass: opened.mediaClass, ended: clip.ended,
            policy: opened.policy, policyRevision: opened.policyRevision, isIncomplete: clip.incomplete,
            encryption: encryption, tracks: tracks, events: events)
    }
}
