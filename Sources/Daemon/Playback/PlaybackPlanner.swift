internal import Catalog
internal import Machines
internal import Media
internal import Server

/// Finds what is to be played in the catalog and at the recorder. All of it blocks.
struct PlaybackPlanner: Sendable {
    let lookup: ClipLookup

    /// What was found.
    struct Found {
        /// The plan.
        var plan: PlaybackPlan
        /// The clips, oldest first.
        let clips: [Clip]
        /// Whether nothing will be added.
        let isFinished: Bool
        /// The files of the clips of the plan.
        var files: [Int64: ClipFiles] = [:]

        /// Whether the disk has all clips of the plan.
        var isOnDisk: Bool { files.keys.allSatisfy { ClipID(rawValue: $0).remote == nil } }

        /// The reader of the pictures of a clip; nil where it has none, or they cannot be read.
        func video(of clip: Int64) -> TrackReader? {
            files[clip].flatMap { try? ClipReader($0, only: .video).video }
        }
    }

    /// The clips of a camera that reach into a time, oldest first.
    func clips(_ camera: String, fromMs: Int64, toMs: Int64) throws -> [Clip] {
        let clips = try lookup.clips(
            ClipQuery(
                camera: camera, fromWallMs: fromMs, toWallMs: toMs, limit: ClipQuery.limitMax, includingOpen: true))
        guard clips.count < ClipQuery.limitMax else { throw Self.tooLong("more than \(ClipQuery.limitMax) clips") }
        return clips
    }

    /// What there is to play of a camera. A clip that cannot be read is left out, as one that is gone.
    func find(_ camera: String, fromMs: Int64, toMs: Int64, skipsHoles: Bool, nowMs: Int64) throws -> Found {
        let clips = try clips(camera, fromMs: fromMs, toMs: toMs)
        var plan = PlaybackPlan(fromMs: fromMs, toMs: toMs, skipsHoles: skipsHoles)
        var files: [Int64: ClipFiles] = [:]
        let indexes = try lookup.indexes(of: clips)
        for clip in clips {
            guard let found = try? lookup.files(of: clip, indexes: indexes[clip.id] ?? [:]) else { continue }
            let known = plan.stretches.count
            plan.add(
                PlayedClip(
                    id: clip.id.rawValue, startMs: clip.zeroWallMs(of: found),
                    isGrowing: clip.state == .open,
                    codecs: Dictionary(
                        clip.tracks.map { ($0.kind, $0.codec) }, uniquingKeysWith: { first, _ in first }),
                    files: found))
            if plan.isTooLong { throw Self.tooLong("more than \(PlaybackPlan.segmentsMax) segments") }
            if plan.stretches.count > known { files[clip.id.rawValue] = found }
        }
        return Found(plan: plan, clips: clips, isFinished: toMs <= nowMs && !plan.isGrowing, files: files)
    }

    static func tooLong(_ why: String) -> SiteError {
        SiteError(.tooLarge, what: "this playlist", why: "it would have \(why)", remedy: "play a shorter time")
    }
}
