import Foundation
import RandomSource
import Testing

@testable import Media

@Suite struct ClipExporterTests {
    /// Cuts a video and an audio stream at whole seconds into clips, as the recorder would: audio frames go to the clip in
    /// which they begin to sound, each clip's time line begins at its cut.
    struct Cutter {
        let video: TestStream?
        let audio: TestStream?
        var priming: Int64 = 1024
        let folder: Scratch

        func clip(_ name: String, from: Int64, to: Int64, at startMs: Int64? = nil, audio hasAudio: Bool = true) throws
            -> ExportClip
        {
            var tracks: [String] = []
            if let video {
                let zero = from * Int64(video.timescale)
                let inside = video.fragments().filter {
                    ($0.first?.decode ?? 0) >= zero && ($0.first?.decode ?? 0) < to * Int64(video.timescale)
                }
                try video.write(folder.path(name + ".cmfv"), fragments: inside, shift: -zero)
                tracks.append(folder.path(name + ".cmfv"))
            }
            if let audio, hasAudio {
                let zero = from * Int64(audio.timescale)
                let end = to * Int64(audio.timescale)
                let isFirst = from == 0
                let samples = audio.samples.filter {
                    let sounds = $0.decode - priming
                    return (isFirst || sounds >= zero) && sounds < end
                }
                let slices = stride(from: 0, to: samples.count, by: 20).map {
                    samples[$0..<min(samples.count, $0 + 20)]
                }
                try audio.write(
                    folder.path(name + ".cmfa"), fragments: slices, shift: isFirst ? 0 : -zero - priming,
                    primingTicks: isFirst ? UInt32(priming) : 0)
                tracks.append(folder.path(name + ".cmfa"))
            }
            return ExportClip(startMs: startMs ?? from * 1000, tracks: tracks)
        }
    }

