internal import Catalog
internal import Machines
internal import Media
internal import Server

/// Pictures of what was recorded. Every call blocks on the disk and decodes: it belongs on `Blocking.pictures`.
struct Snapshots: Sendable {
    private let lookup: ClipLookup
    private let pool: CameraPool

    init(_ lookup: ClipLookup, _ pool: CameraPool) { (self.lookup, self.pool) = (lookup, pool) }

    /// The picture of an event, or of a moment of a camera, as JPEG: the part that is shown of the camera, unless the whole picture
    /// is wanted.
    ///
    /// - Throws: `SiteError`: `conflict` where none is written yet, `notFound` where there is none.
    func jpeg(of subject: SnapshotSubject, _ options: SnapshotOptions, isWhole: Bool = false) throws -> [UInt8] {
        func shown(_ camera: String) -> SnapshotOptions {
            var options = options
            options.viewport = pool.viewport(of: camera, isWhole: isWhole)
            return options
        }
        switch subject {
        case .event(let number): return try snapshot(event: EventID(rawValue: number), shown)
        case .camera(let camera, let moment): return try snapshot(camera, at: moment?.ms, shown(camera))
        }
    }

    private func snapshot(event id: EventID, _ options: (String) -> SnapshotOptions) throws -> [UInt8] {
        let what = "the picture of event \(id)"
        guard let event = try lookup.catalog.event(id) else {
            throw SiteError(
                .notFound, what: what, why: "there is no such event", remedy: "`vigil events` lists them")
        }
        let moment = try lookup.catalog.detail(of: id)?.pictureMonotonicMs ?? event.begun.began.monotonicMs
        let clips = try lookup.catalog.clips(of: event)
        let nearest = clips.map { ($0, $0.distance(from: moment, growing: lookup.growing($0))) }.sorted { $0.1 < $1.1 }
        let camera = event.begun.camera
        return try first(of: nearest.map(\.0), camera: camera, what: what, options(camera)) {
            moment - $0.start.monotonicMs
        }
    }

    private func snapshot(_ camera: String, at moment: Int64?, _ options: SnapshotOptions) throws -> [UInt8] {
        var query = ClipQuery(camera: camera, limit: 2, order: .newestFirst, includingOpen: true)
        if let moment { (query.fromWallMs, query.toWallMs) = (moment, moment < .max ? moment + 1 : moment) }
        return try first(of: lookup.clips(query), camera: camera, what: "a picture of camera \(camera)", options) {
            clip in
            // Without a moment the newest picture, which is nearest to what is not recorded yet.
            moment.map { $0 - clip.start.wallMs } ?? .max
        }
    }

    /// The picture of the first clip that has one; `at` says of which moment of a clip, in milliseconds from its start.
    private func first(
        of clips: [Clip], camera: String, what: String, _ options: SnapshotOptions, at moment: (Clip) -> Int64
    ) throws -> [UInt8] {
        var failure: SiteError?
        for clip in clips {
            do {
                guard let files = try lookup.files(of: clip), files.track(.video)?.index.entries.isEmpty == false
                else { continue }
                let (atMs, isNewest) = moment(clip).addingReportingOverflow(files.leadMs)
                return try Snapshot(of: files, atMs: isNewest ? .max : atMs, options: options).jpeg
            } catch {
                // Another clip may lie near enough (H5).
                failure =
                    failure
                    ?? SiteError(
                        .notFound, what: what, why: "clip \(clip.id) cannot be read, or was deleted just now: \(error)",
                        remedy: "`vigil fsck` checks the recordings")
            }
        }
        if let failure { throw failure }
        if let open = clips.first(where: { $0.state == .open }) {
            throw SiteError(
                .conflict, what: what, why: "no picture of clip \(open.id) is written yet",
                remedy: "ask again in some seconds")
        }
        let why = clips.first.map { "clip \($0.id) has no video" }
        throw SiteError(
            .notFound, what: what, why: why ?? "nothing was recorded at that moment, or it has been deleted",
            remedy: "`vigil clips --camera \(camera)` lists what there is")
    }
}

extension Clip {
    /// How far a moment of its boot lies outside of the clip, in milliseconds; `growing`: its files while it is written.
    fileprivate func distance(from monotonicMs: Int64, growing: ClipFiles?) -> Int64 {
        let last = end?.monotonicMs ?? start.monotonicMs + (growing?.durationMs ?? 0)
        return max(0, start.monotonicMs - monotonicMs, monotonicMs - last)
    }
}
