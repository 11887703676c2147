import Foundation
import Machines
import RandomSource
import Testing

@testable import Media

@Suite("What is played of a time")
struct PlaybackPlanTests {
    /// The wall time of the first clip's zero.
    static let origin: Int64 = 1_795_255_200_000

    /// The index of a track: fragments of these lengths in milliseconds, with a pause before some of them.
    static func index(
        _ lengths: [Int64], pauses: [Int: Int64] = [:], keys: (Int) -> Bool = { _ in true }, timescale: UInt32 = 90_000
    ) -> FragmentIndex {
        var entries: [FragmentIndex.Entry] = []
        var (offset, time) = (UInt64(800), UInt64(0))
        for (number, length) in lengths.enumerated() {
            time += UInt64(pauses[number] ?? 0) * UInt64(timescale) / 1_000
            let ticks = UInt64(length) * UInt64(timescale) / 1_000
            let size = UInt64(1_000 + number)
            entries.append(
                FragmentIndex.Entry(
                    offset: offset, size: size, decodeTime: time, durationTicks: ticks, sampleCount: 25,
                    startsWithKey: keys(number)))
            offset += size
            time += ticks
        }
        return FragmentIndex(timescale: timescale, headerBytes: 800, entries: entries)
    }

    /// A clip with pictures, and with sound where there is any.
    static func clip(
        id: Int64 = 1, at startMs: Int64 = origin, _ video: FragmentIndex?, _ audio: FragmentIndex? = nil,
        isGrowing: Bool = false
    ) -> PlayedClip {
        var tracks: [ClipFiles.Track] = []
        if let video { tracks.append(ClipFiles.Track(kind: .video, path: "v", index: video)) }
        if let audio { tracks.append(ClipFiles.Track(kind: .audio, path: "a", index: audio)) }
        return PlayedClip(
            id: id, startMs: startMs, isGrowing: isGrowing, codecs: [.video: "avc1.64001f", .audio: "mp4a.40.2"],
            files: ClipFiles(root: "/", tracks: tracks))
    }

    static let links = PlaylistLinks(listQuery: "?q", session: "s") { "T\($0 &- origin)" }

    private func plan(_ clips: [PlayedClip], _ from: Int64 = 0, _ to: Int64 = 3_600_000) -> PlaybackPlan {
        var plan = PlaybackPlan(fromMs: Self.origin + from, toMs: Self.origin + to)
        for clip in clips { plan.add(clip) }
        return plan
    }

    private func text(_ plan: PlaybackPlan, _ kind: TrackKind = .video, isFinished: Bool = true) -> String {
        String(decoding: HLSPlaylist.media(plan, kind, isFinished: isFinished, Self.links), as: UTF8.self)
    }

