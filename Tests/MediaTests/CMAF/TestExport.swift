import Foundation

@testable import Media

/// A clip to be exported: files that a test has written, which are scanned for their index, as a recovery does it.
struct ExportClip {
    let startMs: Int64
    var endMs: Int64?
    let tracks: [String]
}

extension ClipFiles {
    /// The files at absolute paths, by what a scan finds in them.
    init(scanning paths: [String]) throws(TrackFileError) {
        var tracks: [Track] = []
        for path in paths {
            let scanned = try TrackScanner.scan(path: path)
            tracks.append(Track(kind: scanned.kind, path: Self.name(path), index: scanned.index))
        }
        self.init(root: URL(fileURLWithPath: paths.first ?? "/").deletingLastPathComponent().path, tracks: tracks)
    }

    static func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
}

enum ClipExporter {
    static func plan(_ clips: [ExportClip], fromMs: Int64, toMs: Int64) throws(TrackFileError) -> ExportPlan {
        var plan = ExportPlan(fromMs: fromMs, toMs: toMs)
        for clip in clips { try plan.add(ClipFiles(scanning: clip.tracks), startMs: clip.startMs, endMs: clip.endMs) }
        return plan
    }

    /// Writes the movie of clips, as a reader gets it in chunks, into a file.
    @discardableResult
    static func export(
        clips: [ExportClip], fromMs: Int64, toMs: Int64, to path: String, chunkBytes: Int = 256 << 10
    ) throws -> ExportSummary {
        let movie = try ClipMovie(plan(clips, fromMs: fromMs, toMs: toMs))
        var bytes: [UInt8] = []
        while case let chunk = try movie.read(chunkBytes, at: UInt64(bytes.count)), !chunk.isEmpty { bytes += chunk }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return movie.summary
    }
}

extension Snapshot {
    /// Of the video track file at an absolute path, at a time in ticks of 90 kHz.
    init(
        trackFile path: String, at ticks: Int64, options: SnapshotOptions = SnapshotOptions()
    ) throws(SnapshotError) {
        let files: ClipFiles
        do throws(TrackFileError) { files = try ClipFiles(scanning: [path]) } catch { throw .file(error) }
        try self.init(of: files, atMs: ticks / 90, options: options)
    }
}
