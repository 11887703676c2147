import CLibav
import Foundation
import Machines
import RandomSource
import Testing

@testable import Media

/// Clocks of cameras and files that say anything (H8). A trap ends the process, and with it the test.
@Suite("Foreign clocks")
struct ForeignClockTests {
    private static let extremes: [Int64] = [
        .min, .min + 1, -(1 << 62), -(1 << 52), -1, 0, 1, 1 << 31, 1 << 32, 1 << 52, 1 << 62, .max - 1, .max,
    ]

    @Test("A timeline places whatever its clocks say, however long it is said (H8)", arguments: [32, 64])
    func timeline(bits: Int) {
        var random = SeededGenerator(seed: 11)
        for scale: Int32 in [1, 7, 8_000, 90_000, 1_000_000] {
            var timeline = Timeline(clocks: [
                .init(kind: .video, timescale: scale, bits: bits), .init(kind: .audio, timescale: scale, bits: bits),
            ])
            timeline.setZero(.min, track: 0)
            timeline.setZero(.max, track: 1)
            var last = [Int64.min, Int64.min]
            for step in 0..<6_000 {
                let track = Int(random.next() % 2)
                let pick = { (random: inout SeededGenerator) in
                    Self.extremes[Int(random.next() % UInt64(Self.extremes.count))] &+ Int64(random.next() % 3)
                }
                if step % 50 == 0 { _ = timeline.report(track: track, raw: pick(&random), wallUs: pick(&random)) }
                let place = timeline.place(
                    track: track, raw: step % 7 == 0 ? nil : pick(&random), arrival: Instant(ms: pick(&random)),
                    durationTicks: step % 3 == 0 ? pick(&random) : nil)
                last[track] = max(last[track], place.pts)
            }
            #expect(last.allSatisfy { $0 < 1 << 60 })
        }
    }

    @Test("A clock of one tick a second that runs ahead for hours has a wall clock all the while (H8)")
    func slowClock() {
        var timeline = Timeline(clocks: [.init(kind: .video, timescale: 1)])
        _ = timeline.place(track: 0, raw: 0, arrival: Instant(ms: 0))
        _ = timeline.report(track: 0, raw: 0, wallUs: .max)
        for step in 1..<10_000 {
            let raw = Int64(step) &* Int64(Int32.max)
            #expect(timeline.place(track: 0, raw: raw, arrival: Instant(ms: Int64(step) * 40)).wallClockMs != nil)
        }
    }

    @Test("A file's clock gives a time that can be computed with, or none (H8)")
    func fileClock() throws {
        for (num, den): (Int32, Int32) in [(1, 90_000), (1, 1), (.max, 1), (1, .max), (.max, .max)] {
            let clock = try #require(FileClock(AVRational(num: num, den: den)))
            for time in Self.extremes {
                let us = clock.us(time)
                #expect(us.map { $0.magnitude <= UInt64(FileClock.usMax) } ?? true)
                for scale: Int32 in [1, 90_000, .max] {
                    let moved = clock.time(time, movedByUs: FileClock.usMax, scale: scale)
                    #expect((moved == nil) == (us == nil) && (moved ?? 0).magnitude <= 1 << 62)
                    #expect(clock.duration(time, scale: scale) ?? 0 >= 0)
                }
                #expect(clock.durationUs(time) >= 0)
            }
            #expect(clock.ticks(us: 40_000) >= 1)
        }
        #expect(FileClock(AVRational(num: 0, den: 1)) == nil && FileClock(AVRational(num: 1, den: 0)) == nil)
        #expect(FileClock(AVRational(num: -1, den: 1)) == nil)
    }

    @Test("What is no regular file is refused as a camera, without waiting for it (H5)")
    func strangeFile() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        try #require(mkfifo(maker.path("pipe.mp4"), 0o600) == 0)
        for path in [maker.path("pipe.mp4"), maker.folder.path, "/dev/zero"] {
            let sink = CollectingSink()
            let input = Input(name: "file", source: .file(path: path, looped: true), pool: SlabPool(), sink: sink)
            input.start()
            #expect(sink.wait { !$0.ends.isEmpty })
            #expect(sink.seen.ends == [.failed(.unsupported, detail: "what is at the path is no regular file")])
        }
    }
}
