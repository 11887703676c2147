internal import Catalog
internal import Cloud
internal import Foundation
internal import Hashing
internal import Machines
internal import ObjectStore

/// Brings one clip back from the store to the disk: reads its objects, compares each and each whole file with the digests of the
/// description, reads the files through as a rebuild does, and has the catalog take them in.
///
/// Throws `DaemonFailure`, `StoreError`, `CatalogError`, `CancellationError`.
struct ClipFetching: Sendable {
    /// How much is read at once, in bytes.
    private static let pieceBytes: UInt64 = 4 << 20
    /// How long it goes on to ask a store that does not answer, after the last byte, in milliseconds.
    static let patienceMs: Int64 = 300_000
    /// How long it waits before it asks again, in milliseconds.
    private static let waitMs: Int64 = 5_000

    let id: RemoteClipID
    let catalog: Catalog
    let reader: StoreReader
    let scratch: DerivedFiles
    /// The room on the disk, and how much of it has to stay free, in bytes.
    let room: @Sendable () -> (free: Int64, reserve: Int64)
    /// Told how many bytes were read, and what is waited for.
    let progress: @Sendable (_ bytes: Int64, _ waitsFor: String?) -> Void

    func run() async throws -> ClipID {
        let (found, local) = try await Blocking.always { [catalog, id] in
            (try catalog.remoteOnly(id), try catalog.localClips(of: [id])[id])
        }
        // Whoever gave it up and asks again may have it by now.
        if let local { return local }
        guard let (remote, body) = found else { throw DaemonFailure("the cloud's copy was deleted meanwhile") }
        let description = try ClipDescription(parsing: body)
        let tracks = description.tracks.filter { $0.bytes > 0 && !$0.objects.isEmpty }
        guard !tracks.isEmpty else { throw DaemonFailure("the cloud has no media of it") }
        let key = try reader.keys.key(for: description, of: remote.key)
        let bytes = tracks.reduce(Int64(0)) { $0.addingClamped($1.bytes) }
        let (free, reserve) = room()
        guard free - bytes > reserve else {
            throw DaemonFailure(
                "it has \(bytes) bytes, and the disk has \(free) free, of which \(reserve) stay free (storage.reserve)")
        }
        let name = "\(id)"
        let folder = try await Blocking.always { [scratch] in
            scratch.dropFolder(name)
            return try scratch.makeFolder(name)
        }
        do {
            var before: Int64 = 0
            var files: [(ClipDescription.Track, FetchedFile)] = []
            for track in tracks {
                let file = FetchedFile("\(folder)/\(track.kind.rawValue)")
                try await read(track, of: remote, into: file, key: key, before: before)
                before += track.bytes
                files.append((track, file))
            }
            let read = files
            let clip = try await Blocking.always { try enter(read, remote, description, name) }
            await drop(name)
            return clip
        } catch {
            await drop(name)
            throw error
        }
    }

    private func drop(_ name: String) async {
        _ = try? await Blocking.always { [scratch] in scratch.dropFolder(name) }
    }

    /// One track file, object after object; with a key they are decrypted.
    private func read(
        _ track: ClipDescription.Track, of remote: RemoteClip, into file: FetchedFile, key: ClipKey?, before: Int64
    ) async throws {
        let reading = try TrackReading(track, into: file, key: key)
        var done = before
        for object in track.objects {
            var offset: UInt64 = 0
            let size = UInt64(clamping: object.bytes)
            while offset < size {
                try Task.checkCancellation()
                let end = min(offset + Self.pieceBytes, size)
                let bytes = try await piece(offset..<end, of: object.name, remote, done)
                try await Blocking.always { try reading.take(bytes) }
                offset = end
                done += Int64(bytes.count)
                // What is encrypted is a little larger.
                progress(min(done, before + track.bytes), nil)
            }
            try Self.compare(reading.endObject(), object.sha256, object.name)
        }
        if !track.sha256.isEmpty { try Self.compare(reading.whole, track.sha256, "the \(track.kind.rawValue) file") }
    }

    private static func compare(_ sum: SHA256, _ expected: String, _ name: String) throws {
        guard sum.finish().description == expected else {
            throw DaemonFailure("\(name) in the store is not what was sent: its SHA-256 is another one")
        }
    }

    /// Some bytes of an object. Asks again while nobody answers.
    private func piece(
        _ range: Range<UInt64>, of object: String, _ remote: RemoteClip, _ done: Int64
    ) async throws -> [UInt8] {
        let deadline = ContinuousClock.now + .milliseconds(Self.patienceMs)
        while true {
            do {
                // The configuration may name another store by now.
                let store = try reader.client(of: remote.store)
                let began = ContinuousClock.now
                let bytes = try await store.client.bytes(
                    store.folder(of: remote.key) + object, range: range, limit: Self.pieceBytes)
                guard bytes.count == range.count else {
                    throw DaemonFailure("the store has fewer bytes of \(object) than it had")
                }
                reader.rate.add(bytes.count, in: ContinuousClock.now - began)
                return bytes
            } catch let error as StoreError {
                switch error.cause {
                case .unreachable, .tls, .slowDown, .server: if ContinuousClock.now > deadline { throw error }
                default: throw error
                }
                progress(done, "\(error)")
            }
            try await Task.sleep(for: .milliseconds(Self.waitMs))
        }
    }

