internal import Catalog
internal import Cloud
internal import Foundation
internal import Machines
internal import Media
internal import ObjectStore
internal import Policies
internal import Synchronization

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
    let renditions: [Rendition]
    let store: CloudStore
    let catalog: Catalog
    let reader: StoreReader
    let scratch: DerivedFiles
    /// Told how much is done, 0 to 1000.
    let progress: @Sendable (Int) -> Void

    func run() async throws {
        let result: Result<Void, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        try? await Blocking.always { [scratch, job] in scratch.dropFolder("\(job)") }
        try result.get()
    }

    private func work() async throws {
        let deadline = ContinuousClock.now + .milliseconds(Self.runMs)
        let isEnded = Ended()
        let made = try await withTaskCancellationHandler {
            try await IdleThread.result("vigil.encoder") { try encode(until: deadline, isEnded) }.get()
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
            let file = try await Blocking.always { try FileRange(path: track.path, bytes: track.summary.bytes) }
            let object = MediaObject(
                name: list.name, kind: track.configuration.kind, sha256: "", file: file,
                inParts: UploadTransfer.partBytes(of: file.bytes))
            try await put(object, sender, until: deadline)
            try await patiently(until: deadline) { try await sender.put(SmallObject(list.list)) }
        }
        for part in EncodedPresentation(of: made.clip, lists.map(\.rendition)).lists() {
            try await patiently(until: deadline) { try await sender.put(SmallObject(part)) }
        }
    }

    /// Puts a copy. A repeat goes on with the parts that are there; where it is given up, they go.
    private func put(
        _ object: MediaObject, _ sender: MediaSender, until deadline: ContinuousClock.Instant
    ) async throws {
        let open = Mutex<String?>(nil)
        do {
            try await patiently(until: deadline) {
                _ = try await sender.put(
                    object, isRepeated: true, resuming: open.withLock { $0 }, progress: { _ in },
                    began: { id in open.withLock { $0 = id } })
            }
        } catch {
            if let id = open.withLock({ $0 }) {
                // In a task of its own: this one may be cancelled.
                await Task { [store] in
                    try? await store.client.abortUpload(sender.folder + object.name, upload: id)
                }.value
            }
            throw error
        }
    }

    /// Does it again while nobody answers, the store fails by itself, or asks to wait.
    private func patiently(until deadline: ContinuousClock.Instant, _ body: () async throws -> Void) async throws {
        while true {
            do { return try await body() } catch let error as StoreError {
                switch error.cause {
                case .unreachable, .tls, .slowDown, .server: if ContinuousClock.now > deadline { throw error }
                default: throw error
                }
            }
            try await Task.sleep(for: .milliseconds(Self.waitMs))
        }
    }

    /// Blocking, for about as long as the clip lasts.
    private func encode(
        until deadline: ContinuousClock.Instant, _ isEnded: Ended
    ) throws -> (tracks: [EncodedTrack], clip: ClipPresentation) {
        let presentation = try EncodedRemoval.presentation(of: key, catalog)
        var told = -1
        let encoder = ClipEncoder(
            try files(), renditions, into: try scratch.makeFolder("\(job)"))
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
        if let index = presentation.playlists().first { try await MediaSender(store, key: key).put(SmallObject(index)) }
        let page = try await store.client.list(prefix: "\(store.folder(of: key))\(CloudKeys.encoded)/")
        if let failure = try await store.client.deleteMany(page.entries.map(\.key)).min(by: { $0.key < $1.key }) {
            throw failure.value
        }
    }

    /// What the clip's own lists are made of. Blocking.
    static func presentation(of key: String, _ catalog: Catalog) throws -> ClipPresentation {
        try ClipPresentation(ClipDescription(of: key, in: catalog))
    }
}

extension ClipDescription {
    /// What the catalog has of the remote clip below a key. Blocking.
    ///
    /// - Throws: `DaemonFailure` where there is none, `CatalogError`, `Defect`.
    init(of key: String, in catalog: Catalog) throws {
        guard let remote = try catalog.remoteClip(key: key), let body = try catalog.remoteDescription(of: remote.id)
        else { throw DaemonFailure("the clip is not in the cloud any more") }
        try self.init(parsing: body)
    }
}

extension CloudRules.Encode {
    /// The sizes as encoders have them.
    var sizes: [Rendition] {
        renditions.map { Rendition(name: "\($0.heightMax)p", heightMax: $0.heightMax, kilobits: $0.kilobits) }
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
