import Catalog
import Foundation
import Journal
import Machines
import Media
import MemorySite
import Server
import Testing

@testable import Daemon

extension ViewerHouse {
    /// The zone of its site.
    static let zone = TimeZone(identifier: NoonZone.name) ?? .current

    /// The days of its site.
    static var days: SiteDays { SiteDays(zone: zone) }

    /// The day before today, and midnight after it, milliseconds since 1970.
    static func yesterday() throws -> (day: CalendarDay, end: Int64) {
        let today = try #require(days.day(atMs: SystemHost().clock.wallMs()))
        return (
            try #require(CalendarDay(number: today.number - 1)), try #require(days.interval(of: today)).lowerBound
        )
    }

    /// One group of pictures of `front`, as its camera sends it.
    func group() async throws -> [Frame] {
        let streams = try camera().shell.streams
        var whole: [Frame] = []
        // Whoever is too slow for a stream is cut off; on a busy machine that may be us.
        try await wait("a group of pictures") {
            guard let viewer = try? streams.watch(.main, sound: .none) else { return false }
            var frames: [Frame] = []
            for await item in viewer {
                guard case .frame(let frame) = item, frame.kind == .video else { continue }
                if frame.opensClip, !frames.isEmpty {
                    whole = frames
                    return true
                }
                frames.append(frame)
            }
            return false
        }
        return whole
    }

    /// Writes a closed clip of `front` with these pictures, which lasts as long by its row.
    func write(_ frames: [Frame], atMs: Int64, lengthMs: Int64, chainedTo: ClipID? = nil) throws -> ClipID {
        let (catalog, start) = (running.catalog, Moment(monotonicMs: atMs, wallMs: atMs))
        let paths = try #require(ClipPaths(camera: "front", startWallMs: atMs))
        try catalog.makeFolder(of: paths)
        var id: ClipID?
        let writer = ClipWriter(
            pathWithoutExtension: catalog.absolutePath(of: String(paths.path(.video).dropLast(".cmfv".count)))
        ) { track in
            try catalog.syncFolder(of: paths)
            id = try catalog.openClip(
                NewClip(
                    camera: "front", bootID: "before", start: start, cause: .continuous, chainedTo: chainedTo,
                    policy: "all", policyRevision: "1", mediaClass: .continuous),
                tracks: [NewTrack(kind: track.kind, codec: track.codec, path: paths.path(track.kind))])
        }
        try writer.begin(with: try #require(frames.first))
        for frame in frames { writer.append(frame) }
        try writer.flush(next: nil, isLast: true)
        let tracks = try writer.finish().map { track in
            TrackScanning.row(
                bytes: track.summary.bytes, fragments: track.summary.fragments, durationMs: track.summary.durationMs,
                index: track.summary.index.encoded(), codec: track.track.codec,
                damagedFrames: track.summary.index.damagedCount)
        }
        let clip = try #require(id)
        try catalog.closeClip(
            clip,
            ClosedClip(
                end: Moment(monotonicMs: atMs + lengthMs, wallMs: atMs + lengthMs), ended: .length, tracks: tracks))
        return clip
    }
}