    /// Reads the files through and enters the clip. Blocking.
    private func enter(
        _ files: [(track: ClipDescription.Track, file: FetchedFile)], _ remote: RemoteClip,
        _ description: ClipDescription, _ folder: String
    ) throws -> ClipID {
        let scans = try files.map { track, file in
            file.close()
            let scan = try TrackScanning.scanner(file.path, false)
            guard scan.fragments > 0, scan.bytes == track.bytes else {
                throw DaemonFailure(
                    "the \(track.kind.rawValue) file in the store is no whole clip: \(scan.bytes) of its \(track.bytes) bytes "
                        + "can be read")
            }
            return scan
        }
        let opened = NewClip(
            camera: remote.camera, bootID: description.bootID,
            start: Moment(monotonicMs: description.startMonotonicMs, wallMs: remote.startWallMs), cause: remote.cause,
            policy: description.policy, policyRevision: description.policyRevision, mediaClass: remote.mediaClass)
        let closed = ClosedClip(
            end: Moment(monotonicMs: description.endMonotonicMs, wallMs: remote.endWallMs),
            ended: description.ended ?? .interrupted, incomplete: description.isIncomplete || !remote.isComplete,
            tracks: scans)
        return try catalog.enterFetched(
            FetchedClip(
                opened: opened, closed: closed,
                files: files.map { track, file in
                    FetchedClip.File(
                        track: NewTrack(
                            kind: track.kind, codec: track.codec,
                            path: "\(remote.key).\(ClipPaths.suffix(track.kind))"),
                        path: "\(Fetches.folder)/\(folder)/\(track.kind.rawValue)")
                }, events: description.events.compactMap { Self.event($0, of: remote.camera) }), of: id)
    }

    /// An event that the description tells whole.
    private static func event(_ told: ClipDescription.Event, of camera: String) -> FetchedClip.Event? {
        guard let ended = told.endedWallMs, let why = told.why.flatMap(EventEnd.init(rawValue:)) else { return nil }
        let (lengthMs, isTooLong) = ended.subtractingReportingOverflow(told.beganWallMs)
        guard !isTooLong else { return nil }
        return FetchedClip.Event(
            begun: NewEvent(
                camera: camera, bootID: told.bootID,
                began: Moment(monotonicMs: told.beganMonotonicMs, wallMs: told.beganWallMs), cause: told.cause,
                level: told.level), lengthMs: max(lengthMs, 0), why: why,
            detail: EventDetail(detections: max(told.detections, 0), zones: told.zones),
            labels: (told.labels ?? []).map { label in
                EventLabel(
                    name: label.label, at: Moment(monotonicMs: label.atMonotonicMs, wallMs: label.atWallMs),
                    box: label.box)
            })
    }
}

/// A file that grows by what is read from the store. All functions block; one thread at a time.
///
/// `@unchecked Sendable`: `ClipFetching` waits for each call before the next.
private final class FetchedFile: @unchecked Sendable {
    let path: String
    private var handle: FileHandle?

    init(_ path: String) { self.path = path }

    func append(_ bytes: [UInt8]) throws {
        if handle == nil {
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
            guard file >= 0 else { throw DaemonFailure("\(path): \(String(cString: strerror(errno)))") }
            handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        }
        try handle?.write(contentsOf: bytes)
    }

    func close() {
        try? handle?.close()
        handle = nil
    }
}

/// A track file while it is read, piece after piece: what is taken is digested, decrypted where it is encrypted, and appended.
///
/// A class: optimised by Swift 6.3, a function that carries these values over an `await` wrote beyond its frame.
private final class TrackReading: @unchecked Sendable {
    // Used by one task, which waits for each piece to be taken.

    private let file: FetchedFile
    private var stream: DecryptedStream?
    private var sum = SHA256()
    /// Of all that was taken, decrypted.
    private(set) var whole = SHA256()

    init(_ track: ClipDescription.Track, into file: FetchedFile, key: ClipKey?) throws {
        self.file = file
        stream = try key.flatMap { key in
            try track.encryptedMap.map { try DecryptedStream($0, key: key.media) }
        }
    }

    /// Takes the next piece. Blocks.
    func take(_ bytes: [UInt8]) throws {
        sum.update(bytes)
        let plain = try stream?.take(bytes) ?? bytes
        try file.append(plain)
        whole.update(plain)
    }

    /// An object has been taken whole; gives its digest.
    func endObject() -> SHA256 {
        defer { sum = SHA256() }
        return sum
    }
}
