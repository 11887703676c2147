import Foundation
import Machines
import RandomSource
import Synchronization
import Testing

@testable import Media

@Suite("What cameras push")
struct PushTests {
    @Test("objects of DASH come out as frames, each once, in order, with their times")
    func whole() async throws {
        let rig = try PushRig()
        try rig.dash()
        let (input, sink) = rig.start()
        for name in try rig.objects() { try await rig.push(name) }
        let (video, audio) = (try rig.packets("in.mp4", "v"), try rig.packets("in.mp4", "a"))
        #expect(
            sink.wait { $0.frames.sums(.audio).count >= audio.count && $0.frames.sums(.video).count >= video.count - 8 }
        )
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        let frames = sink.seen.frames
        #expect(frames.sums(.audio) == audio)
        #expect(frames.sums(.video) == Array(video.prefix(frames.sums(.video).count)))
        #expect(sink.seen.repairs.isEmpty && sink.seen.damages.isEmpty && sink.seen.counts.lostPackets == 0)
        let shown = frames.filter { $0.kind == .video }.map(\.pts).sorted()
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $1 - $0 == 3_600 })
        // Arrivals are spread as the samples are, and never go back.
        for kind in TrackKind.allCases {
            let own = frames.filter { $0.kind == kind }
            #expect(zip(own, own.dropFirst()).allSatisfy { $0.arrival <= $1.arrival })
        }
        #expect(sink.seen.streams.map(\.sourceCodec) == ["H264", "AAC"])
    }

    @Test("sound and picture stay together, and come in the order of their times")
    func together() async throws {
        let rig = try PushRig()
        try rig.dash()
        let (input, sink) = rig.start()
        for name in try rig.objects() { try await rig.push(name) }
        #expect(sink.wait { $0.frames.count { $0.kind == .video } >= 140 })
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        let frames = sink.seen.frames
        let first = frames.reduce(into: [TrackKind: Int64]()) { all, frame in
            let us = frame.pts.scaled(1_000_000, Int64(frame.configuration.parameters.timescale))
            all[frame.kind] = min(all[frame.kind] ?? .max, us)
        }
        #expect(abs((first[.video] ?? 0) - (first[.audio] ?? 0)) < 60_000, "\(first)")
        var latest = Int64.min / 2
        for frame in frames {
            let us = frame.dts.scaled(1_000_000, Int64(frame.configuration.parameters.timescale))
            // Reordering holds pictures back; sound does not run ahead by a segment.
            #expect(us > latest - 500_000)
            latest = max(latest, us)
        }
    }

    @Test("a segment that comes again is ignored; one that is left out is a gap of its length, and marked")
    func repeatedAndMissing() async throws {
        let rig = try PushRig()
        // A gap of more than two seconds would need as much time to pass.
        try rig.dash(seconds: 6, video: PushRig.video + ["-bf", "0"], segment: "1")
        let (input, sink) = rig.start()
        for name in try rig.objects() where !name.contains("00003") {
            try await rig.push(name)
            try await rig.push(name)
        }
        let video = try rig.packets("in.mp4", "v")
        let kept = Array(video[..<50]) + Array(video[75...])
        #expect(sink.wait { $0.frames.sums(.video).count >= kept.count })
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        let frames = sink.seen.frames.filter { $0.kind == .video }
        #expect(sink.seen.frames.sums(.video) == kept)
        #expect(rig.point.counts.repeated > 0 && rig.point.counts.dropped == 0)
        let steps = zip(frames, frames.dropFirst()).map { $1.pts - $0.pts }
        #expect(steps.filter { $0 != 3_600 } == [3_600 * 26], "\(steps.filter { $0 != 3_600 })")
        #expect(frames.indices.filter { frames[$0].isDamaged } == [50])
        #expect(sink.seen.counts.lostPackets > 0)
    }

    @Test("a segment out of order is refused, and comes too late; another pusher is refused, too")
    func refused() async throws {
        let rig = try PushRig()
        try rig.dash()
        let (input, sink) = rig.start()
        let names = try rig.objects().filter { $0.contains("stream0") }
        for name in [names[0], names[1], names[3]] { try await rig.push(name) }
        await expectRefusal(.conflict) { try await rig.push(names[2]) }
        let other = PublishingPoint.Pusher(login: "front", address: "192.0.2.8")
        await expectRefusal(.conflict) { try await rig.push(try rig.object(names[0]), at: names[0], of: other) }
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
    }

    @Test("times that begin anew behind their header follow the session before, and so does a session of another name")
    func sessions() async throws {
        let rig = try PushRig()
        try rig.dash(seconds: 4, video: PushRig.video + ["-bf", "0"])
        let (input, sink) = rig.start()
        let names = try rig.objects()
        for name in names { try await rig.push(name, in: "session_1/") }
        for name in names { try await rig.push(name, in: "session_2/") }
        await expectRefusal(.conflict) { try await rig.push(names[0], in: "session_1/") }
        #expect(sink.wait { $0.frames.count { $0.kind == .video } >= 200 })
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        let video = try rig.packets("in.mp4", "v")
        #expect(sink.seen.frames.sums(.video) == video + video)
        #expect(sink.seen.dialedCount == 1)
        let frames = sink.seen.frames.filter { $0.kind == .video }
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.dts > $0.dts && $1.dts - $0.dts < 90_000 })
    }

    @Test("one body of a whole movie with both tracks is taken while it comes; H.265 in band, too")
    func movie() async throws {
        let rig = try PushRig()
        let bytes = try rig.movie(
            video: ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=25", "-tag:v", "hev1", "-bf", "0"])
        let (input, sink) = rig.start()
        try await rig.push(bytes, at: "")
        let video = try rig.packets("in.mp4", "v")
        #expect(sink.wait { $0.frames.count { $0.kind == .video } >= video.count })
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(sink.seen.frames.sums(.video) == video && sink.seen.streams.first?.sourceCodec == "H265")
    }

    @Test("whose video is pushed no more are silent, however much sound is")
    func silentVideo() async throws {
        let rig = try PushRig()
        try rig.dash(seconds: 30, segment: "0.2")
        var limits = InputLimits()
        limits.silenceMs = 1_000
        let (_, sink) = rig.start(limits)
        // A part of both, then the sound alone.
        var left = try rig.objects().count { $0.contains("stream1") }
        for name in try rig.objects()
        where name.hasPrefix("init") || name.contains("stream1") || name.hasSuffix("00001.m4s") {
            if !sink.seen.ends.isEmpty { break }
            try await rig.push(name)
            left -= name.contains("stream1") ? 1 : 0
            if name.contains("chunk") { try await Task.sleep(for: .milliseconds(100)) }
        }
        guard case .failed(.silence, _)? = sink.seen.ends.first else {
            Issue.record("\(sink.seen.ends)")
            return
        }
        #expect(left > 0)
        #expect(sink.seen.frames.contains { $0.kind == .video })
    }

    @Test("our own segments are taken as they are pushed, and their last ones end the link as ended")
    func ownSegments() async throws {
        let rig = try PushRig()
        let file = try rig.maker.make("in.mkv", seconds: 5, video: PushRig.video, audio: ["-c:a", "aac"])
        let source = CollectingSink()
        Input(name: "file", source: .file(path: file, looped: false), pool: SlabPool(), sink: source).start()
        #expect(source.wait { !$0.ends.isEmpty })
        var maker = SegmentMaker(SegmentMaker.Form(segmentMs: 2_000, chunkMs: 500, kinds: [.video, .audio])) { $0.ms }
        let frames = Array(source.seen.frames.drop { !$0.isVideoStart })
        let items = frames.flatMap { maker.take($0, dial: 1) } + maker.finish(at: Instant(ms: 0))
        var limits = InputLimits()
        limits.silenceMs = 1_000
        let (_, sink) = rig.start(limits)
        var sequence: [Int: UInt32] = [:]
        for item in items {
            switch item {
            case .began(let tracks, _):
                for (number, track) in tracks.enumerated() {
                    try await rig.push(track.header.encoded(), at: "session_1/t\(number)/t\(number).init")
                }
            case .segment(let segment):
                let first = sequence[segment.track, default: 1]
                sequence[segment.track] = first + UInt32(segment.chunkCount)
                try await rig.push(
                    segment.encoded(sequence: first), at: "session_1/t\(segment.track)/segment_\(first).m4s")
            case .ended: break
            }
        }
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(sink.seen.frames.sums(.video) == frames.sums(.video))
        #expect(sink.seen.frames.sums(.audio) == frames.sums(.audio))
        #expect(sink.seen.ends == [.failed(.ended, detail: "the pusher has ended its session")])
        #expect(sink.seen.frames.contains { $0.wallClockMs != nil })
    }

    @Test("what is no CMAF, has no header, or is coded otherwise is refused by name")
    func junk() async throws {
        let rig = try PushRig()
        try rig.dash(seconds: 2)
        await expectRefusal(.malformed) { try await rig.push([UInt8]("GIF89a, and more".utf8), at: "x.m4s") }
        await expectRefusal(.headerMissing) { try await rig.push("chunk-stream0-00001.m4s") }
        await expectRefusal(.unsupported) { try await rig.push([1], at: "x.ts", type: "video/mp2t") }
        let movie = try rig.movie(
            seconds: 1, video: ["-c:v", "mpeg4"], audio: [])
        let why = await #expect(throws: PushRefusal.self) { try await rig.push(movie, at: "m.mp4") }
        #expect(why?.kind == .unsupported && why?.why.contains("mp4v") == true)
        let header = try rig.object("init-stream0.m4s")
        await expectRefusal(.malformed) { try await rig.push(Array(header.dropLast(7)), at: "h.mp4") }
        let large: [UInt8] = [0x7F, 0, 0, 0] + [UInt8]("moof".utf8)
        await expectRefusal(.tooLarge) { try await rig.push(large, at: "h.m4s") }
        try await rig.push([UInt8]("<MPD/>".utf8), at: "index.mpd")
        await expectRefusal(.tooLarge) {
            try await rig.push([UInt8](repeating: 32, count: PushLimits.manifestBytesMax + 1), at: "index.mpd")
        }
    }

    @Test(
        "data without a base count from the moof in its first track, as GStreamer writes it, and in no other; another base is refused"
    )
    func withoutBase() async throws {
        let rig = try PushRig()
        try rig.dash(seconds: 2, video: PushRig.video + ["-bf", "0"])
        let (input, sink) = rig.start()
        for name in try rig.objects() { try await rig.push(Self.withoutBase(try rig.object(name)), at: name) }
        let (video, audio) = (try rig.packets("in.mp4", "v"), try rig.packets("in.mp4", "a"))
        #expect(
            sink.wait { $0.frames.sums(.audio).count >= audio.count && $0.frames.sums(.video).count >= video.count })
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(sink.seen.frames.sums(.video) == video && sink.seen.frames.sums(.audio) == audio)
        try rig.maker.run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-i", rig.maker.path("in.mp4"), "-an", "-c", "copy", "-movflags",
                "empty_moov+frag_keyframe", "-f", "mp4", rig.maker.path("explicit.mp4"),
            ])
        let movies = [Self.withoutBase(try rig.movie(seconds: 1)), try rig.object("explicit.mp4")]
        for (number, movie) in movies.enumerated() {
            let refusal = await #expect(throws: PushRefusal.self) { try await rig.push(movie, at: "m/\(number).mp4") }
            #expect(refusal?.kind == .malformed && refusal?.why.contains("from the moof") == true)
        }
    }

    /// `bytes` where no traf says from where its data count.
    private static func withoutBase(_ bytes: [UInt8]) -> [UInt8] {
        let name = [UInt8]("tfhd".utf8)
        var bytes = bytes
        for place in 0..<max(0, bytes.count - 8)
        where bytes[place] == name[0] && Array(bytes[place..<place + 4]) == name {
            // The highest byte of the flags: default-base-is-moof is 0x020000.
            bytes[place + 5] &= ~0x02
        }
        return bytes
    }

    @Test("nobody pushes: the dial fails; the first fragment wakes the camera, and waits for it")
    func waking() async throws {
        let rig = try PushRig()
        try rig.dash(seconds: 2, video: PushRig.video + ["-bf", "0"])
        var limits = InputLimits()
        limits.dialMs = 100
        let (_, first) = rig.start(limits)
        #expect(first.wait { !$0.ends.isEmpty })
        #expect(first.seen.ends == [.failed(.timeout, detail: "nobody pushes to /ingest/front/main")])
        let camera = WokenCamera()
        rig.point.follow(wake: { camera.wake() }, tell: { _ in })
        for name in try rig.objects() { try await rig.push(name) }
        #expect(camera.wakes > 0)
        let (input, sink) = rig.start()
        #expect(sink.wait { $0.frames.count { $0.kind == .video } >= 50 })
        #expect(sink.seen.frames.sums(.video) == (try rig.packets("in.mp4", "v")))
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        // It was hung up, for silence or otherwise: what comes wakes the camera again, and waits for it.
        for name in try rig.objects() { try await rig.push(name, in: "session_2/") }
        #expect(rig.point.counts.dropped == 0 && camera.wakes > 1)
        let (next, second) = rig.start()
        #expect(second.wait { $0.frames.count { $0.kind == .video } >= 50 })
        next.stop()
        #expect(second.wait { !$0.ends.isEmpty })
    }

    @Test("the camera is off: what comes is dropped, and none of what came before comes back")
    func off() async throws {
        let rig = try PushRig()
        try rig.dash(seconds: 2, video: PushRig.video + ["-bf", "0"])
        let camera = WokenCamera()
        camera.isOff = true
        rig.point.follow(wake: { camera.wake() }, tell: { _ in })
        let reader = rig.point.attach()
        for name in try rig.objects() { try await rig.push(name) }
        let taken = try #require(rig.point.take(reader))
        #expect(!taken.isEmpty)
        rig.point.clear(at: BootClock.now())
        rig.point.giveBack(taken, reader)
        // It comes before the input has ended, and may not be recorded either.
        for name in try rig.objects() { try await rig.push(name, in: "session_2/") }
        rig.point.detach(reader)
        #expect(rig.point.counts.dropped == 0 && camera.wakes == 0)
        for name in try rig.objects() { try await rig.push(name, in: "session_3/") }
        #expect(rig.point.counts.dropped == UInt64(taken.count * 2) && camera.wakes == 1)
        #expect(rig.point.take(rig.point.attach())?.isEmpty == true)
    }

    @Test("bytes that were changed at random are refused or taken, and nothing else comes of them")
    func mutated() async throws {
        let rig = try PushRig()
        let movie = try rig.movie(seconds: 1)
        let (input, sink) = rig.start()
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var bytes = movie
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                // Most of it is media: heads of boxes and tables are what matters.
                let reach = Bool.random(using: &random) ? 2_000 : bytes.count
                let place = Int.random(in: 0..<min(reach, bytes.count), using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            do { try await rig.push(bytes, at: "m.mp4") } catch is PushRefusal { continue }
        }
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty } && sink.seen.framesAfterEnd == 0)
    }

    private func expectRefusal(_ kind: PushRefusal.Kind, _ body: () async throws -> Void) async {
        let refusal = await #expect(throws: PushRefusal.self) { try await body() }
        #expect(refusal?.kind == kind, "\(refusal?.description ?? "")")
    }
}

/// A camera that counts how often it was woken.
private final class WokenCamera: Sendable {
    private let state = Mutex((wakes: 0, isOff: false))

    var wakes: Int { state.withLock { $0.wakes } }
    var isOff: Bool {
        get { state.withLock { $0.isOff } }
        set { state.withLock { $0.isOff = newValue } }
    }

    func wake() -> Bool {
        state.withLock { state in
            state.wakes += 1
            return !state.isOff
        }
    }
}
