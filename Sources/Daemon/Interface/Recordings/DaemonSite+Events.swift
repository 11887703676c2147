internal import Catalog
internal import Machines
internal import Server

extension DaemonSite {
    func events(_ filter: ListFilter, in scope: CameraScope) async throws -> Page<EventInfo> {
        for camera in filter.cameras ?? [] { try await check(camera) }
        var query = EventQuery(
            camera: filter.onlyCamera, fromWallMs: filter.from?.ms, toWallMs: filter.to?.ms, limit: filter.limit,
            newestFirst: filter.order == .newest)
        query.cameras = filter.onlyCamera == nil ? scope.names : nil
        let conditions = filter.conditions
        (query.levels, query.zones, query.causes) = (conditions.levels, conditions.zones, conditions.causes)
        query.labels = conditions.labels
        (query.isUnseen, query.offset) = (conditions.isUnseen, conditions.offset)
        if let after = filter.after {
            guard let (wall, id) = Self.cursor(after) else { throw Self.badCursor(after) }
            query.after = (wall, EventID(rawValue: id))
        }
        let wanted = query
        let records = try await Blocking.run { [catalog] in try catalog.records(wanted) }
        let last = records.count == filter.limit ? records.last?.event : nil
        return Page(
            items: records.map(Self.info), next: last.map { "\($0.begun.began.wallMs).\($0.id)" })
    }

    func camera(ofEvent event: Int64) async throws -> String? {
        try await Blocking.run { [catalog] in try catalog.event(EventID(rawValue: event))?.begun.camera }
    }

    func setSeen(event: Int64, seen: Bool, by _: Caller) async throws -> EventInfo {
        let id = EventID(rawValue: event)
        let info = try await Blocking.run { [catalog] in
            try catalog.markSeen(id, seen) ? try catalog.record(id).map(Self.info) : nil
        }
        guard let info else {
            throw SiteError(
                .notFound, what: "event \(event)", why: "there is none of this id",
                remedy: "vigil events lists what there is")
        }
        return info
    }

    func suppressed(camera: String, from: WallTime, to: WallTime) async throws -> [SuppressedInfo] {
        try await check(camera)
        let runs = try await Blocking.run { [catalog] in
            try catalog.suppressed(camera: camera, fromWallMs: from.ms, toWallMs: to.ms)
        }
        return runs.map(SuppressedInfo.init(_:))
    }

    /// An event with all that is known of it.
    private static func info(_ record: EventRecord) -> EventInfo {
        let (event, detail) = (record.event, record.detail)
        return EventInfo(
            id: event.id.rawValue, camera: event.begun.camera, start: WallTime(ms: event.begun.began.wallMs),
            end: event.ended.map { WallTime(ms: $0.wallMs) }, startedMonotonicMs: event.begun.began.monotonicMs,
            bootId: event.begun.bootID, cause: ClipCause(rawValue: event.begun.cause) ?? .detection,
            level: event.begun.level, detections: detail?.detections ?? 0,
            zones: (detail?.zones ?? []).map { $0.isEmpty ? nil : $0 },
            picture: detail?.pictureMonotonicMs.map { event.begun.began.wallMs(atMonotonicMs: $0) },
            preRoll: record.firstClip.map(PreRollInfo.init(_:)), suppressed: merged(record.suppressed),
            ended: event.why.flatMap { ClipEnd(rawValue: $0.rawValue) }, clips: record.clips.map(\.rawValue),
            seen: event.isSeen,
            labels: record.labels.map { LabelInfo(name: $0.name, at: WallTime(ms: $0.at.wallMs), box: $0.box) })
    }

    /// One entry for each reason and level, in the order in which they first came.
    private static func merged(_ runs: [SuppressedRun]) -> [SuppressedInfo] {
        var merged: [SuppressedInfo] = []
        for run in runs {
            if let index = merged.firstIndex(where: { $0.why == run.why && $0.level == run.level }) {
                merged[index].count += run.count
                merged[index].to = max(merged[index].to, WallTime(ms: run.lastWallMs))
            } else {
                merged.append(SuppressedInfo(run))
            }
        }
        return merged
    }
}

extension Moment {
    /// The wall time of another monotonic time of the same boot.
    func wallMs(atMonotonicMs other: Int64) -> WallTime { WallTime(ms: wallMs + other - monotonicMs) }
}

extension SuppressedInfo {
    /// A run of the catalog as the interface shows it.
    init(_ run: SuppressedRun) {
        self.init(
            why: run.why, level: run.level, count: run.count, from: WallTime(ms: run.first.wallMs),
            to: WallTime(ms: run.lastWallMs), event: run.event?.rawValue)
    }
}
