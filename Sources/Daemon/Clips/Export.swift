internal import Catalog
internal import Foundation
internal import Machines
internal import Media
internal import Server
internal import Synchronization

/// One export: its movie is planned and read on a thread of its own, in chunks, as fast as they are taken.
///
/// `@unchecked Sendable`: the movie is confined to `queue`.
final class Export: @unchecked Sendable {
    /// The most bytes of a chunk.
    static let chunkBytes = 256 << 10

    private let place: Places.Place
    private let queue: any WorkQueue
    private let isCancelled = Atomic(false)
    /// Told of each clip that is left out or damaged, with the reason.
    private let tell: @Sendable (_ clip: ClipID?, _ why: String) -> Void
    private var movie: ClipMovie?
    /// Which clip a file is of, and how many damages were told.
    private var clips: [String: ClipID] = [:]
    private var told = 0
    private let damage = Mutex<[String]>([])

    init(
        _ place: Places.Place, on queue: any WorkQueue,
        tell: @escaping @Sendable (_ clip: ClipID?, _ why: String) -> Void
    ) {
        self.place = place
        self.tell = tell
        self.queue = queue
    }

    /// What of the chunks so far is zeros, with the reasons.
    var damaged: [String] { damage.withLock { $0 } }

    /// What was planned.
    struct Planned: Sendable {
        /// The size of the movie, in bytes.
        let bytes: UInt64
        /// The clips that were left out because they cannot be read, with the reasons.
        let skipped: [String]
    }

    /// Plans the movie of `clips`, the oldest first. A clip that is damaged is left out (H5).
    ///
    /// - Throws: `SiteError` where a clip is gone, none can be read, or all of them together are too long.
    func plan(_ clips: [Clip], _ lookup: ClipLookup, fromMs: Int64, toMs: Int64) async throws -> Planned {
        try await withTaskCancellationHandler {
            try await run { [self] in
                var plan = Media.ExportPlan(fromMs: fromMs, toMs: toMs)
                var skipped: [(clip: Clip, error: any Error)] = []
                for clip in clips {
                    if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
                    do {
                        guard let files = try lookup.files(of: clip) else { throw Self.gone(clip) }
                        try plan.add(files, startMs: clip.zeroWallMs(of: files), endMs: clip.end?.wallMs)
                        for track in files.tracks { self.clips[track.path] = clip.id }
                    } catch {
                        let refusal = Self.refusal(error, clip)
                        // A file that is missing although nobody deleted its clip is damage too.
                        let kind = (refusal as? SiteError)?.kind
                        let isLost = kind == .conflict && (try? lookup.catalog.clip(clip.id))?.state == .closed
                        guard kind == .failed || isLost else { throw refusal }
                        skipped.append((clip, error))
                    }
                }
                if plan.clips == 0, let first = skipped.first { throw Self.refusal(first.error, first.clip) }
                do {
                    let movie = try ClipMovie(plan)
                    self.movie = movie
                    for (clip, error) in skipped { tell(clip.id, "left out: \(error)") }
                    return Planned(
                        bytes: movie.summary.bytes,
                        skipped: skipped.map {
                            "clip \($0.clip.id) from \(WallTime(ms: $0.clip.start.wallMs).rfc3339): \($0.error)"
                        })
                } catch {
                    throw Self.refusal(error, nil)
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }

    /// The bytes from `offset` on, `chunkBytes` of them or what is left; none at the end.
    func chunk(at offset: UInt64) async throws -> [UInt8] {
        try await run { [self] in
            defer { tellDamage() }
            return try movie?.read(Self.chunkBytes, at: offset) ?? []
        }
    }

    /// Says what could not be read: to the journal once for each file, to the client with all of it at the end.
    private func tellDamage() {
        guard let damages = movie?.damages, !damages.isEmpty else { return }
        for damage in damages.dropFirst(told) { tell(clips[damage.path], "empty from some byte on: \(damage.why)") }
        told = damages.count
        damage.withLock {
            $0 = damages.map { damage in
                let clip = clips[damage.path].map { "clip \($0): " } ?? ""
                return "\(clip)\(damage.bytes) bytes of \(damage.path): \(damage.why)"
            }
        }
    }

    private func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.run { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    private static func gone(_ clip: Clip) -> SiteError {
        SiteError(
            .conflict, what: "this export", why: "clip \(clip.id) was deleted just now", remedy: "ask again")
    }

    /// What is told of an error before the first byte is sent.
    private static func refusal(_ error: any Error, _ clip: Clip?) -> any Error {
        switch (error as? TrackFileError)?.cause {
        case _ where error is SiteError: return error
        // What is deleted for want of room does not wait for those who read it.
        case .system(ENOENT)?: return clip.map(gone) ?? error
        case .nothingInRange?:
            return SiteError(
                .notFound, what: "this export", why: "no picture and no sound was recorded in this time",
                remedy: "choose another time; `vigil clips` lists what there is")
        case .tooLong?:
            return SiteError(
                .tooLarge, what: "this export", why: "it would be longer than one movie may be",
                remedy: "export a shorter time")
        default:
            let name = clip.map { "clip \($0.id)" } ?? "a clip"
            return SiteError.unread(
                "this export", "\(name) cannot be read", error, or: "export the times before and after it")
        }
    }
}

extension Export {
    /// The bytes of the movie in order. The export ends with the last reference to them.
    struct Chunks: AsyncSequence {
        typealias Element = [UInt8]
        typealias Failure = any Error

        let export: Export
        /// Told why the export broke off.
        let tell: @Sendable (any Error) -> Void

        struct Iterator: AsyncIteratorProtocol {
            let chunks: Chunks
            private var offset: UInt64 = 0

            init(_ chunks: Chunks) { self.chunks = chunks }

            mutating func next() async throws -> [UInt8]? {
                do {
                    let bytes = try await chunks.export.chunk(at: offset)
                    offset += UInt64(bytes.count)
                    return bytes.isEmpty ? nil : bytes
                } catch {
                    chunks.tell(error)
                    throw error
                }
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(self) }
    }
}
