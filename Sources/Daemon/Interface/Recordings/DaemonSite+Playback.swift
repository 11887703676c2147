internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Server

extension DaemonSite {
    /// Every answer that plays something of a camera asks here first: whether `caller` may, at this time, with the session that
    /// they name, or with one of their own. `day` is that of the media. A camera that is not configured any more has no
    /// sessions; what it recorded can be played.
    func admitPlayback(camera: String, day: Session.Day, session: String?, by caller: Caller) async throws {
        guard let running = pool.camera(camera) else { return }
        do {
            try await sessions.admitPlayback(running, day, session: session, by: caller)
        } catch let refusal as SiteError where session == nil && Self.isUnderWay(refusal) {
            // A player asks for several things at once; one of its requests is just being let in.
        }
    }

    private static func isUnderWay(_ refusal: SiteError) -> Bool {
        let reasons: [Session.Refusal] = [.busy, .notConnected, .notListed]
        return reasons.contains { $0.rawValue == refusal.reason }
    }

    /// The days of the site's time zone.
    var calendar: SiteDays { SiteDays(zone: TimeZone(identifier: configuration.current.timeZone) ?? .current) }

    private var planner: PlaybackPlanner { PlaybackPlanner(lookup: lookup) }

    func track(
        clip id: Int64, kind: TrackKind, shift: UInt64, session: String?, by caller: Caller
    ) async throws -> ServedMedia {
        let id = ClipID(rawValue: id)
        guard let clip = try await Blocking.run({ [lookup] in try lookup.clip(id) }) else {
            throw Self.gone(id)
        }
        try await admitPlayback(
            camera: clip.camera, day: calendar.sessionDay(atMs: clip.start.wallMs), session: session, by: caller)
        let place = try playback.place(for: caller, reading: [id])
        let threads = Blocking.reading([id], fromDisk: .playing)
        return try await threads.run { [lookup] in try Self.track(clip, kind, shift, place, on: threads, lookup) }
    }

    func playlist(_ request: PlayRequest, _ form: PlaylistForm, by caller: Caller) async throws -> [UInt8] {
        let (from, to) = try await admitted(request, by: caller)
        let now = clock.wallMs()
        let planner = planner
        let (found, playlist) = try await Blocking.run { () -> (PlaybackPlanner.Found, [UInt8]?) in
            let found = try planner.find(
                request.camera, fromMs: from, toMs: to, skipsHoles: request.skipHoles, nowMs: now)
            guard !found.plan.stretches.isEmpty else { throw SiteError.nothingRecorded(request.camera) }
            return (found, found.isOnDisk ? try found.playlist(form, request, nowMs: now) : nil)
        }
        if let playlist { return playlist }
        return try await Blocking.fetching.run { try found.playlist(form, request, nowMs: now) }
    }

    func movie(_ request: PlayRequest, by caller: Caller) async throws -> ServedMedia {
        let (from, to) = try await admitted(request, by: caller)
        let (planner, movies) = (planner, playback.movies)
        let clips = try await Blocking.run {
            try planner.clips(request.camera, fromMs: from, toMs: to)
        }
        guard !clips.isEmpty else { throw SiteError.nothingRecorded(request.camera) }
        let place = try playback.place(for: caller, reading: clips.map(\.id))
        let threads = Blocking.reading(clips.map(\.id), fromDisk: .planning)
        let key = Movies.Key(camera: request.camera, fromMs: from, toMs: to)
        let planned = try await threads.run { try movies.movie(key, clips, planner.lookup) }
        let (journal, camera) = (journal, request.camera)
        let source = MovieSource(
            planned.reader(), place, on: Blocking.reading(clips.map(\.id), fromDisk: .playing)
        ) { error in
            journal.send(.requestBrokeOff, camera: camera, fields: [(.request, "play"), (.detail, "\(error)")])
        }
        return ServedMedia(
            bytes: planned.bytes, type: "video/mp4", tag: planned.tag, skipped: planned.skipped, source: source)
    }

    /// The time that is to be played, in milliseconds since 1970, for somebody who may.
    private func admitted(_ request: PlayRequest, by caller: Caller) async throws -> (from: Int64, to: Int64) {
        try await check(request.camera)
        let calendar = calendar
        let from = request.from.ms
        try await admitPlayback(
            camera: request.camera, day: calendar.sessionDay(atMs: from), session: request.session, by: caller)
        guard request.to == nil || request.skipHoles else { return (from, request.to?.ms ?? from) }
        return (from, max(calendar.endOfDay(atMs: from), request.to?.ms ?? from))
    }