    private func frames(_ path: String) throws -> [String] {
        let arguments = ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"]
        return try Tool.run("ffmpeg", arguments).out.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private func times(_ path: String, stream: String) throws -> [Double] {
        try Tool.probe(path, "packet=pts_time", stream: stream).compactMap { Double($0["pts_time"] ?? "") }
    }

    @Test("A half turn is in the header and in the movie; a clip that is turned otherwise is not taken into it")
    func turned() throws {
        let video = try TrackWriterTests.stream("h264")
        let folder = try Scratch()
        let (turned, plain) = (folder.path("turned.cmfv"), folder.path("plain.cmfv"))
        try video.write(turned, rotation: .half)
        try video.write(plain)
        let files = try ClipFiles(scanning: [turned])
        #expect(try ClipReader(files).video?.rotation == .half)
        #expect(try ClipReader(ClipFiles(scanning: [plain])).video?.rotation == PictureRotation.none)
        let out = folder.path("out.mp4")
        try ClipExporter.export(
            clips: [ExportClip(startMs: 0, tracks: [turned])], fromMs: 0, toMs: 4_000, to: out)
        for path in [turned, out] {
            let told = try Tool.run(
                "ffprobe", ["-v", "error", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", path]
            ).out
            #expect(told.contains("180"), "\(path): \(told)")
        }
        // The matrix moves the picture back to where it was.
        #expect(try Tool.complaints(out) == "")
        var plan = try ClipExporter.plan([ExportClip(startMs: 0, tracks: [turned])], fromMs: 0, toMs: 9_000)
        #expect {
            try plan.add(ClipFiles(scanning: [plain]), startMs: 5_000)
        } throws: {
            ($0 as? TrackFileError)?.cause == .turned
        }
        #expect(plan.clips == 1)
    }

    @Test(
        "Chained clips join to one movie with every packet of both streams once, without a hole",
        arguments: [
            "h264", "h264B", "h265",
        ])
    func chained(name: String) throws {
        let video = try TrackWriterTests.stream(name)
        let audio = try TestMedia.aac.get()
        let folder = try Scratch()
        let cutter = Cutter(video: video, audio: audio, folder: folder)
        let clips = [
            try cutter.clip("a", from: 0, to: 2), try cutter.clip("b", from: 2, to: 3),
            try cutter.clip("c", from: 3, to: 4),
        ]
        let out = folder.path("out.mp4")
        let summary = try ClipExporter.export(clips: clips, fromMs: 0, toMs: 4000, to: out)
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)).count == Int(summary.bytes))
        #expect(summary.durationMs == 4000)
        #expect(summary.clips == 3)
        #expect(try Tool.complaints(out) == "")
        #expect(try Tool.packetHashes(out) == Tool.packetHashes(video.path))
        #expect(try Tool.packetHashes(out, stream: "0:1") == Tool.packetHashes(audio.path))
        #expect(try frames(out) == frames(video.path))
        let shown = try times(out, stream: "v").sorted()
        #expect(zip(shown, shown.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 1e-4 })
        #expect(shown.first == 0)
        let heard = try times(out, stream: "a")
        #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1 - $0 - 1024.0 / 48_000) < 1e-4 })
        #expect(abs((heard.first ?? 1) + 1024.0 / 48_000) < 1e-4)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 7)
    }

    @Test(
        "A range plays from its first to its last frame exactly, whatever the key frames",
        arguments: [
            "h264", "h264B", "h265",
        ])
    func range(name: String) throws {
        let video = try TrackWriterTests.stream(name)
        let folder = try Scratch()
        let cutter = Cutter(video: video, audio: try TestMedia.aac.get(), folder: folder)
        let clips = [
            try cutter.clip("a", from: 0, to: 2, at: 10_000), try cutter.clip("b", from: 2, to: 4, at: 12_000),
        ]
        let out = folder.path("out.mp4")
        let summary = try ClipExporter.export(clips: clips, fromMs: 11_520, toMs: 13_200, to: out)
        #expect(summary.durationMs == 1680)
        // Frame 25 is the key frame before, frame 80 is the first at the end.
        let all = try frames(video.path)
        #expect(try frames(out) == Array(all[38..<80]))
        #expect(try Tool.complaints(out) == "")
        let source = try Tool.packetHashes(video.path)
        let copied = try Tool.packetHashes(out)
        #expect(copied == Array(source[25..<25 + copied.count]))
        #expect((55...58).contains(copied.count))
        let duration = try Tool.probe(out, "stream=duration", stream: "v").first?["duration"]
        #expect(abs((Double(duration ?? "") ?? 0) - 1.68) < 0.001)
    }

    @Test("A hole is closed up, and a clip without audio leaves silence of its length")
    func hole() throws {
        let video = try TestMedia.h264.get()
        let audio = try TestMedia.aac.get()
        let folder = try Scratch()
        let cutter = Cutter(video: video, audio: audio, folder: folder)
        let clips = [
            try cutter.clip("a", from: 0, to: 1), try cutter.clip("b", from: 1, to: 2, at: 60_000, audio: false),
            try cutter.clip("c", from: 3, to: 4, at: 90_000),
        ]
        let out = folder.path("out.mp4")
        let summary = try ClipExporter.export(clips: clips, fromMs: 0, toMs: 100_000, to: out)
        #expect(summary.durationMs == 3000)
        #expect(summary.clips == 3)
        let shown = try times(out, stream: "v")
        #expect(zip(shown, shown.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 1e-4 })
        let heard = try times(out, stream: "a")
        let jumps = zip(heard, heard.dropFirst()).filter { $1 - $0 > 0.03 }
        #expect(jumps.count == 1)
        let next = try #require(jumps.first)
        #expect(next.0 < 1 && next.1 >= 2 && next.1 < 2 + 1024.0 / 48_000)
        let all = try frames(video.path)
        #expect(try frames(out) == Array(all[0..<50] + all[75..<100]))
        #expect(try Tool.complaints(out) == "")
    }

    @Test("New parameter sets become a further sample description")
    func parameterChange() throws {
        let large = try TestMedia.h264.get()
        let small = try TestMedia.h264Small.get()
        let folder = try Scratch()
        let clips = [
            try Cutter(video: large, audio: nil, folder: folder).clip("a", from: 0, to: 2),
            try Cutter(video: small, audio: nil, folder: folder).clip("b", from: 0, to: 2, at: 2000),
            try Cutter(video: large, audio: nil, folder: folder).clip("c", from: 2, to: 4, at: 4000),
        ]
        let out = folder.path("out.mp4")
        let summary = try ClipExporter.export(clips: clips, fromMs: 0, toMs: 6000, to: out)
        #expect(summary.durationMs == 6000)
        let sizes = try Tool.probe(out, "frame=width,height", stream: "v").compactMap { $0["width"] }
        #expect(
            sizes == [String](repeating: "320", count: 50) + .init(repeating: "160", count: 50)
                + .init(repeating: "320", count: 50))
        let source = try Tool.packetHashes(large.path)
        #expect(try Tool.packetHashes(out) == source[..<50] + Tool.packetHashes(small.path) + source[50...])
    }

    @Test("A flash and a beep stay together within one audio frame, over a clip border and a cut start")
    func lipSync() throws {
        let folder = try Scratch()
        let path = folder.path("source.mp4")
        let flash = "between(t,1.4,1.6)+between(t,3,3.2)"
        try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i",
                "color=black:size=160x120:rate=25:duration=4,drawbox=c=white:t=fill:enable='\(flash)'", "-f", "lavfi",
                "-i", "sine=frequency=1000:sample_rate=48000:duration=4,volume=0:enable='not(\(flash))'", "-c:v",
                "libx264", "-bf", "2", "-g", "25", "-sc_threshold", "0", "-pix_fmt", "yuv420p",
                "-video_track_timescale", "90000", "-c:a", "aac", "-b:a", "128k", path,
            ])
        let video = try TestStream(path: path, codec: "h264", timescale: 90_000, stream: "v", scratch: folder)
        let audio = try TestStream(path: path, codec: "aac", timescale: 48_000, stream: "a", scratch: folder)
        let cutter = Cutter(video: video, audio: audio, folder: folder)
        let clips = [try cutter.clip("a", from: 0, to: 2), try cutter.clip("b", from: 2, to: 4, at: 50_000)]
        for (from, flashes) in [(Int64(0), [1.4, 3.0]), (720, [0.68, 2.28])] {
            let out = folder.path("out.mp4")
            try ClipExporter.export(clips: clips, fromMs: from, toMs: 52_000, to: out)
            #expect(try Tool.complaints(out) == "")
            let frames = try Tool.run(
                "ffprobe",
                [
                    "-v", "error", "-f", "lavfi", "-i", "movie=\(out),signalstats", "-show_entries",
                    "frame=pts_time:frame_tags=lavfi.signalstats.YAVG", "-of", "csv=p=0",
                ]
            ).out.split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }
            var lit: [Double] = []
            for (before, frame) in zip(frames, frames.dropFirst()) where before.count == 2 && frame.count == 2 {
                if before[1] < 100, frame[1] > 100 { lit.append(frame[0]) }
            }
            let log = try Tool.run(
                "ffmpeg", ["-i", out, "-map", "0:a", "-af", "silencedetect=n=-30dB:d=0.3", "-f", "null", "-"]
            ).err
            let beeps = log.split(separator: "\n").compactMap { line -> Double? in
                line.components(separatedBy: "silence_end: ").dropFirst().first?.split(separator: " ").first.flatMap {
                    Double($0)
                }
            }
            #expect(lit.count == 2)
            for (seen, (heard, expected)) in zip(lit, zip(beeps, flashes)) {
                #expect(abs(seen - expected) < 0.001)
                #expect(abs(seen - heard) < 1024.0 / 48_000)
            }
            #expect(beeps.count >= 2)
        }
    }

    @Test("Audio alone is exported too")
    func audioOnly() throws {
        let folder = try Scratch()
        let audio = try TestMedia.opus.get()
        let clip = try Cutter(video: nil, audio: audio, priming: 312, folder: folder).clip("a", from: 0, to: 4)
        let out = folder.path("out.m4a")
        let summary = try ClipExporter.export(clips: [clip], fromMs: 1500, toMs: 2500, to: out)
        #expect(summary.durationMs == 1000)
        #expect(summary.videoSamples == 0)
        #expect(try Tool.complaints(out) == "")
        let source = try Tool.packetHashes(audio.path)
        let copied = try Tool.packetHashes(out)
        #expect((51...53).contains(copied.count))
        let first = try #require(source.firstIndex(of: copied[0]))
        #expect(copied == Array(source[first..<first + copied.count]))
    }

    @Test("64-bit offsets give the same movie")
    func wide() throws {
        let folder = try Scratch()
        let cutter = Cutter(video: try TestMedia.h264.get(), audio: try TestMedia.aac.get(), folder: folder)
        let clips = [try cutter.clip("a", from: 0, to: 4)]
        let narrow = folder.path("narrow.mp4")
        try ClipExporter.export(clips: clips, fromMs: 0, toMs: 4000, to: narrow)
        let movie = ExportMovie(plan: try ClipExporter.plan(clips, fromMs: 0, toMs: 4000))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: narrow))
        #expect(bytes.starts(with: movie.header()))
        let wide = folder.path("wide.mp4")
        try (movie.header(wide: true) + bytes.dropFirst(movie.header().count)).withUnsafeBytes { Data($0) }
            .write(to: URL(fileURLWithPath: wide))
        for stream in ["0:0", "0:1"] {
            #expect(try Tool.packetHashes(wide, stream: stream) == Tool.packetHashes(narrow, stream: stream))
        }
        #expect(try Tool.complaints(wide) == "")
    }

    @Test("An export is made where it is read: any of its bytes can be had, and nothing is written anywhere")
    func anyBytes() throws {
        let folder = try Scratch()
        let cutter = Cutter(video: try TestMedia.h264.get(), audio: try TestMedia.aac.get(), folder: folder)
        let clips = [try cutter.clip("a", from: 0, to: 2), try cutter.clip("b", from: 2, to: 4)]
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        let movie = try ClipMovie(ClipExporter.plan(clips, fromMs: 500, toMs: 3600))
        let whole = try movie.read(Int(movie.summary.bytes) + 1, at: 0)
        #expect(whole.count == Int(movie.summary.bytes))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let first = Int.random(in: 0..<whole.count, using: &generator)
            let count = Int.random(in: 1...50_000, using: &generator)
            let expected = whole[first..<min(whole.count, first + count)]
            #expect(try movie.read(count, at: UInt64(first)) == Array(expected))
        }
        #expect(try movie.read(10, at: movie.summary.bytes) == [])
        #expect(try movie.read(10, at: .max) == [] && movie.read(0, at: 0) == [] && movie.read(-1, at: 0) == [])
    }

    @Test("A range that holds a clip's end holds its last sample, though the first came late and the media is longer")
    func wholeClip() throws {
        let (video, audio) = (try TestMedia.h264.get(), try TestMedia.aac.get())
        let folder = try Scratch()
        let cutter = Cutter(video: video, audio: audio, folder: folder)
        // Its first picture came 107 ms late, its last in time.
        let clips = [
            ExportClip(startMs: 107, endMs: 2_000, tracks: try cutter.clip("a", from: 0, to: 2).tracks),
            ExportClip(startMs: 2_000, endMs: 4_000, tracks: try cutter.clip("b", from: 2, to: 4).tracks),
        ]
        let out = folder.path("out.mp4")
        #expect(try ClipExporter.export(clips: clips, fromMs: 107, toMs: 4_000, to: out).durationMs == 4_000)
        #expect(try Tool.packetHashes(out) == Tool.packetHashes(video.path))
        #expect(try Tool.packetHashes(out, stream: "0:1") == Tool.packetHashes(audio.path))
        #expect(try ClipExporter.export(clips: [clips[0]], fromMs: 107, toMs: 2_000, to: out).durationMs == 2_000)
        #expect(try Tool.packetHashes(out).count == 50)
        #expect(try ClipExporter.export(clips: [clips[0]], fromMs: 107, toMs: 1_999, to: out).durationMs == 1_892)
        #expect(try Tool.packetHashes(out).count == 48)
    }

    @Test("An export without media, of a file that is gone, or of one that became shorter says so")
    func refused() throws {
        let folder = try Scratch()
        let clip = try Cutter(video: try TestMedia.h264.get(), audio: nil, folder: folder).clip("a", from: 0, to: 4)
        let out = folder.path("out.mp4")
        for (from, to) in [(Int64(4000), Int64(9000)), (2000, 2000), (3000, 1000), (.min, .min), (-5, 0)] {
            let none = #expect(throws: TrackFileError.self) {
                try ClipExporter.export(clips: [clip], fromMs: from, toMs: to, to: out)
            }
            #expect(none?.cause == .nothingInRange)
        }
        #expect(try ClipExporter.export(clips: [clip], fromMs: .min, toMs: .max, to: out).durationMs == 4000)
        let files = try ClipFiles(scanning: clip.tracks)
        let movie = try ClipMovie(ClipExporter.plan([clip], fromMs: 0, toMs: 4000))
        let size = try #require(files.tracks.first).bytes
        truncate(clip.tracks[0], off_t(size - 10))
        #expect(try movie.read(Int(movie.summary.bytes), at: 0).count == Int(movie.summary.bytes))
        #expect(movie.damages.map(\.path) == files.tracks.map(\.path))
        var plan = ExportPlan(fromMs: 0, toMs: 4000)
        #expect(throws: TrackFileError.self) { try plan.add(files, startMs: 0) }
        unlink(clip.tracks[0])
        #expect(throws: TrackFileError.self) { try plan.add(files, startMs: 0) }
    }

    @Test("No mutation of a track file makes an export trap")
    func mutations() throws {
        let folder = try Scratch()
        let clip = try Cutter(video: try TestMedia.h264.get(), audio: try TestMedia.aac.get(), folder: folder)
            .clip("a", from: 0, to: 4)
        let originals = try clip.tracks.map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }
        let heads = try clip.tracks.map { Int(try TrackScanner.scan(path: $0).index.headerBytes) + 1200 }
        var generator = SeededGenerator(seed: 11)
        var exported = 0
        for _ in 0..<400 {
            for (track, (bytes, head)) in zip(clip.tracks, zip(originals, heads)) {
                var mutant = bytes
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let place = Int.random(in: 0..<head, using: &generator)
                    mutant[place] = [0, 0x7f, 0xff, mutant[place] ^ 1].randomElement(using: &generator) ?? 0
                }
                try Data(mutant).write(to: URL(fileURLWithPath: track))
            }
            let out = folder.path("out.mp4")
            if (try? ClipExporter.export(clips: [clip, clip], fromMs: 500, toMs: 3000, to: out)) != nil {
                exported += 1
            }
        }
        #expect(exported > 10)
    }
}
