import Foundation
import Glibc
import Machines
import Testing

@testable import Media

/// Exports of which one clip is damaged (H5).
@Suite("Exports of damaged clips")
struct DamagedExportTests {
    private func movie(_ plan: ExportPlan) throws -> [UInt8] {
        let movie = try ClipMovie(plan)
        return try movie.read(Int(movie.summary.bytes), at: 0)
    }

    @Test("A clip that turns out to be damaged while it is added leaves the plan as it was (H5)", arguments: 0..<3)
    func takenBack(_ number: Int) throws {
        let folder = try Scratch()
        let cutter = ClipExporterTests.Cutter(
            video: try TestMedia.h264B.get(), audio: try TestMedia.aac.get(), folder: folder)
        let clips = try [("a", 0, 1), ("b", 1, 3), ("c", 3, 4)].map { name, from, to in
            let clip = try cutter.clip(name, from: Int64(from), to: Int64(to))
            return (startMs: clip.startMs, files: try ClipFiles(scanning: clip.tracks))
        }
        // The last fragment of the sound, so that all of the video has been added when it is met.
        let audio = try #require(clips[number].files.track(.audio))
        let last = try #require(audio.index.entries.last)
        let root = try #require((clips[number].files.place as? TrackFolder)?.root)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: root + "/" + audio.path))
        try file.seek(toOffset: last.offset + 20)
        try file.write(contentsOf: [UInt8](repeating: 0xFF, count: 8))
        try file.close()

        var plan = ExportPlan(fromMs: 0, toMs: 4_000)
        var without = ExportPlan(fromMs: 0, toMs: 4_000)
        for (index, clip) in clips.enumerated() {
            if index == number {
                #expect(throws: TrackFileError.self) { try plan.add(clip.files, startMs: clip.startMs) }
            } else {
                try plan.add(clip.files, startMs: clip.startMs)
                try without.add(clip.files, startMs: clip.startMs)
            }
        }
        #expect(plan.clips == 2)
        #expect(try movie(plan) == movie(without))
    }

    @Test("Media that cannot be read is zeros in its place, all else is there, and it is told (H5)")
    func zeros() throws {
        let folder = try Scratch()
        let cutter = ClipExporterTests.Cutter(
            video: try TestMedia.h264.get(), audio: try TestMedia.aac.get(), folder: folder)
        let clip = try cutter.clip("a", from: 0, to: 2)
        var plan = ExportPlan(fromMs: 0, toMs: 2_000)
        try plan.add(ClipFiles(scanning: clip.tracks), startMs: 0)
        let whole = try movie(plan)
        // The last fragment of the video is cut off between the plan and the reading, as a failing disk loses it.
        let video = try #require(try ClipFiles(scanning: clip.tracks).track(.video))
        let last = try #require(video.index.entries.last)
        let torn = try ClipMovie(plan)
        truncate(clip.tracks[0], off_t(last.offset))
        let bytes = try torn.read(Int(torn.summary.bytes), at: 0)
        #expect(bytes.count == whole.count && bytes != whole)
        #expect(zip(bytes, whole).allSatisfy { $0 == $1 || $0 == 0 })
        #expect(torn.damages.map(\.path) == [video.path])
        let lost = UInt64(zip(bytes, whole).count { $0 != $1 })
        #expect(torn.damages[0].bytes >= lost && lost > 0)
        // A clip that was deleted is gone as a whole; who exports it asks again.
        unlink(clip.tracks[0])
        let gone = try ClipMovie(plan)
        #expect(throws: TrackFileError.self) { try gone.read(Int(gone.summary.bytes), at: 0) }
    }
}
