public import Server
internal import Synchronization

extension MemorySite {
    /// Bytes of the world's exports per clip.
    public static let exportBytesPerClip = 200_000
    private static let chunkBytes = 50_000

    /// What a whole export of `clips` holds.
    public static func exportBytes(clips: Int) -> [UInt8] {
        (0..<clips * exportBytesPerClip).map { UInt8(truncatingIfNeeded: $0 / 7) }
    }

    /// The picture of the world: a JPEG without a picture, with its width behind it, and a W where it is whole.
    public static let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

    /// A picture of an event or a camera that there is; the subject is kept.
    public func snapshot(of subject: SnapshotSubject, _ wish: PictureWish) async throws -> [UInt8] {
        try contents.withLock { world in
            world.snapshots.append(subject)
            switch subject {
            case .event(let id) where !world.events.contains { $0.id == id }:
                throw SiteError(
                    .notFound, what: "the picture of event \(id)", why: "there is no such event",
                    remedy: "`vigil events` lists them")
            case .camera(let camera, _) where world.cameras[camera] == nil: throw Self.unknown(camera: camera)
            case .event, .camera: return Self.picture + Array("\(wish.width ?? 0)\(wish.isWhole ? "W" : "")".utf8)
            }
        }
    }

    /// The clips that the interval touches, and the holes before and after them.
    public func exportPlan(camera: String, from: WallTime, to: WallTime) async throws -> PlannedExport {
        let clips = try await clips(ListFilter(camera: camera, from: from, to: to, limit: 1_000), in: .all).items
        guard let first = clips.first, let end = clips.last?.end else {
            throw SiteError(
                .notFound, what: "no export of camera \(camera)", why: "nothing was recorded in that time",
                remedy: "`vigil clips --camera \(camera)` lists what there is")
        }
        var holes: [PlannedExport.Hole] = []
        if from < first.start { holes.append(.init(from: from, to: first.start)) }
        if end < to { holes.append(.init(from: end, to: to)) }
        return PlannedExport(
            camera: camera, from: first.start, to: end, clips: clips.map(\.id),
            bytes: Int64(clips.count * Self.exportBytesPerClip), durationMs: end.ms - first.start.ms, holes: holes)
    }

    /// The bytes of those clips, or of fewer where `breakExports` says so.
    public func export(
        camera: String, from: WallTime, to: WallTime, by caller: Caller
    ) async throws -> ExportBytes {
        let plan = try await exportPlan(camera: camera, from: from, to: to)
        let bytes = Self.exportBytes(clips: plan.clips.count)
        let breaksAfter = contents.withLock { $0.exportBreaksAfter }
        return ExportBytes(
            bytes: UInt64(bytes.count),
            chunks: ExportChunks(bytes: bytes, chunkBytes: Self.chunkBytes, breaksAfter: breaksAfter))
    }
}
