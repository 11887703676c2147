internal import Catalog
internal import Cloud
internal import Foundation
internal import Machines
internal import Media
internal import ObjectStore
internal import Policies
internal import Synchronization

/// Clips that the cloud has and the disk has not any more, for those who play them (docs/design/cloud.md "Timeline and playing").
/// What they are is in the catalog; only their media is asked of the store. All of it blocks.
struct RemoteClips: Sendable {
    let catalog: Catalog
    let reader: StoreReader

    /// The clips of a camera that reach into a time, by start.
    func clips(_ camera: String, fromMs: Int64, toMs: Int64, limit: Int = ClipQuery.limitMax) throws -> [Clip] {
        try catalog.remoteOnly(camera: camera, fromWallMs: fromMs, toWallMs: toMs, limit: limit).compactMap(Self.clip)
    }

    /// One of them; nil where it is gone.
    func clip(_ id: RemoteClipID) throws -> Clip? { try catalog.remoteOnly(id).flatMap(Self.clip) }

    /// The files of a clip as they lie in the store; nil where it is gone.
    func files(of id: RemoteClipID) throws -> ClipFiles? {
        guard let (remote, body) = try catalog.remoteOnly(id) else { return nil }
        let description = try ClipDescription(parsing: body)
        let tracks = try description.tracks.map { track in
            ClipFiles.Track(
                kind: track.kind, path: "\(remote.key).\(ClipPaths.suffix(track.kind))",
                index: try FragmentIndex(decoding: track.index))
        }
        let told = Dictionary(
            zip(tracks, description.tracks).map { ($0.path, $1) }, uniquingKeysWith: { first, _ in first })
        let place = RemoteTracks(
            id: id, key: remote.key, store: remote.store, catalog: catalog, reader: reader, description: description,
            tracks: told)
        return ClipFiles(place: place, tracks: tracks)
    }

    /// nil where the description is none: a rebuild enters it anew.
    private static func clip(_ remote: RemoteClip, _ body: Data) -> Clip? {
        guard let description = try? ClipDescription(parsing: body) else { return nil }
        let tracks = description.tracks.enumerated().compactMap { place, track -> Clip.Track? in
            guard let index = try? FragmentIndex(decoding: track.index) else { return nil }
            return Clip.Track(
                remote: place, kind: track.kind, codec: track.codec,
                path: "\(remote.key).\(ClipPaths.suffix(track.kind))", bytes: track.bytes,
                fragments: Int64(index.entries.count), durationMs: track.durationMs)
        }
        let start = Moment(monotonicMs: description.startMonotonicMs, wallMs: remote.startWallMs)
        return Clip(
            remote,
            opened: NewClip(
                camera: remote.camera, bootID: description.bootID, start: start, cause: remote.cause,
                policy: description.policy, policyRevision: description.policyRevision, mediaClass: remote.mediaClass),
            end: Moment(monotonicMs: description.endMonotonicMs, wallMs: remote.endWallMs), ended: description.ended,
            isIncomplete: description.isIncomplete || !remote.isComplete, tracks: tracks)
    }
}

/// Reads objects of the store in use, through the cache.
final class StoreReader: Sendable {
    /// How many ranges are read ahead of who reads one after the other.
    static let aheadMax = 3

    let cache: CloudCache
    /// The keys of clips that are encrypted.
    let keys = ClipKeys()
    /// How fast it reads.
    let rate = DownloadRate()
    private let store = Mutex<CloudStore?>(nil)

    init(cache: CloudCache) { self.cache = cache }

    /// The store from now on; nil where there is none.
    func use(_ store: CloudStore?) { self.store.withLock { $0 = store } }

    /// The store in use.
    ///
    /// - Throws: that there is none, in words.
    func current() throws -> CloudStore {
        guard let store = store.withLock({ $0 }) else {
            throw DaemonFailure("no store is configured, or it cannot be used")
        }
        return store
    }

    /// The store if it is the one of this name.
    ///
    /// - Throws: why there is none, in words.
    func client(of name: String) throws -> CloudStore {
        let store = try current()
        guard store.name == name else {
            throw DaemonFailure("it lies in another store, \(name), and \(store.name) is configured")
        }
        return store
    }

