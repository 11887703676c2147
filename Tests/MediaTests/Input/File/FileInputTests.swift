import Foundation
import Machines
import Testing

@testable import Media

@Suite("Files as cameras", .serialized)
struct FileInputTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let name: String
        let video: [String]
        let audio: [String]
        let codec: TrackCodec
        let sound: TrackCodec?

        var testDescription: String { name }
    }

    static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-pix_fmt", "yuv420p"]
    static let h265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:keyint=25"]
    static let known: [Form] = [
        Form(name: "a.mp4", video: h264, audio: ["-c:a", "aac"], codec: .h264, sound: .aac),
        Form(name: "b.ts", video: h264, audio: ["-c:a", "aac"], codec: .h264, sound: .aac),
        Form(name: "c.mkv", video: h265, audio: ["-c:a", "libopus"], codec: .h265, sound: .opus),
        Form(name: "d.mp4", video: h265 + ["-tag:v", "hvc1"], audio: [], codec: .h265, sound: nil),
        Form(
            name: "e.mkv", video: h264, audio: ["-c:a", "pcm_mulaw", "-ar", "8000", "-ac", "1"], codec: .h264,
            sound: .aac),
        Form(name: "f.h264", video: h264 + ["-bf", "0"], audio: [], codec: .h264, sound: nil),
    ]

    @Test("deliver every picture and every sound packet once, with right times", arguments: known)
    func delivered(form: Form) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let file = try maker.make(form.name, video: form.video, audio: form.audio)
        let sink = CollectingSink()
        let pool = SlabPool()
        let input = Input(name: "file", source: .file(path: file, looped: false), pool: pool, sink: sink)
        input.start()
        #expect(sink.wait { !$0.ends.isEmpty })
        let seen = sink.seen
        #expect(seen.ends == [.failed(.ended, detail: "the file has ended")])
        #expect(seen.dialedCount == 1 && seen.framesAfterEnd == 0 && seen.repairs.isEmpty)
        let video = seen.frames.filter { $0.kind == .video }
        #expect(video.count == 50)
        #expect(video.allSatisfy { $0.configuration.parameters.codec == form.codec && !$0.isDamaged })
        #expect(video.first?.isKey == true && video.filter(\.isKey).count == 2)
        checkTimes(seen.frames)
        let stream = maker.path("out." + (form.codec == .h265 ? "hevc" : "h264"))
        try sink.byteStream().write(to: URL(fileURLWithPath: stream))
        let decoded = try maker.decode(stream, format: form.codec == .h265 ? "hevc" : "h264")
        #expect(decoded.warnings == "")
        #expect(decoded.hashes == (try maker.pictures(file)))
        // What cannot be stored comes beside it, as it is.
        let sound = seen.frames.filter { $0.kind == .audio && $0.configuration.parameters.codec.isStored }
        #expect(sound.first?.configuration.parameters.codec == form.sound)
        if form.sound != nil { try checkSound(sound, video, seen, file, maker) }
    }

    private func checkTimes(_ frames: [Frame]) {
        for track in Set(frames.map(\.track)) {
            let own = frames.filter { $0.track == track }
            #expect(zip(own, own.dropFirst()).allSatisfy { $0.dts < $1.dts })
            #expect(own.allSatisfy { $0.dts <= $0.pts })
        }
        let shown = frames.filter { $0.kind == .video }.map(\.pts).sorted()
        #expect(zip(shown, shown.dropFirst()).allSatisfy { abs($1 - $0 - 3_600) <= 90 })
    }

    /// Sound without holes, as long as the file's, and against the picture as in the file.
    private func checkSound(
        _ sound: [Frame], _ video: [Frame], _ seen: CollectingSink.Seen, _ file: String, _ maker: MediaMaker
    ) throws {
        let scale = Int64(sound[0].configuration.parameters.timescale)
        for (frame, next) in zip(sound, sound.dropFirst()) {
            #expect(abs(next.pts - frame.pts - (frame.durationTicks ?? 0)) <= scale / 500)
        }
        let total = sound.reduce(0) { $0 + ($1.durationTicks ?? 0) }
        #expect(abs(Double(total) / Double(scale) - 2) < 0.3)
        // ffprobe's times in seconds; where sound was made anew its first packet is the encoder's priming.
        let output = try maker.run(
            "ffprobe", ["-v", "error", "-show_entries", "packet=stream_index,pts_time", "-of", "csv=p=0", file]
        ).output
        var firsts: [String: Double] = [:]
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: ",").map(String.init)
            if fields.count >= 2, let time = Double(fields[1]) {
                firsts[fields[0]] = min(firsts[fields[0]] ?? time, time)
            }
        }
        let isMade = seen.streams.first { $0.kind == .audio }?.sourceCodec.hasPrefix("pcm") == true
        let priming = isMade ? Double(sound[0].configuration.parameters.primingSamples) / Double(scale) : 0
        let ours = Double(sound[0].pts) / Double(scale) + priming - Double(video.map(\.pts).min() ?? 0) / 90_000
        let theirs = try #require(firsts["1"]) - (try #require(firsts["0"]))
        #expect(abs(ours - theirs) < 0.003)
    }

    @Test("hand G.711 over as it comes, beside what is made of it")
    func original() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let file = try maker.make(
            "e.mkv", video: FileInputTests.h264, audio: ["-c:a", "pcm_mulaw", "-ar", "8000", "-ac", "1"])
        let sink = CollectingSink()
        Input(name: "file", source: .file(path: file, looped: false), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        let sounds = sink.seen.streams.filter { $0.kind == .audio }
        #expect(sounds.map { $0.parameters?.codec } == [.pcmu, .aac])
        #expect(sounds.map(\.madeFrom) == [nil, sounds.first?.ordinal])
        let frames = sink.seen.frames.filter { $0.track == sounds.first?.ordinal }
        #expect(frames.allSatisfy { $0.durationTicks == Int64($0.count) })
        let ours = frames.reduce(into: Data()) { data, frame in frame.withBytes { data.append(contentsOf: $0) } }
        let theirs = try maker.run(
            "ffmpeg", ["-v", "error", "-i", file, "-map", "0:a", "-c", "copy", "-f", "mulaw", "-"]
        ).output
        #expect(ours == theirs && !ours.isEmpty)
    }

    @Test("go on without a seam when they are looped, and end when they are told to")
    func looped() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let file = try maker.make("loop.mp4", seconds: 1, video: FileInputTests.h264, audio: ["-c:a", "aac"])
        let sink = CollectingSink()
        let input = Input(name: "loop", source: .file(path: file), pool: SlabPool(), sink: sink)
        input.start()
        #expect(sink.wait { $0.frames.count { $0.kind == .video } >= 60 })
        input.stop()
        input.stop()
        #expect(sink.wait(seconds: 2) { !$0.ends.isEmpty })
        let seen = sink.seen
        #expect(seen.ends == [.stopped] && seen.dialedCount == 1 && seen.repairs.isEmpty)
        let video = seen.frames.filter { $0.kind == .video }
        #expect(zip(video, video.dropFirst()).allSatisfy { $0.dts < $1.dts })
        let shown = video.map(\.pts).sorted().prefix(55)
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $1 - $0 < 3_600 * 3 })
        // In real time: the sixtieth picture is not there before 59 × 40 ms have passed.
        let passed = (video.last?.arrival.ms ?? 0) - (video.first?.arrival.ms ?? 0)
        #expect(passed >= Int64(video.count - 4) * 40)
    }

    @Test("that are none are refused by cause")
    func refused() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        try Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) }).write(
            to: URL(fileURLWithPath: maker.path("noise.bin")))
        let silent = try maker.make("only.avi", video: ["-c:v", "mjpeg"])
        for (path, failure) in [
            (maker.path("none.mp4"), LinkFailure.notFound), (maker.path("noise.bin"), .garbage), (silent, .unsupported),
        ] {
            let sink = CollectingSink()
            Input(name: "bad", source: .file(path: path), pool: SlabPool(), sink: sink).start()
            #expect(sink.wait { !$0.ends.isEmpty })
            guard case .failed(let cause, _)? = sink.seen.ends.first else {
                Issue.record("it must fail")
                continue
            }
            #expect(cause == failure)
        }
    }

    @Test("an input that was stopped before it began says so and nothing else")
    func stoppedFirst() {
        let sink = CollectingSink()
        let input = Input(name: "x", source: .demo(DemoOptions()), pool: SlabPool(), sink: sink)
        input.stop()
        input.start()
        input.start()
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(sink.seen.ends == [.stopped] && sink.seen.dialedCount == 0 && sink.seen.frames.isEmpty)
    }
}

