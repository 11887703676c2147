internal import Catalog
internal import Cloud
internal import Foundation
internal import Machines
internal import Media
internal import ObjectStore

/// One run of the local encoder: makes the copies of a clip on a thread of the lowest priority, and brings them into the clip's
/// folder with their lists. The clip's own list of lists is put last, so that it names nothing that is not there.
///
/// Throws `ClipEncodingError`, `TrackFileError`, `StoreError`, `CatalogError`, `CancellationError`, or `DaemonFailure`.
struct LocalEncoding: Sendable {
    /// How long it may take, in milliseconds.
    static let runMs: Int64 = 2 * 3_600_000
    /// How long it waits before what the store did not take is sent again, in milliseconds.
    private static let waitMs: Int64 = 15_000

    let job: UploadID
    /// The clip's key in the store.
    let key: String
    /// The clip on the disk, where it may be gone by now.
    let clip: ClipID?
    let renditions: [(heightMax: Int, kilobits: Int)]
    let store: CloudStore
    let catalog: Catalog
    let reader: StoreReader
    let scratch: DerivedFiles
    /// Told how much is done, 0 to 1000.
    let progress: @Sendable (Int) -> Void

    func run() async throws {
        let folder = "\(job)"
        defer { scratch.dropFolder(folder) }
        let isEnded = Ended()
        let made = try await withTaskCancellationHandler {
            try await IdleThread.result("vigil.encoder") { try encode(into: folder, isEnded) }.get()
        } onCancel: {
            isEnded.set()
        }
        if made.tracks.isEmpty { return }
        let lists = try made.tracks.map { track in
            try EncodedFileList(
                track.name,
                ClipDescription.Track(
                    kind: track.configuration.kind, codec: track.summary.codec,
                    bytes: Int64(clamping: track.summary.bytes), sha256: "", durationMs: track.summary.durationMs,
                    width: track.configuration.width, height: track.configuration.height,
                    index: Data(track.summary.index.encoded()), objects: []), of: made.clip)
        }
        let sender = MediaSender(store, key: key)
        for (track, list) in zip(made.tracks, lists) {
            let file = try FileRange(path: track.path, bytes: track.summary.bytes)
            let object = MediaObject(
                name: list.name, kind: track.configuration.kind, sha256: "", file: file,
                inParts: file.bytes > UploadTransfer.partBytes ? UploadTransfer.partBytes : nil)
            try await patiently { _ = try await sender.put(object, isRepeated: true, progress: { _ in }) }
            try await patiently { try await sender.put(list.list) }
        }
        for part in EncodedPresentation(of: made.clip, lists.map(\.rendition)).lists() {
            try await patiently { try await sender.put(part) }
        }
    }

    /// Does it again while nobody answers, or the store asks to wait.
    private func patiently(_ body: () async throws -> Void) async throws {
        let deadline = ContinuousClock.now + .milliseconds(Self.runMs)
        while true {
            do { return try await body() } catch let error as StoreError {
                switch error.cause {
                case .unreachable, .tls, .slowDown: if ContinuousClock.now > deadline { throw error }
                default: throw error
                }
            }
            try await Task.sleep(for: .milliseconds(Self.waitMs))
        }
    }

    /// Blocking, for about as long as the clip lasts.
    private func encode(
        into folder: String, _ isEnded: Ended
    ) throws -> (tracks: [EncodedTrack], clip: ClipPresentation) {
        let deadline = ContinuousClock.now + .milliseconds(Self.runMs)
        let presentation = try EncodedRemoval.presentation(of: key, catalog)
        var told = -1
        let encoder = ClipEncoder(
            try files(),
            renditions.map { Rendition(name: "\($0.heightMax)p", heightMax: $0.heightMax, kilobits: $0.kilobits) },
            into: try scratch.makeFolder(folder))
        do {
            let tracks = try encoder.run {
                isEnded.isSet || ContinuousClock.now > deadline
            } progress: { perMille in
                guard perMille / 10 > told else { return }
                told = perMille / 10
                progress(perMille)
            }
            return (tracks, presentation)
        } catch is CancellationError where !isEnded.isSet {
            throw DaemonFailure(
                "encoding took more than \(Self.runMs / 3_600_000) h; shorter clips (recording.clipLength), fewer sizes "
                    + "(cloud.encode) or a remote encoder take less")
        }
    }

    /// The clip's files: those of the disk, or else as they lie in the store.
    private func files() throws -> ClipFiles {
        if let clip, let found = try catalog.clip(clip), found.state == .closed {
            let tracks = try found.tracks.compactMap { track in
                try catalog.fragmentIndex(of: clip, ordinal: track.ordinal).map {
                    ClipFiles.Track(kind: track.kind, path: track.path, index: try FragmentIndex(decoding: $0))
                }
            }
            if !tracks.isEmpty { return ClipFiles(root: catalog.rootPath, tracks: tracks) }
        }
        guard let remote = try catalog.remoteClip(key: key),
            let files = try RemoteClips(catalog: catalog, reader: reader).files(of: remote.id)
        else { throw DaemonFailure("neither the disk nor the store has the clip any more") }
        return files
    }
}

/// Takes what was made of a clip out of its folder, and its name out of the clip's own list. Throws `StoreError`, or `DaemonFailure`.
struct EncodedRemoval: Sendable {
    let store: CloudStore
    /// The clip's key.
    let key: String
    let catalog: Catalog

    func run() async throws {
        let presentation = try await Blocking.always { try Self.presentation(of: key, catalog) }
        if let index = presentation.playlists().first { try await MediaSender(store, key: key).put(index) }
        let page = try await store.client.list(prefix: "\(store.folder(of: key))\(CloudKeys.encoded)/")
        if let failure = try await store.client.deleteMany(page.entries.map(\.key)).min(by: { $0.key < $1.key }) {
            throw failure.value
        }
    }

    /// What the clip's own lists are made of. Blocking.
    static func presentation(of key: String, _ catalog: Catalog) throws -> ClipPresentation {
        guard let remote = try catalog.remoteClip(key: key), let body = try catalog.remoteDescription(of: remote.id)
        else {
            throw DaemonFailure("the clip is not in the cloud any more")
        }
        return try ClipPresentation(ClipDescription(parsing: body))
    }
}

/// A thread for work that everything else goes before.
enum IdleThread {
    /// What `work` comes to on a thread of its own, at the lowest priority that there is.
    static func result<Value: Sendable>(
        _ name: String, _ work: @escaping @Sendable () throws -> Value
    ) async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                // Linux gives each thread its own. Where it is not allowed, the work is done all the same.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
                var parameters = sched_param()
                sched_setscheduler(0, 5, &parameters)  // SCHED_IDLE, a macro that Swift does not see
                continuation.resume(returning: Result { try work() })
            }
            thread.name = name
            thread.stackSize = 4 << 20
            thread.start()
        }
    }
}
