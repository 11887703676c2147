import Foundation
import Glibc

/// Makes one progressive MP4 file, its header in front, from the track files of clips. Media is copied, never re-encoded.
public enum ClipExporter {
    /// Bytes copied between two calls of the progress closure.
    private static let step = 1 << 20

    /// Exports what `clips` hold from `fromMs` to `toMs` (on the time line of the clips' starts) into the file at `path`,
    /// which is replaced if it exists. Blocking.
    ///
    /// Decoding begins with the key frame at or before `fromMs`, and an edit list makes playing begin at `fromMs` exactly;
    /// it ends at `toMs`. Holes between clips are closed up; chained clips join without one. Every sample in between is
    /// there once and in order. Where parameter sets change, the track gets a further sample description. A clip without
    /// audio leaves the audio silent.
    ///
    /// The file is written under a temporary name beside `path`, made durable and renamed, so `path` is never half a movie.
    /// `progress` is called about every megabyte; when it returns false the export stops with `.cancelled` and leaves
    /// nothing behind. The file's mode is 0640.
    @discardableResult
    public static func export(
        clips: [ExportClip], fromMs: Int64, toMs: Int64, to path: String,
        progress: (ExportProgress) -> Bool = { _ in true }
    ) throws(TrackFileError) -> ExportSummary {
        let plan = try ExportPlan(clips: clips, fromMs: fromMs, toMs: toMs)
        let movie = ExportMovie(plan: plan)
        guard !movie.tracks.isEmpty, movie.duration > 0 else { throw TrackFileError(.create, path, .nothingInRange) }
        let target = URL(fileURLWithPath: path)
        let folder = target.deletingLastPathComponent().path
        let temporary = folder + "/.\(target.lastPathComponent).\(UUID().uuidString).partial"
        let file = try RawFile(temporary, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o640, as: .create)
        do throws(TrackFileError) {
            let header = movie.header()
            try write(header, to: file, at: 0)
            try copy(movie, to: file, at: UInt64(header.count), progress)
            try file.sync()
            try file.close()
            guard rename(temporary, path) == 0 else { throw TrackFileError.system(.rename, path) }
            try TrackWriter.syncDirectory(folder)
            return ExportSummary(
                bytes: UInt64(header.count) + movie.mediaBytes,
                durationMs: Ticks.milliseconds(movie.duration, timescale: plan.timescale),
                videoSamples: plan.video?.sizes.count ?? 0, audioSamples: plan.audio?.sizes.count ?? 0,
                clips: plan.clips)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private static func copy(
        _ movie: ExportMovie, to file: RawFile, at start: UInt64, _ progress: (ExportProgress) -> Bool
    ) throws(TrackFileError) {
        // Video and audio alternate, so one open file of each is enough.
        var open: [(source: Int, file: RawFile)] = []
        var done: UInt64 = 0
        var reported: UInt64 = 0
        func report() throws(TrackFileError) {
            guard progress(ExportProgress(bytesDone: done, bytesTotal: movie.mediaBytes)) else {
                throw TrackFileError(.copy, file.path, .cancelled)
            }
            reported = done
        }
        try report()
        for piece in movie.pieces {
            if !open.contains(where: { $0.source == piece.source }) {
                let source = try RawFile(movie.plan.paths[piece.source], flags: O_RDONLY, as: .open)
                open = open.suffix(1) + [(piece.source, source)]
            }
            guard let source = open.first(where: { $0.source == piece.source })?.file else { continue }
            var position: UInt64 = 0
            while position < piece.bytes {
                let count = Int(min(UInt64(step), piece.bytes - position))
                let bytes = try source.read(count, at: piece.offset + position)
                guard bytes.count == count else {
                    throw TrackFileError(.read, source.path, .malformed("it became shorter while it was exported"))
                }
                try write(bytes, to: file, at: start + done)
                position += UInt64(count)
                done += UInt64(count)
                if done - reported >= UInt64(step) { try report() }
            }
        }
        if reported != done { try report() }
    }

    private static func write(_ bytes: [UInt8], to file: RawFile, at offset: UInt64) throws(TrackFileError) {
        let result = bytes.withUnsafeBytes { buffer in
            do throws(TrackFileError) {
                return Result<Void, TrackFileError>.success(try file.write([buffer], at: offset, as: .copy))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