    private static func gone(_ clip: ClipID) -> SiteError {
        SiteError(
            .notFound, what: "clip \(clip)", why: "there is none of this id, or it has been deleted",
            remedy: "`vigil clips` lists what there is")
    }

    /// A track of a clip that is held. Blocking.
    private static func track(
        _ clip: Clip, _ kind: TrackKind, _ shift: UInt64, _ place: Places.Place, on threads: Blocking,
        _ lookup: ClipLookup
    ) throws -> ServedMedia {
        guard let files = try lookup.files(of: clip) else { throw gone(clip.id) }
        guard let track = files.track(kind)?.played, !track.index.entries.isEmpty else {
            if lookup.growing(clip) != nil || files.tracks.isEmpty {
                throw SiteError(
                    .conflict, what: "the \(kind.rawValue) of clip \(clip.id)", why: "nothing of it is written yet",
                    remedy: "ask again in some seconds")
            }
            throw SiteError(
                .notFound, what: "the \(kind.rawValue) of clip \(clip.id)", why: "the clip has none",
                remedy: "`vigil clips` says which tracks a clip has")
        }
        do {
            guard let reader = try ClipReader(ClipFiles(place: files.place, tracks: [track])).tracks.first else {
                throw gone(clip.id)
            }
            let name = track.path.split(separator: "/").last.map(String.init) ?? "\(clip.id)"
            return ServedMedia(
                bytes: track.bytes, type: "\(kind.rawValue)/mp4", tag: "\(clip.id)-\(name)-\(track.bytes)-\(shift)",
                source: TrackSource(ShiftedTrack(reader, ticks: shift), place, on: threads))
        } catch let error as TrackFileError {
            throw SiteError.unread("the \(kind.rawValue) of clip \(clip.id)", "it cannot be read", error)
        }
    }
}

extension PlaybackPlanner.Found {
    /// The playlist in one of its forms. Blocking.
    fileprivate func playlist(_ form: PlaylistForm, _ request: PlayRequest, nowMs: Int64) throws -> [UInt8] {
        let links = PlaylistLinks(
            listQuery: request.query, session: request.session
        ) { WallTime(ms: $0).rfc3339 }
        switch form {
        case .variants: return HLSPlaylist.variants(plan, traits, links)
        case .video, .audio:
            let kind: TrackKind = form == .video ? .video : .audio
            guard !plan.tracks(kind).isEmpty else { throw SiteError.nothingRecorded(request.camera) }
            return HLSPlaylist.media(plan, kind, isFinished: isFinished, links)
        case .keys:
            guard !plan.tracks(.video).isEmpty else { throw SiteError.nothingRecorded(request.camera) }
            return HLSPlaylist.keys(plan, keys, isFinished: isFinished, links)
        case .dash:
            return DASHManifest.manifest(
                plan, traits, continues: continues, isFinished: isFinished, nowMs: nowMs, links)
        }
    }

    private var traits: PlaybackTraits {
        let first = plan.tracks(.video).first?.stretch.clip
        let index = first.flatMap { files[$0]?.track(.video)?.index }
        return PlaybackTraits(
            plan, first: first.flatMap { video(of: $0)?.configuration }, frameRate: index?.ratePerMille)
    }

    /// For each stretch, whether a decoder goes on with it as it was set up for the one before.
    private var continues: [Bool] {
        var last: (clip: Int64, headers: [TrackKind: [UInt8]])?
        return plan.stretches.map { stretch in
            if let last, last.clip == stretch.clip { return true }
            let headers = headers(of: stretch.clip)
            defer { last = (stretch.clip, headers) }
            return !headers.isEmpty && headers == last?.headers
        }
    }

    /// The headers of a clip's tracks; none where they cannot be read.
    private func headers(of clip: Int64) -> [TrackKind: [UInt8]] {
        guard let files = files[clip], let reader = try? ClipReader(files) else { return [:] }
        var headers: [TrackKind: [UInt8]] = [:]
        for track in reader.tracks where headers[track.track.kind] == nil {
            guard let header = try? track.header() else { return [:] }
            headers[track.track.kind] = header
        }
        return headers
    }

    /// The key frames of each stretch; none of one that cannot be read.
    private var keys: [[PlayedKey]] {
        let stepMs = PlayedKey.stepMs(of: plan.toMs - plan.fromMs)
        var last: (clip: Int64, reader: TrackReader?)?
        return plan.stretches.map { stretch in
            guard let track = stretch.track(.video) else { return [] }
            if last?.clip != stretch.clip { last = (stretch.clip, video(of: stretch.clip)) }
            return last?.reader.flatMap {
                try? PlayedKey.keys(of: track, $0, stepMs: stepMs, isOpen: !stretch.isWhole)
            } ?? []
        }
    }
}