    /// One range of an object of `bytes` bytes, `folder` being the clip's key. Blocking.
    func range(_ number: Int, of object: ClipDescription.Object, in key: String, store name: String) throws -> [UInt8] {
        let store = try client(of: name)
        let path = store.folder(of: key) + object.name
        let bytes = try cache.read(CloudCache.Range(store: name, key: key, object: object.name, number: number)) {
            try await self.fetch(number, of: object, path, store)
        }
        for next in number + 1...number + Self.aheadMax where Int64(next) * Int64(CloudCache.rangeBytes) < object.bytes
        {
            cache.prepare(CloudCache.Range(store: name, key: key, object: object.name, number: next)) {
                try await self.fetch(next, of: object, path, store)
            }
        }
        return bytes
    }

    private func fetch(
        _ number: Int, of object: ClipDescription.Object, _ path: String, _ store: CloudStore
    ) async throws -> [UInt8] {
        let from = UInt64(number) * UInt64(CloudCache.rangeBytes)
        let to = min(from + UInt64(CloudCache.rangeBytes), UInt64(max(object.bytes, 0)))
        guard from < to else { return [] }
        let began = ContinuousClock.now
        let bytes = try await store.client.bytes(path, range: from..<to, limit: UInt64(CloudCache.rangeBytes))
        guard bytes.count == Int(to - from) else {
            throw DaemonFailure("the store has fewer bytes of \(object.name) than it had")
        }
        rate.add(bytes.count, in: ContinuousClock.now - began)
        return bytes
    }
}

/// The track files of one clip as they lie in the store.
private struct RemoteTracks: TrackPlace {
    let id: RemoteClipID
    let key: String
    let store: String
    let catalog: Catalog
    let reader: StoreReader
    let description: ClipDescription
    let tracks: [String: ClipDescription.Track]

    func open(_ path: String) throws(TrackFileError) -> any TrackBytes {
        guard let track = tracks[path], !track.objects.isEmpty else {
            throw .elsewhere(path, "the cloud has no such file of this clip")
        }
        let stored = RemoteTrack(path: path, objects: track.objects, place: self)
        let found: ClipKey?
        do { found = try reader.keys.key(for: description, of: key) } catch { throw .elsewhere(path, "\(error)") }
        guard let found, let map = track.encryptedMap else { return stored }
        return try DecryptedTrack(path, stored, map, key: found.media)
    }
}

/// One track file in the store: an object, or the pieces that it was sent in.
private final class RemoteTrack: TrackBytes {
    let path: String
    private let objects: [ClipDescription.Object]
    private let place: RemoteTracks
    /// The range that was read last: what follows is mostly in it.
    private var last: (object: Int, number: Int, bytes: [UInt8])?

    init(path: String, objects: [ClipDescription.Object], place: RemoteTracks) {
        self.path = path
        self.objects = objects
        self.place = place
    }

    func size() -> UInt64 { UInt64(clamping: objects.last?.endByte ?? 0) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(TrackFileError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let position = Int64(clamping: offset).addingReportingOverflow(Int64(filled))
            guard !position.overflow,
                let object = objects.firstIndex(where: { position.partialValue < $0.endByte })
            else { break }
            let within = Int(clamping: position.partialValue - objects[object].firstByte)
            let bytes = try range(within / CloudCache.rangeBytes, of: object)
            let from = within % CloudCache.rangeBytes
            guard from < bytes.count else { break }
            let count = min(bytes.count - from, buffer.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
                .copyBytes(from: bytes[from..<from + count])
            filled += count
        }
        return filled
    }

    private func range(_ number: Int, of object: Int) throws(TrackFileError) -> [UInt8] {
        if let last, last.object == object, last.number == number { return last.bytes }
        do {
            // What was deleted meanwhile is not played to its end (docs/design/rules.md "In the middle").
            guard try place.catalog.remoteClip(place.id) != nil else {
                let rule = try place.catalog.remoteRemoval(key: place.key) ?? "nobody knows which"
                throw DaemonFailure("the cloud's copy was deleted meanwhile, by the rule \(rule)")
            }
            let bytes = try place.reader.range(number, of: objects[object], in: place.key, store: place.store)
            last = (object, number, bytes)
            return bytes
        } catch {
            throw .elsewhere(path, "\(error)")
        }
    }
}
