internal import Catalog
internal import Machines
internal import Media
internal import Server

extension DaemonSite {
    func snapshot(of subject: SnapshotSubject, width: Int?) async throws -> [UInt8] {
        if case .camera(let camera, _) = subject { try await check(camera) }
        let options = SnapshotOptions(widthMax: width ?? SnapshotWidth.standard, heightMax: 2_160)
        return try await Blocking.run { [catalog] in
            switch subject {
            case .event(let number): try Self.snapshot(event: EventID(rawValue: number), options, catalog)
            case .camera(let camera, let moment?):
                try Self.snapshot(camera, at: moment.ms, what: "a picture of camera \(camera)", options, catalog)
            case .camera(let camera, nil): try Self.newest(camera, options, catalog)
            }
        }
    }

    // MARK: Blocking

    private static func snapshot(event id: EventID, _ options: SnapshotOptions, _ catalog: Catalog) throws -> [UInt8] {
        let what = "the picture of event \(id)"
        guard let event = try catalog.event(id) else {
            throw SiteError(
                .notFound, what: what, why: "there is no such event", remedy: "`vigil events` lists them")
        }
        let began = event.begun.began
        let moment = try catalog.detail(of: id)?.pictureMonotonicMs ?? began.monotonicMs
        let clips = try catalog.clips(of: id)
        guard !clips.isEmpty else {
            // In continuous mode events are marks, and the media is in clips that belong to none.
            return try snapshot(
                event.begun.camera, at: began.wallMs(atMonotonicMs: moment).ms, what: what, options, catalog)
        }
        let closed = clips.filter { $0.state == .closed }
        guard let clip = closed.min(by: { $0.distance(from: moment) < $1.distance(from: moment) }) else {
            throw stillWritten(what, clips[0].id)
        }
        return try decode(clip, atMs: moment - clip.start.monotonicMs, what: what, options, catalog)
    }

    private static func snapshot(
        _ camera: String, at moment: Int64, what: String, _ options: SnapshotOptions, _ catalog: Catalog
    ) throws -> [UInt8] {
        let query = ClipQuery(
            camera: camera, fromWallMs: moment, toWallMs: moment + 1, limit: 16, includingOpen: true)
        let clips = try catalog.clips(query)
        guard let clip = clips.last(where: { $0.state == .closed }) else {
            if let open = clips.last { throw stillWritten(what, open.id) }
            throw SiteError(
                .notFound, what: what, why: "nothing was recorded at that moment, or it has been deleted",
                remedy: "`vigil clips --camera \(camera)` lists what there is")
        }
        return try decode(clip, atMs: moment - clip.start.wallMs, what: what, options, catalog)
    }

    private static func newest(_ camera: String, _ options: SnapshotOptions, _ catalog: Catalog) throws -> [UInt8] {
        let what = "a picture of camera \(camera)"
        let query = ClipQuery(camera: camera, limit: 1, order: .newestFirst)
        guard let clip = try catalog.clips(query).first else {
            throw SiteError(
                .notFound, what: what, why: "no clip of it is whole yet, or all have been deleted",
                remedy: "`vigil state \(camera)` says whether it records")
        }
        return try decode(
            clip, atMs: (clip.end?.wallMs ?? clip.start.wallMs) - clip.start.wallMs, what: what, options, catalog)
    }

    private static func decode(
        _ clip: Clip, atMs offset: Int64, what: String, _ options: SnapshotOptions, _ catalog: Catalog
    ) throws -> [UInt8] {
        guard let track = clip.tracks.first(where: { $0.kind == .video }) else {
            throw SiteError(
                .notFound, what: what, why: "clip \(clip.id) has no video", remedy: "choose another moment")
        }
        // Video tracks count in 90 kHz, from the clip's first frame.
        let ticks = max(0, offset) * 90
        do {
            return try Snapshot(trackFile: catalog.absolutePath(of: track.path), at: ticks, options: options).jpeg
        } catch {
            throw SiteError(
                .notFound, what: what, why: "clip \(clip.id) cannot be read, or was deleted just now: \(error)",
                remedy: "`vigil fsck` checks the recordings")
        }
    }

    private static func stillWritten(_ what: String, _ clip: ClipID) -> SiteError {
        SiteError(
            .conflict, what: what, why: "its clip \(clip) is still being written",
            remedy: "ask again when the clip has ended")
    }
}

extension Clip {
    /// How far a moment of its boot lies outside of the clip, in milliseconds.
    fileprivate func distance(from monotonicMs: Int64) -> Int64 {
        max(0, start.monotonicMs - monotonicMs, monotonicMs - (end?.monotonicMs ?? start.monotonicMs))
    }
}
