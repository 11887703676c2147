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

    private let place: Exports.Place
    private let queue: any WorkQueue
    private let isCancelled = Atomic(false)
    private var movie: ClipMovie?

    init(_ place: Exports.Place) {
        self.place = place
        queue = place.newQueue()
    }

    /// Plans the movie of `clips`, the oldest first; gives its size in bytes.
    ///
    /// - Throws: `SiteError` where a clip is gone or damaged, or all of them together are too long.
    func plan(_ clips: [Clip], _ lookup: ClipLookup, fromMs: Int64, toMs: Int64) async throws -> UInt64 {
        try await withTaskCancellationHandler {
            try await run { [self] in
                var plan = Media.ExportPlan(fromMs: fromMs, toMs: toMs)
                for clip in clips {
                    if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
                    do {
                        guard let files = try lookup.files(of: clip) else { throw Self.gone(clip) }
                        try plan.add(files, startMs: clip.start.wallMs)
                    } catch {
                        throw Self.refusal(error, clip)
                    }
                }
                do {
                    let movie = try ClipMovie(plan)
                    self.movie = movie
                    return movie.summary.bytes
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
        try await run { [self] in try movie?.read(Self.chunkBytes, at: offset) ?? [] }
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
            return SiteError(
                .failed, what: "this export", why: "\(name) cannot be read: \(error)",
                remedy: "`vigil fsck --deep` says what is damaged; export the times before and after it")
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
