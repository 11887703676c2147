import Catalog
import Foundation
import Machines

/// Fills a catalog with rows as a site in continuous mode would leave them, without any files: for tests of query plans, and by
/// a link for bench-catalog. Fast rather than durable: one transaction for each `batch` clips.
enum CatalogFill {
    /// What to make.
    struct Plan: Sendable {
        /// Cameras, named `cam00`, `cam01`, …
        var cameras: Int
        /// Clips of each camera, one after the other.
        var clipsPerCamera: Int
        /// Length of a clip in milliseconds.
        var clipMs: Int64
        /// Start of the first clips, UTC epoch milliseconds.
        var startWallMs: Int64
        /// Bytes of each track's fragment index.
        var indexBytes: Int

        /// A plan; clips of ten minutes from 2026-01-01, unless said otherwise.
        init(
            cameras: Int, clipsPerCamera: Int, clipMs: Int64 = 600_000, startWallMs: Int64 = 1_767_225_600_000,
            indexBytes: Int = 600
        ) {
            self.cameras = cameras
            self.clipsPerCamera = clipsPerCamera
            self.clipMs = clipMs
            self.startWallMs = startWallMs
            self.indexBytes = indexBytes
        }
    }

    /// Name of a camera.
    static func camera(_ number: Int) -> String { "cam" + number.padded(to: 2) }

    /// Fills `catalog`, which was opened exclusively, from the `first` clip on. Blocking.
    static func fill(_ catalog: Catalog, _ plan: Plan, first: Int = 0, batch: Int = 20_000) throws {
        try CatalogBatch.quickly(catalog) {
            let total = plan.cameras * plan.clipsPerCamera
            for start in stride(from: first, to: total, by: batch) {
                try CatalogBatch.write(catalog) { rows in
                    for number in start..<min(start + batch, total) {
                        try add(camera: number % plan.cameras, round: number / plan.cameras, plan, to: rows)
                    }
                }
            }
        }
    }

    private static func add(camera number: Int, round: Int, _ plan: Plan, to rows: CatalogBatch) throws {
        let name = camera(number)
        let start = plan.startWallMs + Int64(round) * plan.clipMs + Int64(number)
        let begun = Moment(monotonicMs: start - plan.startWallMs, wallMs: start)
        let isEvent = round % 16 == 0
        guard let paths = ClipPaths(camera: name, startWallMs: start, token: "\(number)") else { return }
        let kinds: [TrackKind] = [.video, .audio]
        try rows.add(
            NewClip(
                camera: name, bootID: "4f1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e", start: begun,
                cause: isEvent ? .detection : .continuous, policy: "shop", policyRevision: "sha256:7b0c",
                mediaClass: isEvent ? .event : .continuous, preRollPromisedMs: 5_000, preRollDeliveredMs: 5_000),
            ClosedClip(
                end: Moment(monotonicMs: begun.monotonicMs + plan.clipMs, wallMs: start + plan.clipMs), ended: .length,
                tracks: kinds.map { kind in
                    TrackContents(
                        bytes: kind == .video ? 300_000_000 : 9_600_000, fragments: 300, durationMs: plan.clipMs,
                        index: Data(repeating: 0x5A, count: plan.indexBytes))
                }),
            tracks: kinds.map { kind in
                NewTrack(kind: kind, codec: kind == .video ? "avc1.64001f" : "mp4a.40.2", path: paths.path(kind))
            })
    }
}
