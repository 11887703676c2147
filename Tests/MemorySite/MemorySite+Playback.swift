public import Machines
public import Server
internal import Synchronization

extension MemorySite {
    /// The bytes of each track of the world's clips.
    public static let trackBytes: [UInt8] = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 3) }

    /// Media in memory.
    private struct Bytes: MediaSource {
        let bytes: [UInt8]

        func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) {
            buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + buffer.count])
        }

        func apart<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
            try work()
        }
    }

    /// A track of one of the world's clips, which have pictures alone.
    public func track(
        clip: Int64, kind: TrackKind, shift: UInt64, session: String?, by caller: Caller
    ) async throws -> ServedMedia {
        let isThere = contents.withLock { $0.clips.contains { $0.id == clip } }
        guard isThere, kind == .video else {
            throw SiteError(.notFound, what: "clip \(clip)", why: "there is none", remedy: "`vigil clips` lists them")
        }
        return ServedMedia(
            bytes: UInt64(Self.trackBytes.count), type: "video/mp4", tag: "\(clip)-video",
            source: Bytes(bytes: Self.trackBytes))
    }

    /// The request itself, as it was understood.
    public func playlist(_ request: PlayRequest, _ form: PlaylistForm, by caller: Caller) async throws -> [UInt8] {
        _ = try await exportPlan(camera: request.camera, from: request.from, to: request.to ?? WallTime(ms: .max))
        return Array("\(form.rawValue)\(request.query)".utf8)
    }

    /// The clips that the time touches.
    public func movie(_ request: PlayRequest, by caller: Caller) async throws -> ServedMedia {
        let plan = try await exportPlan(
            camera: request.camera, from: request.from, to: request.to ?? WallTime(ms: .max))
        let bytes = Self.exportBytes(clips: plan.clips.count)
        return ServedMedia(
            bytes: UInt64(bytes.count), type: "video/mp4", tag: "movie-\(bytes.count)", source: Bytes(bytes: bytes))
    }

    /// One day with all clips, where `front` has any in the month of the world's first one.
    public func days(camera: String, month: CalendarMonth) async throws -> [DayInfo] {
        let clips = try contents.withLock { world in
            guard world.cameras[camera] != nil else { throw Self.unknown(camera: camera) }
            return world.clips.filter { $0.camera == camera }
        }
        guard month == CalendarMonth("2026-11"), !clips.isEmpty else { return [] }
        let begin = WallTime(ms: Self.origin.ms / 86_400_000 * 86_400_000)
        return [
            DayInfo(
                day: String(begin.rfc3339.prefix(10)), from: begin, to: WallTime(ms: begin.ms + 86_400_000),
                recordedMs: Int64(clips.count) * Self.clipMs, events: clips.count)
        ]
    }

    /// The picture of the world.
    public func picture(
        camera: String, at moment: WallTime, _ wish: PictureWish, session: String?, by caller: Caller
    ) async throws -> (jpeg: [UInt8], at: WallTime) {
        (try await snapshot(of: .camera(camera, at: moment), wish), moment)
    }

    /// One picture of the world.
    public func thumbnails(
        camera: String, hour: WallTime, session: String?, by caller: Caller
    ) async throws -> ThumbnailStrip {
        let jpeg = try await snapshot(of: .camera(camera, at: hour), PictureWish(width: 160))
        let begin = WallTime(ms: hour.ms / 3_600_000 * 3_600_000)
        return ThumbnailStrip(
            map: ThumbnailMap(
                camera: camera, from: begin, to: WallTime(ms: begin.ms + 3_600_000), stepMs: 15_000, complete: true,
                width: 160, height: 90, tiles: [.init(at: hour, x: 0, y: 0)], clips: [1]), jpeg: jpeg)
    }
}
