import Foundation
import Machines
import Testing

@testable import Media

@Suite("Segments of sessions")
struct SegmentMakerTests {
    private static let video = ["-c:v", "libx264", "-g", "25", "-bf", "0", "-sc_threshold", "0", "-pix_fmt", "yuv420p"]

    private func frames(seconds: Int, _ more: [String] = [], audio: [String] = ["-c:a", "aac"]) throws -> [Frame] {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let file = try maker.make("in.mkv", seconds: seconds, video: Self.video + more, audio: audio)
        let sink = CollectingSink()
        Input(name: "file", source: .file(path: file, looped: false), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        return Array(sink.seen.frames.drop { !$0.isVideoStart })
    }

    private func maker(_ segmentMs: Int64 = 2_000, chunkMs: Int64 = 0, _ kinds: Set<TrackKind> = [.video, .audio])
        -> SegmentMaker
    {
        SegmentMaker(SegmentMaker.Form(segmentMs: segmentMs, chunkMs: chunkMs, kinds: kinds)) { $0.ms }
    }

    private func segments(_ items: [SegmentMaker.Item]) -> [MediaSegment] {
        items.compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
    }

    private func widths(_ items: [SegmentMaker.Item]) -> [[Int?]] {
        items.compactMap {
            if case .began(let tracks, _) = $0 { tracks.map(\.header.configuration.width) } else { nil }
        }
    }

    private func ends(_ items: [SegmentMaker.Item]) -> [SegmentMaker.End] {
        items.compactMap { if case .ended(let why) = $0 { why } else { nil } }
    }

    /// Frames that came at the times at which they are shown.
    private func timed(_ frames: [Frame], from ms: Int64) -> [Frame] {
        let first = frames.first?.presentationUs ?? 0
        return frames.map { $0.arrived(Instant(ms: ms + ($0.presentationUs - first) / 1_000)) }
    }

    /// Whether the segments of each track follow each other without a gap, and numbers of chunks are those of `chunkCount`.
    private func expectWhole(_ segments: [MediaSegment]) {
        for track in Set(segments.map(\.track)) {
            let own = segments.filter { $0.track == track }
            for (one, next) in zip(own, own.dropFirst()) {
                #expect(next.decodeTime >= one.endTime)
                #expect(next.decodeTime - one.endTime < UInt64(one.timescale) / 100)
            }
            #expect(own.map(\.isLast) == own.indices.map { $0 == own.count - 1 })
        }
    }

    @Test("begin with key frames, are as long as said, and hold each frame once")
    func cut() throws {
        let frames = try frames(seconds: 7)
        var maker = maker(chunkMs: 400)
        let items = frames.flatMap { maker.take($0, dial: 1) } + maker.finish(at: Instant(ms: 0))
        let segments = segments(items)
        #expect(ends(items) == [.finished] && !maker.isOpen)
        expectWhole(segments)
        let pictures = segments.filter { $0.track == 0 }
        #expect(pictures.map(\.durationMs) == [2_000, 2_000, 2_000, 1_000])
        #expect(pictures.map(\.chunkCount) == [5, 5, 5, 3])
        #expect(segments.filter { $0.track == 0 }.allSatisfy { $0.chunks[0].fragment.samples[0].isSync })
        for (track, kind) in [(0, TrackKind.video), (1, .audio)] {
            let data = segments.filter { $0.track == track }.flatMap { $0.chunks.flatMap(\.data) }
            let own = frames.filter { $0.kind == kind }.flatMap { frame in frame.withBytes { [UInt8]($0) } }
            #expect(data == own)
        }
        // The last segment says so, and only the last.
        #expect(
            segments.filter { String(decoding: $0.encoded(sequence: 1), as: UTF8.self).contains("lmsg") }.count == 2)
    }