    @Test(
        "fragments are joined to segments of four seconds that begin with key frames, and nothing is left out or twice")
    func segments() throws {
        let index = Self.index(Array(repeating: 2_000, count: 7))
        let segments = try #require(plan([Self.clip(index)]).stretches.first?.tracks.first?.segments)
        #expect(segments.map(\.fragments) == [0..<2, 2..<4, 4..<6, 6..<7])
        #expect(segments.map(\.duration) == [360_000, 360_000, 360_000, 180_000])
        #expect(
            segments.first?.bytes.lowerBound == 800 && segments.last?.bytes.upperBound == index.entries.last?.endOffset)
        for (left, right) in zip(segments, segments.dropFirst()) {
            #expect(left.bytes.upperBound == right.bytes.lowerBound && left.start + left.duration == right.start)
        }
        // A group that never ends is cut anyway.
        let long = Self.index(Array(repeating: 3_000, count: 9)) { $0 == 0 }
        let cut = try #require(plan([Self.clip(long)]).stretches.first?.tracks.first?.segments)
        #expect(cut.map(\.fragments) == [0..<3, 3..<6, 6..<9] && cut.map(\.startsWithKey) == [true, false, false])
    }

    @Test(
        "playing begins with the key frame before the wish and ends with what is shown at its end; sound is cut alike")
    func borders() throws {
        let audio = Self.index(Array(repeating: 1_000, count: 30), timescale: 16_000)
        let clip = Self.clip(Self.index(Array(repeating: 2_000, count: 15)), audio)
        let stretch = try #require(plan([clip], 7_000, 13_000).stretches.first)
        #expect(stretch.track(.video)?.segments.map(\.fragments) == [3..<5, 5..<7])
        #expect(stretch.track(.audio)?.segments.map(\.fragments) == [6..<10, 10..<13])
        #expect(stretch.wallMs == Self.origin + 6_000..<Self.origin + 14_000)
        let list = text(plan([clip], 7_000, 13_000))
        #expect(list.contains("#EXT-X-START:TIME-OFFSET=1.000000,PRECISE=YES\n"))
        #expect(list.contains("#EXT-X-PROGRAM-DATE-TIME:T6000\n#EXTINF:4.000000,\n#EXT-X-BYTERANGE:2007@3803\n"))
        #expect(list.contains("../../../clips/1/tracks/video.mp4?session=s\n") && list.hasSuffix("#EXT-X-ENDLIST\n"))
        #expect(plan([clip], 30_000, 40_000).stretches.isEmpty && plan([clip], -9_000, 0).stretches.isEmpty)
    }

    @Test("each clip and each hole in one begins anew, with its time; where sound is missing its place is kept")
    func holes() {
        let video = Self.index(Array(repeating: 2_000, count: 4), pauses: [2: 7_000, 3: 400])
        let audio = Self.index(Array(repeating: 2_000, count: 4), pauses: [2: 7_000], timescale: 16_000)
        let clips = [Self.clip(video, audio), Self.clip(id: 2, at: Self.origin + 60_000, Self.index([2_000, 2_000]))]
        let found = plan(clips)
        #expect(found.stretches.map(\.clip) == [1, 1, 2])
        let list = text(found)
        let times = list.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-PROGRAM-DATE-TIME:") }
        #expect(times.map { $0.split(separator: ":").last } == ["T0", "T11000", "T60000"])
        #expect(list.split(separator: "\n").filter { $0 == "#EXT-X-DISCONTINUITY" }.count == 2)
        #expect(list.contains("#EXTINF:4.400000,"))
        #expect(list.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-MAP:") }.count == 3)
        let sound = text(found, .audio)
        #expect(sound.contains("#EXT-X-VERSION:8\n") && sound.contains("#EXT-X-GAP\n../../../clips/2/tracks/audio"))
        // Each clip lies where the clock says.
        #expect(found.stretches.map(\.shiftMs) == [0, 0, 60_000])
        #expect(list.contains("clips/2/tracks/video.mp4?shift=5400000&session=s\n"))
        #expect(sound.split(separator: "\n").filter { $0 == "#EXT-X-DISCONTINUITY" }.count == 2)
    }

    @Test("sound that ends before the first picture is not played, and keeps no picture from it")
    func earlySound() throws {
        let audio = Self.index([64, 64], timescale: 16_000)
        let video = Self.index([40, 40], pauses: [0: 160])
        let played = plan([Self.clip(video, audio), Self.clip(id: 2, at: Self.origin + 5_000, video, audio)])
        #expect(played.stretches.map { $0.tracks.map(\.kind) } == [[.video], [.video]])
        #expect(text(played, .audio).components(separatedBy: "#EXT-X-GAP").count == 3)
        #expect(text(played).contains("#EXTINF:0.080000,\n"))
    }

    @Test("the time line only goes forward: clips follow each other where they do, or where holes are closed up")
    func timeLine() {
        let index = Self.index(Array(repeating: 2_000, count: 5))
        // The second follows, the third began before the end of the second by the clock, the fourth a minute later.
        let clips = [0, 10_200, 15_000, 80_000].enumerated().map { number, start in
            Self.clip(id: Int64(number), at: Self.origin + start, index)
        }
        #expect(plan(clips).stretches.map(\.shiftMs) == [0, 10_000, 20_000, 80_000])
        var closed = PlaybackPlan(fromMs: Self.origin, toMs: Self.origin + 3_600_000, skipsHoles: true)
        for clip in clips { closed.add(clip) }
        #expect(closed.stretches.map(\.shiftMs) == [0, 10_000, 20_000, 30_000])
        let traits = PlaybackTraits(closed, first: nil, frameRate: 25_000)
        let manifest = String(
            decoding: DASHManifest.manifest(
                closed, traits, continues: [false, true, false, true], isFinished: true, nowMs: 0, Self.links),
            as: UTF8.self)
        func rates(_ rate: UInt64?) -> [Substring] {
            let bytes = DASHManifest.manifest(
                closed, PlaybackTraits(closed, first: nil, frameRate: rate), continues: [false, true, false, true],
                isFinished: true, nowMs: 0, Self.links)
            return String(decoding: bytes, as: UTF8.self).matches(of: /frameRate="([^"]*)"/).map(\.output.1)
        }
        #expect(rates(25_000) == ["25", "25"] && rates(12_500) == ["12500/1000", "12500/1000"])
        #expect(rates(nil).isEmpty && rates(0).isEmpty)
        #expect(manifest.split(separator: "\n").filter { $0.hasPrefix("<Period ") }.count == 2)
        #expect(manifest.contains("<Period id=\"p1\" start=\"PT20.000000S\" duration=\"PT20.000000S\">"))
        #expect(manifest.contains("media=\"../../clips/3/tracks/video.mp4?shift=2700000&amp;session=s\" mediaRange="))
    }

    @Test("a finished manifest has no short segment at the end of a stretch, one that goes on keeps what it said")
    func tails() {
        let whole = plan([Self.clip(Self.index([2_000, 2_000, 2_000, 2_000, 500]))])
        let traits = PlaybackTraits(whole, first: nil, frameRate: nil)
        func lines(isFinished: Bool) -> [Substring] {
            let manifest = DASHManifest.manifest(
                whole, traits, continues: [false], isFinished: isFinished, nowMs: 0, Self.links)
            return String(decoding: manifest, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("<S ") }
        }
        #expect(lines(isFinished: true) == ["<S t=\"0\" d=\"360000\"/>", "<S t=\"360000\" d=\"405000\"/>"])
        #expect(lines(isFinished: false).count == 3)
    }

    @Test("a shifted track differs from its file in the times of its fragments alone, wherever it is read")
    func shifted() throws {
        let stream = try TrackWriterTests.stream("h264B")
        let folder = try Scratch()
        try stream.write(folder.path("a.cmfv"))
        let reader = try #require(try ClipReader(ClipFiles(scanning: [folder.path("a.cmfv")])).video)
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.cmfv"))))
        let later: UInt64 = 0x0102_0304_0506
        let track = ShiftedTrack(reader, ticks: later)
        func read(_ range: Range<Int>) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: range.count)
            for start in stride(from: 0, to: range.count, by: 100_003) {
                let part = start..<min(range.count, start + 100_003)
                try bytes.withUnsafeMutableBytes { memory in
                    try track.fill(
                        UnsafeMutableRawBufferPointer(rebasing: memory[part]), at: UInt64(range.lowerBound + start))
                }
            }
            return bytes
        }
        let all = try read(0..<file.count)
        for entry in reader.index.entries {
            let head = Array(all[Int(entry.offset)..<Int(entry.offset) + 256])
            #expect(ShiftedTrack.time(in: head)?.time == entry.decodeTime + later)
        }
        #expect(zip(all, file).filter { $0 != $1 }.count <= 8 * reader.fragments)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let start = Int.random(in: 0..<file.count, using: &generator)
            let part = start..<min(file.count, start + Int.random(in: 1...300, using: &generator))
            #expect(try read(part) == Array(all[part]))
        }
        try Data(all).write(to: URL(fileURLWithPath: folder.path("later.mp4")))
        #expect(try Tool.packetHashes(folder.path("later.mp4")) == Tool.packetHashes(stream.path))
        #expect(throws: TrackFileError.self) { try read(file.count - 1..<file.count + 1) }
    }

    @Test(
        "a list of a clip that grows only gets longer, whatever grows when, and the finished one is the same and whole")
    func growing() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<60 {
            let count = Int.random(in: 1...30, using: &generator)
            let lengths = (0..<count).map { _ in Int64.random(in: 200...5_000, using: &generator) }
            let isKey = (0..<count).map { number in number == 0 || Int.random(in: 0..<3, using: &generator) > 0 }
            let video = Self.index(lengths, pauses: [count / 2: 3_000]) { isKey[$0] }
            let audio = Self.index(lengths, pauses: [count / 2: 3_000], timescale: 16_000)
            let before = Self.clip(
                id: 1, at: Self.origin - 100_000, Self.index([2_000, 2_000], timescale: 1_000), audio)
            let to = Int64.random(in: 5_000...200_000, using: &generator)
            for kind in TrackKind.allCases {
                var last = ""
                for written in 0...count {
                    var (some, sound) = (video, audio)
                    some.entries = Array(video.entries.prefix(written))
                    sound.entries = Array(audio.entries.prefix(written))
                    let found = plan(
                        [before, Self.clip(id: 2, some, sound, isGrowing: true)], -100_000, to)
                    let body = self.body(text(found, kind, isFinished: false))
                    #expect(body.hasPrefix(last))
                    last = body
                }
                let whole = text(plan([before, Self.clip(id: 2, video, audio)], -100_000, to), kind)
                #expect(self.body(whole).hasPrefix(last))
            }
        }
    }

    /// A list without the lines that say whether it is finished, and how long its longest segment is.
    private func body(_ text: String) -> String {
        let moving = [
            "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-TARGETDURATION", "#EXT-X-PLAYLIST-TYPE", "#EXT-X-ENDLIST",
            "#EXT-X-START",
        ]
        return text.split(separator: "\n").filter { line in !moving.contains { line.hasPrefix($0) } }
            .map { $0 + "\n" }.joined()
    }

    @Test("no index and no time makes a plan trap, and no plan has bytes that the index does not name")
    func hostile() {
        var generator = SeededGenerator(seed: 5)
        let numbers: [UInt64] = [0, 1, 800, 1_000, 90_000, 1 << 31, 1 << 40, 1 << 62, .max / 2, .max]
        let times: [Int64] = [.min, -1, 0, Self.origin, Self.origin + 5_000, .max]
        // Half of the indexes are such as a writer makes: most of the others have a flaw, with which nothing is played.
        func random() -> FragmentIndex {
            let count = Int.random(in: 0...4, using: &generator)
            if Bool.random(using: &generator) {
                let lengths = (0..<count).map { _ in Int64.random(in: 0...3_000, using: &generator) }
                let pause = Int64.random(in: 0...4_000, using: &generator)
                return Self.index(
                    lengths, pauses: [Int.random(in: 0...3, using: &generator): pause], keys: { $0 % 2 == 0 },
                    timescale: [1_000, 16_000, 90_000].randomElement(using: &generator) ?? 1)
            }
            let entries = (0..<count).map { _ in
                FragmentIndex.Entry(
                    offset: numbers.randomElement(using: &generator) ?? 0,
                    size: numbers.randomElement(using: &generator) ?? 0,
                    decodeTime: numbers.randomElement(using: &generator) ?? 0,
                    durationTicks: numbers.randomElement(using: &generator) ?? 0, sampleCount: 1, startsWithKey: true)
            }
            return FragmentIndex(
                timescale: [1, 90_000, .max].randomElement(using: &generator) ?? 1,
                primingTicks: [0, 312, .max].randomElement(using: &generator) ?? 0, headerBytes: 800, entries: entries)
        }
        for _ in 0..<3_000 {
            let (index, other) = (random(), random())
            var plan = PlaybackPlan(
                fromMs: times.randomElement(using: &generator) ?? 0, toMs: times.randomElement(using: &generator) ?? 0)
            for id in 1...2 {
                plan.add(
                    Self.clip(
                        id: Int64(id), at: times.randomElement(using: &generator) ?? 0, index, other,
                        isGrowing: Bool.random(using: &generator)))
            }
            let traits = PlaybackTraits(plan, first: nil, frameRate: index.ratePerMille)
            _ = HLSPlaylist.variants(plan, traits, Self.links)
            _ = text(plan, .video, isFinished: false)
            _ = text(plan, .audio)
            _ = DASHManifest.manifest(
                plan, traits, continues: [false, true], isFinished: true, nowMs: 0, Self.links)
            for segment in plan.stretches.flatMap(\.tracks).flatMap(\.segments) {
                #expect(segment.bytes.lowerBound >= 800 && segment.bytes.upperBound <= Int64.max)
            }
        }
    }
}
