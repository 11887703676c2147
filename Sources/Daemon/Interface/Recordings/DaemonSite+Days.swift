internal import Catalog
internal import Machines
internal import Media
internal import Server

extension DaemonSite {
    func days(camera: String, month: CalendarMonth) async throws -> [DayInfo] {
        try await check(camera)
        let days = calendar.days(of: month)
        let (recorded, cloud, events) = try await sums(camera, calendar.boundaries(of: month))
        let growing = try await growing(camera)
        var found: [DayInfo] = []
        for (index, (day, interval)) in days.enumerated() {
            var recordedMs = recorded[index] + cloud[index]
            if let growing { recordedMs += Int64(growing.clamped(to: interval).count) }
            guard recordedMs > 0 || events[index] > 0 else { continue }
            let (from, to) = (WallTime(ms: interval.lowerBound), WallTime(ms: interval.upperBound))
            found.append(
                DayInfo(
                    day: day.description, from: from, to: to, recordedMs: recordedMs, cloudMs: cloud[index],
                    events: events[index]))
        }
        return found
    }

    /// What was recorded and is on the disk, what the cloud alone has, in milliseconds, and how many events began, from each
    /// boundary to the next.
    private func sums(
        _ camera: String, _ boundaries: [Int64]
    ) async throws -> (recordedMs: [Int64], cloudMs: [Int64], events: [Int]) {
        try await Blocking.run { [catalog] in
            let events = zip(
                try catalog.eventCounts(camera: camera, boundaries: boundaries),
                try catalog.remoteEventCounts(camera: camera, boundaries: boundaries, isUnknown: true)
            ).map(+)
            return (
                try catalog.recordedMs(camera: camera, boundaries: boundaries),
                try catalog.remoteMs(camera: camera, boundaries: boundaries, isGone: true), events
            )
        }
    }

    /// The time of the clip that is being written, as far as it is.
    private func growing(_ camera: String) async throws -> Range<Int64>? {
        guard let growing = pool.camera(camera)?.shell.recorder.growing,
            let clip = try await Blocking.run({ [catalog] in try catalog.clip(growing.id) }), clip.state == .open
        else { return nil }
        let start = clip.start.wallMs
        let durationMs = max(0, growing.files(root: catalog.rootPath).durationMs)
        return start..<(start + durationMs)
    }

    func picture(
        camera: String, at moment: WallTime, _ wish: PictureWish, session: String?, by caller: Caller
    ) async throws -> (jpeg: [UInt8], at: WallTime) {
        try await check(camera)
        try await admitPlayback(camera: camera, day: calendar.sessionDay(atMs: moment.ms), session: session, by: caller)
        let options = SnapshotOptions(
            widthMax: wish.width ?? SnapshotWidth.standard, heightMax: 2_160,
            viewport: pool.viewport(of: camera, isWhole: wish.isWhole))
        var query = ClipQuery(camera: camera, limit: 8, order: .newestFirst, includingOpen: true)
        (query.fromWallMs, query.toWallMs) = (moment.ms, moment.ms < .max ? moment.ms + 1 : moment.ms)
        let clips = try await Blocking.run { [lookup, query] in try lookup.clips(query) }
        return try await Blocking.reading(clips.map(\.id), fromDisk: .pictures).run { [lookup] in
            try Self.picture(camera, moment.ms, clips, options, lookup)
        }
    }

    func thumbnails(
        camera: String, hour: WallTime, session: String?, by caller: Caller
    ) async throws -> ThumbnailStrip {
        try await check(camera)
        try await admitPlayback(camera: camera, day: calendar.sessionDay(atMs: hour.ms), session: session, by: caller)
        let key = Thumbnails.Key(camera: camera, hour: ThumbnailStore.hour(hour.ms))
        guard let strip = try await playback.thumbnails.strip(key) else { throw SiteError.nothingRecorded(camera) }
        return strip
    }

    // MARK: Blocking

    private static func picture(
        _ camera: String, _ ms: Int64, _ clips: [Clip], _ options: SnapshotOptions, _ lookup: ClipLookup
    ) throws -> (jpeg: [UInt8], at: WallTime) {
        let what = "the picture of camera \(camera)"
        var isOpen = false
        for clip in clips {
            guard let files = try lookup.files(of: clip), let track = files.track(.video), !track.index.entries.isEmpty
            else {
                isOpen = isOpen || clip.state == .open
                continue
            }
            let zeroMs = clip.zeroWallMs(of: files)
            let clipMs = ms - zeroMs
            guard clip.state != .open || clipMs < track.index.endMs else {
                isOpen = true
                continue
            }
            do {
                let snapshot = try Snapshot(of: files, shownAtMs: clipMs, options: options)
                let shown = snapshot.milliseconds(timescale: track.index.timescale)
                return (snapshot.jpeg, WallTime(ms: zeroMs + shown))
            } catch {
                guard error == .tooLong else {
                    throw SiteError(
                        .failed, what: what, why: "clip \(clip.id) cannot be read: \(error)",
                        remedy: "`vigil fsck` checks the recordings")
                }
                throw SiteError(
                    .tooLarge, what: what, why: "key frames are too far apart there to decode one in time",
                    remedy: "ask for the key frame: /v1/cameras/\(camera)/snapshot")
            }
        }
        guard !isOpen else {
            throw SiteError(
                .conflict, what: what, why: "nothing of that moment is written yet", remedy: "ask again in some seconds"
            )
        }
        throw SiteError.nothingRecorded(camera)
    }
}