    @Test("a camera that comes back goes on in the same session; what is missing stands still")
    func lost() throws {
        let (before, after) = (timed(try frames(seconds: 4), from: 0), timed(try frames(seconds: 4), from: 10_500))
        var maker = maker()
        var items = before.flatMap { maker.take($0, dial: 1) }
        for second in 5..<10 { items += maker.idle(at: Instant(ms: Int64(second) * 1_000)) }
        items += after.flatMap { maker.take($0, dial: 2) } + maker.finish(at: Instant(ms: 14_500))
        #expect(ends(items) == [.finished])
        let segments = segments(items)
        expectWhole(segments)
        let fillers = segments.filter { $0.track == 0 && $0.filler == .link }
        #expect(fillers.reduce(0) { $0 + $1.durationMs } == 6_500, "\(fillers.map(\.durationMs))")
        #expect(segments.filter { $0.track == 0 }.reduce(0) { $0 + $1.durationMs } == 14_500)
        for filler in fillers { #expect(String(decoding: filler.encoded(sequence: 1), as: UTF8.self).contains("slat")) }
    }

    @Test(
        "a camera that stays away, or comes back with another picture, ends the session; the next one begins with a key frame"
    )
    func over() throws {
        let before = timed(try frames(seconds: 4), from: 0)
        var away = maker()
        var items = before.flatMap { away.take($0, dial: 1) }
        for second in 5..<120 { items += away.idle(at: Instant(ms: Int64(second) * 1_000)) }
        #expect(ends(items) == [.away] && !away.isOpen)
        expectWhole(segments(items))
        let fillers = segments(items).filter { $0.filler != nil && $0.track == 0 }
        #expect(fillers.reduce(0) { $0 + $1.durationMs } / 100 == 620)
        items =
            timed(try frames(seconds: 2), from: 130_000).flatMap { away.take($0, dial: 2) }
            + away.finish(at: Instant(ms: 132_000))
        #expect(segments(items).first?.decodeTime == 0 && ends(items) == [.finished])

        var changed = maker()
        items = before.flatMap { changed.take($0, dial: 1) }
        items += timed(try frames(seconds: 4, ["-s", "160x120"]), from: 6_000).flatMap { changed.take($0, dial: 2) }
        #expect(ends(items) == [.changed] && widths(items) == [[320, nil], [160, nil]])
        let place = try #require(items.firstIndex { if case .ended = $0 { true } else { false } })
        expectWhole(segments(Array(items[..<place])))
    }

    @Test("a session is five minutes at most, and the next one goes on without a hole")
    func length() throws {
        // A file comes as fast as it plays: what four seconds of it hold comes again and again.
        let four = timed(try frames(seconds: 4).filter { $0.presentationUs < 4_000_000 }, from: 0)
        let frames = (0..<78).flatMap { round in four.map { $0.later(seconds: 4 * Int64(round)) } }
        var maker = maker(4_000)
        let items = frames.flatMap { maker.take($0, dial: 1) } + maker.finish(at: Instant(ms: 312_000))
        #expect(ends(items) == [.length, .finished])
        let place = try #require(items.firstIndex { if case .ended = $0 { true } else { false } })
        let (first, second) = (segments(Array(items[..<place])), segments(Array(items[place...])))
        expectWhole(first)
        expectWhole(second)
        #expect(first.filter { $0.track == 0 }.reduce(0) { $0 + $1.durationMs } == 300_000)
        let data = (first + second).filter { $0.track == 0 }.flatMap { $0.chunks.flatMap(\.data) }
        #expect(data == frames.filter { $0.kind == .video }.flatMap { frame in frame.withBytes { [UInt8]($0) } })
        #expect(
            (first + second).filter { $0.track == 1 }.flatMap { $0.chunks.flatMap(\.data) }
                == frames.filter { $0.kind == .audio }.flatMap { frame in frame.withBytes { [UInt8]($0) } })
    }

    @Test("a transport of sound alone has segments of sound")
    func sound() throws {
        let frames = try frames(seconds: 5)
        var maker = maker(2_000, [.audio])
        let items = frames.flatMap { maker.take($0, dial: 1) } + maker.finish(at: Instant(ms: 5_000))
        let segments = segments(items)
        expectWhole(segments)
        #expect(segments.count == 3 && segments.allSatisfy { $0.track == 0 && $0.timescale == 48_000 })
    }

    @Test("segments that stand still share one sample, and are as long as what they stand for")
    func still() throws {
        var maker = maker()
        let segments = segments(try frames(seconds: 6).flatMap { maker.take($0, dial: 1) }).filter { $0.track == 0 }
        let first = try #require(segments[0].filled(.receiver))
        let second = try #require(segments[1].filled(.receiver, like: first))
        #expect(first.durationTicks == segments[0].durationTicks && second.decodeTime == segments[1].decodeTime)
        #expect(first.byteCount < segments[0].byteCount && second.chunks[0].data == first.chunks[0].data)
        #expect(first.filler == .receiver && second.chunkCount == 1)
    }
}

extension Frame {
    /// The same, that came at another time.
    fileprivate func arrived(_ at: Instant) -> Frame { copied(ticks: 0, at: at) }

    /// The same, so much later on the camera's time line and ours.
    fileprivate func later(seconds: Int64) -> Frame {
        copied(ticks: seconds * Int64(configuration.parameters.timescale), at: arrival + seconds * 1_000)
    }

    private func copied(ticks: Int64, at: Instant) -> Frame {
        Frame(
            track: track, kind: kind, dts: dts + ticks, pts: pts + ticks, durationTicks: durationTicks, isKey: isKey,
            isRecoveryPoint: isRecoveryPoint, isDamaged: isDamaged, arrival: at, wallClockMs: nil,
            configuration: configuration, storage: storage, offset: offset, count: count)
    }
}