@Suite("The demo camera")
struct DemoTests {
    @Test("is decoded without a complaint, and flashes when it beeps")
    func demo() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let sink = CollectingSink()
        let input = Input(
            name: "demo", source: .demo(DemoOptions(name: "yard", keySeconds: 1)), pool: SlabPool(), sink: sink)
        input.start()
        #expect(sink.wait { $0.frames.count { $0.kind == .video } >= 75 && !$0.levels.isEmpty })
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        let seen = sink.seen
        #expect(seen.ends == [.stopped] && seen.repairs.isEmpty)
        let video = seen.frames.filter { $0.kind == .video }
        #expect(zip(video, video.dropFirst()).allSatisfy { $1.dts - $0.dts == 6_000 && $1.pts == $1.dts })
        #expect(video.first?.isKey == true && video.filter(\.isKey).count >= 5)
        #expect(seen.levels.first == .low)
        let stream = maker.path("demo.h264")
        try sink.byteStream().write(to: URL(fileURLWithPath: stream))
        let decoded = try maker.decode(stream, format: "h264")
        #expect(decoded.warnings == "" && decoded.hashes.count == video.count)
        // The corner that flashes: its mean brightness picture by picture.
        let pixels = try maker.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "h264", "-i", stream, "-vf", "crop=40:40:590:310,scale=1:1", "-pix_fmt", "gray",
                "-f", "rawvideo", "-",
            ]
        ).output
        let flashes = zip(video, pixels).filter { $1 > 180 }.map { Double($0.0.pts) / 90_000 }
        let sound = seen.frames.filter { $0.kind == .audio }
        // A beep makes larger packets than the hum.
        let mean = sound.reduce(0) { $0 + $1.count } / max(1, sound.count)
        #expect(!flashes.isEmpty && mean > 0)
        for flash in flashes where flash > 1 && flash < 4 {
            let near = sound.filter { abs(Double($0.pts) / 16_000 - flash) < 0.12 }
            #expect(near.contains { $0.count > mean })
        }
    }

    @Test("has figures of three sizes in turn, and nobody in between")
    func figures() {
        let levels = (0..<3).map { DemoScene.figure(at: Int64($0) * DemoScene.periodMs + 5_000)?.level }
        #expect(levels == [.low, .medium, .high])
        #expect(DemoScene.figure(at: 15_000) == nil && DemoScene.figure(at: 1_000) == nil)
        #expect(DemoScene.clock(1_700_000_000_007) == "2023-11-14 22:13:20.007")
    }
}
