internal import Catalog
internal import Journal
internal import Machines
internal import Media
internal import Server

extension DaemonSite {
    func exportPlan(camera: String, from: WallTime, to: WallTime) async throws -> PlannedExport {
        let clips = try await exportable(camera, from, to)
        var holes: [PlannedExport.Hole] = []
        var covered = from.ms
        var duration: Int64 = 0
        var bytes: Int64 = 0
        for clip in clips {
            let start = max(clip.start.wallMs, from.ms)
            let (whole, size) = extent(of: clip)
            let end = min(whole, to.ms)
            if start > covered { holes.append(.init(from: WallTime(ms: covered), to: WallTime(ms: start))) }
            let (part, length) = (max(0, end - start), max(1, whole - clip.start.wallMs))
            duration += part
            let share: Double = min(1.0, Double(part) / Double(length))
            let partBytes: Double = Double(size) * share
            bytes += Int64(exactly: partBytes.rounded(.down)) ?? size
            covered = max(covered, end)
        }
        if covered < to.ms { holes.append(.init(from: WallTime(ms: covered), to: to)) }
        return PlannedExport(
            camera: camera, from: WallTime(ms: max(from.ms, clips.first?.start.wallMs ?? from.ms)),
            to: WallTime(ms: min(to.ms, covered)), clips: clips.map(\.id.rawValue), bytes: bytes,
            durationMs: duration, holes: holes)
    }

    func export(camera: String, from: WallTime, to: WallTime, by caller: Caller) async throws -> ExportBytes {
        let place = try exports.places.take(for: caller)
        let clips = try await exportable(camera, from, to)
        try place.hold(clips.map(\.id), by: exports.holds)
        let export = Export(place, on: exports.newQueue()) { [journal] clip, why in
            journal.send(
                .exportIncomplete, camera: camera,
                fields: (clip.map { [(.clip, "\($0)")] } ?? []) + [(.detail, why)])
        }
        let planned = try await export.plan(clips, lookup, fromMs: from.ms, toMs: to.ms)
        return ExportBytes(
            bytes: planned.bytes, chunks: Export.Chunks(export: export, tell: told(camera)), skipped: planned.skipped
        ) { export.damaged }
    }

    private func told(_ camera: String) -> @Sendable (any Error) -> Void {
        let journal = journal
        return { journal.send(.requestBrokeOff, camera: camera, fields: [(.request, "export"), (.detail, "\($0)")]) }
    }

    /// Where a clip ends by wall time and how large it is, as far as it is written.
    private func extent(of clip: Clip) -> (endMs: Int64, bytes: Int64) {
        guard clip.end == nil else { return (clip.end?.wallMs ?? 0, clip.bytes) }
        let files = lookup.growing(clip)
        return (clip.start.wallMs + (files?.durationMs ?? 0), files?.bytes ?? 0)
    }

    /// The clips with media that reach into the wish, also the one that is being written; refused when there is none.
    private func exportable(_ camera: String, _ from: WallTime, _ to: WallTime) async throws -> [Clip] {
        let query = ClipQuery(
            camera: camera, fromWallMs: from.ms, toWallMs: to.ms, limit: ClipQuery.limitMax, includingOpen: true)
        let found = try await Blocking.run { [lookup] in try lookup.clips(query) }
        let clips = found.filter { $0.state == .closed || extent(of: $0).endMs > max(from.ms, $0.start.wallMs) }
        if clips.isEmpty {
            if pool.camera(camera) == nil { _ = try known(camera) }
            throw SiteError(
                .notFound, what: "media of camera \(camera)",
                why: "nothing was recorded in this time, or nothing of it is written yet",
                remedy: "look at what there is: vigil clips --camera \(camera)")
        }
        if found.count == ClipQuery.limitMax {
            throw SiteError(
                .tooLarge, what: "this export", why: "it would join more than \(ClipQuery.limitMax) clips",
                remedy: "export a shorter time")
        }
        return clips
    }
}
