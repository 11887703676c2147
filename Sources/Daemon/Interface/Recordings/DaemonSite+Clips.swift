internal import Catalog
internal import Machines
internal import Media
internal import Server

extension DaemonSite {
    func clips(_ filter: ListFilter, in scope: CameraScope) async throws -> Page<ClipInfo> {
        for camera in filter.cameras ?? [] { try await check(camera) }
        var query = ClipQuery(
            camera: filter.onlyCamera, fromWallMs: filter.from?.ms, toWallMs: filter.to?.ms, limit: filter.limit,
            order: filter.order == .newest ? .newestFirst : .oldestFirst, includingOpen: true)
        query.cameras = filter.onlyCamera == nil ? scope.names : nil
        if let after = filter.after {
            guard let (wall, id) = Self.cursor(after) else { throw Self.badCursor(after) }
            query.after = ClipQuery.Key(startWallMs: wall, id: ClipID(rawValue: id))
        }
        let wanted = query
        let clips = try await Blocking.run { [catalog] in try catalog.clips(wanted) }
        let next = clips.count == filter.limit ? clips.last.map { "\($0.start.wallMs).\($0.id)" } : nil
        return Page(items: clips.map { ClipInfo($0, growing: lookup.growing($0)) }, next: next)
    }

    func camera(ofClip clip: Int64) async throws -> String? {
        try await Blocking.run { [lookup] in try lookup.clip(ClipID(rawValue: clip))?.camera }
    }

    /// A camera that was never configured and has no clips is a mistake worth telling.
    func check(_ camera: String?) async throws {
        guard let camera, pool.camera(camera) == nil else { return }
        // Clips of a camera that was removed from the configuration can still be listed.
        let isKnown = try await Blocking.run { [catalog] in
            try catalog.usage().contains { $0.camera == camera } || catalog.hasCoverage(camera: camera)
                || catalog.remoteUsage().contains { $0.camera == camera }
        }
        if isKnown { return }
        _ = try known(camera)
    }

    /// Where a page ended, as `next` says it.
    static func cursor(_ text: String) -> (Int64, Int64)? {
        let parts = text.split(separator: ".")
        guard parts.count == 2, let wall = Int64(parts[0]), let id = Int64(parts[1]) else { return nil }
        return (wall, id)
    }

    static func badCursor(_ text: String) -> SiteError {
        SiteError(
            .invalid, what: "the page mark", why: "it is not one that this daemon gave",
            remedy: "begin again without it")
    }
}

extension ClipInfo {
    /// A clip of the catalog as the interface shows it; `growing`: what is in its files while it is written.
    init(_ clip: Clip, growing: ClipFiles?) {
        self.init(
            id: clip.id.rawValue, camera: clip.camera, start: WallTime(ms: clip.start.wallMs),
            end: clip.end.map { WallTime(ms: $0.wallMs) }, startedMonotonicMs: clip.start.monotonicMs,
            bootId: clip.opened.bootID, cause: clip.opened.cause, ended: clip.ended,
            chainedTo: clip.opened.chainedTo?.rawValue, policy: clip.opened.policy,
            policyRevision: clip.opened.policyRevision,
            preRoll: PreRollInfo(clip),
            tracks: clip.tracks.map { track in
                let written = growing?.track(track.kind)
                return TrackInfo(
                    kind: track.kind, codec: track.codec, path: track.path,
                    bytes: written.map { Int64(clamping: $0.bytes) } ?? track.bytes,
                    fragments: written.map { Int64($0.index.entries.count) } ?? track.fragments,
                    durationMs: written?.index.durationMs ?? track.durationMs)
            },
            protected: clip.protected,
            damagedFrames: growing.map { $0.tracks.reduce(0) { $0 + $1.index.damagedCount } } ?? clip.damagedFrames)
    }
}

extension PreRollInfo {
    /// The pre-roll of a clip.
    init(_ clip: Clip) {
        self.init(
            promisedMs: clip.opened.preRollPromisedMs, deliveredMs: clip.opened.preRollDeliveredMs,
            shortfall: clip.opened.shortfall)
    }
}
