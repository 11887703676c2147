internal import Catalog
internal import Journal
internal import Machines
internal import Media
internal import Server
internal import Synchronization

/// The movies that are played: planned once, and kept for the next ranges that their player asks for.
final class Movies: Sendable {
    /// How many are kept.
    static let most = 8
    /// How much memory they take together, in bytes; a movie that takes more is planned for each range.
    static let bytesMax = 32 << 20
    /// How long one is kept after its last use, in milliseconds. A clip that is being written grows meanwhile without it, since
    /// ranges of two different movies do not fit together.
    static let keptMs: Int64 = 60_000

    /// What a movie is of.
    struct Key: Hashable, Sendable {
        let camera: String
        let fromMs: Int64
        let toMs: Int64
    }

    /// A movie, for any number of readers.
    ///
    /// `@unchecked Sendable`: only what does not change is read of the movie, when a reader is made from it.
    struct Planned: @unchecked Sendable {
        fileprivate let template: ClipMovie
        /// The clips of which it was made, as they were.
        fileprivate let made: [ClipID]
        /// Names its bytes.
        let tag: String
        /// What was left out, with the reasons.
        let skipped: [String]

        /// How many bytes it has.
        var bytes: UInt64 { template.summary.bytes }

        /// A reader of its own.
        func reader() -> ClipMovie { ClipMovie(template) }
    }

    private struct Kept {
        let planned: Planned
        var usedAt: Instant
    }

    private let clock: any Clocks
    private let kept = Mutex<[Key: Kept]>([:])

    init(clock: any Clocks) { self.clock = clock }

    /// The movie of `clips`, the oldest first: the one that is kept, or a new one. Blocking.
    ///
    /// - Throws: `SiteError` where nothing of them can be played.
    func movie(_ key: Key, _ clips: [Clip], _ lookup: ClipLookup) throws -> Planned {
        let now = clock.now()
        let made = clips.map(\.id)
        let known = kept.withLock { kept -> Planned? in
            kept = kept.filter { now - $0.value.usedAt <= Self.keptMs }
            guard kept[key]?.planned.made == made else { return nil }
            kept[key]?.usedAt = now
            return kept[key]?.planned
        }
        if let known { return known }
        let planned = try plan(key, clips, lookup)
        keep(planned, key, now)
        return planned
    }

    private func keep(_ planned: Planned, _ key: Key, _ now: Instant) {
        guard planned.template.tableBytes <= Self.bytesMax else { return }
        kept.withLock { kept in
            kept[key] = Kept(planned: planned, usedAt: now)
            while kept.count > Self.most
                || kept.values.reduce(0, { $0 + $1.planned.template.tableBytes }) > Self.bytesMax
            {
                guard let oldest = kept.filter({ $0.key != key }).min(by: { $0.value.usedAt < $1.value.usedAt })
                else { return }
                kept[oldest.key] = nil
            }
        }
    }

    private func plan(_ key: Key, _ clips: [Clip], _ lookup: ClipLookup) throws -> Planned {
        var plan = Media.ExportPlan(fromMs: key.fromMs, toMs: key.toMs)
        var skipped: [String] = []
        var last: (any Error)?
        for clip in clips {
            do {
                guard let files = try lookup.files(of: clip), !files.isEmpty else { continue }
                try plan.add(files, startMs: clip.zeroWallMs(of: files), endMs: clip.end?.wallMs)
            } catch let error as TrackFileError where error.cause == .tooLong {
                throw SiteError(
                    .tooLarge, what: "this movie", why: "it would be longer than one movie may be",
                    remedy: "play a shorter time, or play.m3u8")
            } catch {
                last = error
                skipped.append("clip \(clip.id) from \(WallTime(ms: clip.start.wallMs).rfc3339): \(error)")
            }
        }
        if plan.clips == 0, let last {
            throw SiteError.unread("this movie", "no clip of it can be read", last)
        }
        do {
            let movie = try ClipMovie(plan)
            let ends = clips.first.map { "\($0.id)-\(clips.count)" } ?? ""
            return Planned(
                template: movie, made: clips.map(\.id),
                tag: "\(key.camera)-\(key.fromMs)-\(key.toMs)-\(ends)-\(plan.clips)-\(movie.summary.bytes)",
                skipped: skipped)
        } catch {
            throw error.cause == .nothingInRange ? SiteError.nothingRecorded(key.camera) : error as any Error
        }
    }
}

extension SiteError {
    /// Nothing to be played.
    static func nothingRecorded(_ camera: String) -> SiteError {
        SiteError(
            .notFound, what: "media of camera \(camera)",
            why: "nothing was recorded in this time, or nothing of it is written yet",
            remedy: "look at what there is: vigil clips --camera \(camera)")
    }
}
