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
        /// The objects that it consists of: one of its name, or pieces. Without digests until the file is digested, but for what
        /// was sent before.
        var objects: [ClipDescription.Object]
        /// SHA-256 of the file, hexadecimal; empty until it is digested.
        var sha256 = ""
        /// All sums of the file, where it goes as one object.
        var sums: KnownSums?

        /// Whether it is in pieces, because it was sent while it was recorded.
        var isInPieces: Bool { objects.first.map { $0.name != name } ?? false }

        /// The file as one object.
        fileprivate var whole: ClipDescription.Object {
            ClipDescription.Object(name: name, firstByte: 0, bytes: Int64(clamping: file.bytes), sha256: sha256)
        }
    }

    /// The picture of an event.
    struct Picture: Sendable {
        let name: String
        let jpeg: [UInt8]
    }

    let clip: Clip
    let key: String
    var tracks: [Track]
    /// Whether something of it was sent while it was recorded.
    let wasLive: Bool
    /// The paths of files that are not those of which pieces were sent: they are sent as a whole.
    private(set) var misfits: [String] = []
    let events: [ClipDescription.Event]
    let pictures: [Picture]

    /// Why a clip cannot be sent.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// Opens the files of a clip.
    ///
    /// - Parameter sent: what was sent of it before, as the catalog has it: what went up while it was recorded stays as it is.
    /// - Returns: nil where the clip is gone, or going.
    init?(of id: ClipID, key: String, sent: [UploadObject], in catalog: Catalog) throws {
        guard let clip = try catalog.clip(id), clip.state == .closed, let end = clip.end else { return nil }
        wasLive = LivePieces.isAny(of: sent)
        var tracks: [Track] = []
        var files: [ClipFiles.Track] = []
        for track in clip.tracks where track.fragments > 0 {
            guard let index = try catalog.fragmentIndex(of: id, ordinal: track.ordinal) else {
                throw Unreadable(
                    description: "nothing is known of what is in \(track.path); `vigil fsck` looks into it")
            }
            let file = ClipFiles.Track(kind: track.kind, path: track.path, index: try FragmentIndex(decoding: index))
            files.append(file)
            var opened = Track(
                ordinal: track.ordinal, kind: track.kind, path: track.path, codec: track.codec,
                durationMs: track.durationMs, size: Self.size(of: file, catalog.rootPath), index: index,
                name: CloudKeys.track(track.kind),
                file: try FileRange(path: catalog.absolutePath(of: track.path), bytes: UInt64(max(track.bytes, 0))),
                objects: [])
            let pieces = wasLive ? LivePieces.objects(of: track.kind, file.index, sent) : nil
            let isWhole = pieces?.last.map { $0.firstByte + $0.bytes } == opened.whole.bytes
            if wasLive, !isWhole { misfits.append(track.path) }
            opened.objects = isWhole ? pieces ?? [] : [opened.whole]
            tracks.append(opened)
        }
        self.clip = clip
        self.key = key
        self.tracks = tracks
        (events, pictures) = try Self.events(
            in: clip, until: end, ClipFiles(root: catalog.rootPath, tracks: files), catalog)
    }

    /// The size of the pictures of a track, from its header; nil for sound. A file that cannot be read is refused by the transfer.
    static func size(of track: ClipFiles.Track, _ root: String) -> (width: Int, height: Int)? {
        let reader = try? ClipReader(ClipFiles(root: root, tracks: [track]), only: .video)
        guard let configuration = reader?.video?.configuration, let width = configuration.width,
            let height = configuration.height
        else { return nil }
        return (width, height)
    }

    /// The longest that an event lies before a clip that it is in, in milliseconds: an event's length is bounded by the policy.
    private static let eventMs: Int64 = 24 * 3_600_000

    /// The events that lie in the clip, and the pictures of those whose moment it holds; no pictures without `files`.
    static func events(
        in clip: Clip, until end: Moment, _ files: ClipFiles?, _ catalog: Catalog
    ) throws -> ([ClipDescription.Event], [Picture]) {
        var query = EventQuery(
            camera: clip.camera, fromWallMs: max(clip.start.wallMs, eventMs) - eventMs, toWallMs: end.wallMs)
        query.limit = ClipQuery.limitMax
        var (events, pictures) = ([ClipDescription.Event](), [Picture]())
        for record in try catalog.records(query) where record.clips.contains(clip.id) {
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
                pictures.append(Picture(name: own, jpeg: picture.jpeg))
                name = own
            }
            events.append(
                ClipDescription.Event(
                    bootID: begun.bootID, beganMonotonicMs: begun.began.monotonicMs, beganWallMs: begun.began.wallMs,
                    endedWallMs: record.event.ended?.wallMs, cause: begun.cause, level: begun.level,
                    why: record.event.why?.rawValue, detections: record.detail?.detections ?? 0,
                    zones: record.detail?.zones ?? [], picture: name))
        }
        return (events, pictures)
    }

    /// The size of all track files.
    var bytes: Int64 { tracks.reduce(0) { $0 + Int64(clamping: $1.file.bytes) } }

    /// What the clip is, once the digests are known: one line for each track.
    var seal: Upload.Seal {
        let lines = tracks.map { "\($0.name) \($0.file.bytes) \($0.sha256)\n" }.joined()
        return Upload.Seal(digest: SHA256.value(of: Array(lines.utf8)).description, bytes: bytes)
    }

    /// The clip in words for whoever finds it in the bucket.
    var description: ClipDescription {
        ClipDescription(
            clip, end: clip.end ?? clip.start,
            tracks: tracks.map { track in
                ClipDescription.Track(
                    kind: track.kind, codec: track.codec, bytes: Int64(clamping: track.file.bytes),
                    sha256: track.sha256, durationMs: track.durationMs, width: track.size?.width,
                    height: track.size?.height, index: track.index, objects: track.objects)
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
                let sums = try KnownSums(of: track.file, wanted(track.file.bytes), isEnded: isEnded)
                (tracks[index].sha256, tracks[index].sums) = (sums.sha256, sums)
            } catch is KnownSums.Short {
                throw Unreadable(description: "\(track.path) is shorter than it was")
            }
            tracks[index].objects = [tracks[index].whole]
        }
    }

    /// Makes the digests of a track in pieces; false where it is not the file of which they were sent.
    private mutating func digestPieces(_ index: Int, _ isEnded: () -> Bool) throws -> Bool {
        let track = tracks[index]
        var (whole, made) = (SHA256(), [ClipDescription.Object]())
        for var object in track.objects {
            var own = SHA256()
            try track.file.pieces(of: object.range, as: track.path) { bytes in
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
        (tracks[index].sha256, tracks[index].objects) = (whole.finish().description, made)
        return true
    }
}

extension FileRange {
    /// How many bytes are read at a time.
    private static let pieceBytes = 128 << 10

    /// Reads a range and gives it piece by piece, each only as long as `body` works on it; `name` is for errors. Blocking.
    ///
    /// - Throws: `UploadSource.Unreadable` where the file is shorter, and what `body` throws.
    func pieces(of range: Range<UInt64>, as name: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        var place = range.lowerBound
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceBytes) { piece in
            while place < range.upperBound {
                let most = Int(clamping: min(UInt64(piece.count), range.upperBound - place))
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
    init(_ clip: Clip, end: Moment, tracks: [Track], events: [Event]) {
        let opened = clip.opened
        self.init(
            camera: clip.camera, bootID: opened.bootID, startMonotonicMs: clip.start.monotonicMs,
            endMonotonicMs: max(end.monotonicMs, clip.start.monotonicMs), startWallMs: clip.start.wallMs,
            endWallMs: end.wallMs, cause: opened.cause, mediaClass: opened.mediaClass, ended: clip.ended,
            policy: opened.policy, policyRevision: opened.policyRevision, isIncomplete: clip.incomplete, tracks: tracks,
            events: events)
    }
}
