import Machines
import RandomSource
import Testing

@testable import Media

@Suite("The timeline of a dial")
struct TimelineTests {
    private func video(reorders: Bool = false) -> Timeline {
        var timeline = Timeline(clocks: [.init(kind: .video, timescale: 90_000)])
        timeline.setReorders(reorders, track: 0)
        return timeline
    }

    /// Runs stamps of 25 frames a second through a timeline; gives the times in ms and the repairs.
    private func run(
        _ timeline: inout Timeline, frames: Range<Int64>, arrivalShiftMs: Int64 = 0, stamp: (Int64) -> Int64?
    ) -> (times: [Int64], repairs: [RepairKind]) {
        var times: [Int64] = []
        var repairs: [RepairKind] = []
        for index in frames {
            let place = timeline.place(
                track: 0, raw: stamp(index).map { $0 & 0xFFFF_FFFF },
                arrival: Instant(ms: 1_000 + index * 40 + arrivalShiftMs))
            times.append(place.pts)
            if let kind = place.repaired { repairs.append(kind) }
        }
        return (times, repairs)
    }

    @Test("believes a camera that counts right, over the wrap of its clock too")
    func wrap() {
        var timeline = video()
        let (times, repairs) = run(&timeline, frames: 0..<500) { 0xFFFF_0000 + $0 * 3_600 }
        #expect(times == (0..<500).map { $0 * 3_600 })
        #expect(repairs.isEmpty)
    }

    @Test("repairs a jump by going on with what has passed in arrival", arguments: [3_600_000_0, -900_000, 5_400_000])
    func jump(ticks: Int64) {
        var timeline = video()
        let (times, repairs) = run(&timeline, frames: 0..<200) { 1_000_000_000 + $0 * 3_600 + ($0 >= 100 ? ticks : 0) }
        #expect(times == (0..<200).map { $0 * 3_600 })
        #expect(repairs == [ticks > 0 ? .forward : .backward])
    }

    @Test("keeps a true gap: as much time has passed in arrival as the camera says")
    func gap() {
        var timeline = video()
        _ = run(&timeline, frames: 0..<50) { $0 * 3_600 }
        let (times, repairs) = run(&timeline, frames: 50..<60, arrivalShiftMs: 8_000) { $0 * 3_600 + 720_000 }
        #expect(times[0] == 50 * 3_600 + 720_000)
        #expect(repairs.isEmpty)
    }

    @Test("keeps what a stalled network delivers late, and the frames that the camera then dropped stay a gap")
    func stall() {
        var timeline = video()
        _ = run(&timeline, frames: 0..<50) { $0 * 3_600 }
        // Four seconds late, in one burst: the stamps are still right.
        for index in Int64(50)..<75 {
            let place = timeline.place(track: 0, raw: index * 3_600, arrival: Instant(ms: 1_000 + 50 * 40 + 4_000))
            #expect(place.pts == index * 3_600)
            #expect(place.repaired == nil)
        }
        // The camera dropped three seconds and is up to date again.
        let place = timeline.place(track: 0, raw: 150 * 3_600, arrival: Instant(ms: 1_000 + 150 * 40 + 10))
        #expect(place.pts == 150 * 3_600)
        #expect(place.repaired == nil)
    }

    @Test("puts repeated stamps between their neighbours")
    func repeated() {
        var timeline = video()
        let (times, repairs) = run(&timeline, frames: 0..<100) { ($0 == 50 ? 49 : $0) * 3_600 }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(times[51] == 51 * 3_600)
        #expect(repairs == [.repeated])
    }

    @Test(
        "follows arrival when the clock stands still, or runs at a wrong rate, and believes it again when it runs right"
    )
    func lies() {
        var frozen = video()
        let (times, repairs) = run(&frozen, frames: 0..<500) { _ in 77 }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(abs(times[499] - 499 * 3_600) < 90_000)
        #expect(repairs.count == 499)

        var fast = video()
        let lie = run(&fast, frames: 0..<1_500) { $0 * 9_000 }
        #expect(zip(lie.times, lie.times.dropFirst()).allSatisfy { $0 < $1 })
        // From the verdict on a second lasts a second.
        #expect(abs(lie.times[1_499] - lie.times[1_249] - 250 * 3_600) < 9_000)
        #expect(lie.repairs.contains(.rate))
        let truth = run(&fast, frames: 1_500..<2_500) { 1_500 * 9_000 + ($0 - 1_500) * 3_600 }
        #expect(zip(truth.times, truth.times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(truth.repairs.count < 600)
        #expect(truth.times[999] - truth.times[998] == 3_600)
    }

    @Test("gives a time to frames that have none")
    func missing() {
        var timeline = video()
        let (times, repairs) = run(&timeline, frames: 0..<20) { $0 % 5 == 4 ? nil : $0 * 3_600 }
        #expect(times == (0..<20).map { $0 * 3_600 })
        #expect(repairs == [.missing, .missing, .missing, .missing])
    }

    @Test("leaves reordered frames alone")
    func reordered() {
        var timeline = video(reorders: true)
        let order: [Int64] = [0, 4, 2, 1, 3, 8, 6, 5, 7]
        for (index, number) in order.enumerated() {
            let place = timeline.place(track: 0, raw: number * 3_600, arrival: Instant(ms: Int64(index) * 40))
            #expect(place.pts == number * 3_600)
            #expect(place.repaired == nil)
        }
    }

    @Test("moves both tracks by the same amount when both jump")
    func together() {
        var timeline = Timeline(clocks: [
            .init(kind: .video, timescale: 90_000), .init(kind: .audio, timescale: 8_000),
        ])
        timeline.setReorders(false, track: 0)
        var last: (video: Int64, audio: Int64) = (0, 0)
        for index in Int64(0)..<400 {
            let jumpMs: Int64 = index >= 200 ? 3_600_123 : 0
            let now = Instant(ms: index * 20 + (index % 3) * 7)
            let stampMs = index * 20 + jumpMs
            if index % 2 == 0 { last.video = timeline.place(track: 0, raw: stampMs * 90, arrival: now).pts }
            last.audio = timeline.place(track: 1, raw: stampMs * 8, arrival: now, durationTicks: 160).pts
        }
        // Video of frame 398, audio of frame 399: 20 ms apart, as before the jump.
        #expect(abs(last.audio * 1_000 / 8_000 - last.video * 1_000 / 90_000 - 20) <= 1)
    }

    @Test("aligns audio with video by sender reports, and ignores a report that lies")
    func reports() {
        var timeline = Timeline(clocks: [
            .init(kind: .video, timescale: 90_000), .init(kind: .audio, timescale: 48_000),
        ])
        _ = timeline.place(track: 0, raw: 0, arrival: Instant(ms: 0))
        _ = timeline.place(track: 1, raw: 500_000, arrival: Instant(ms: 0), durationTicks: 1_024)
        #expect(timeline.report(track: 0, raw: 90_000, wallUs: 1_700_000_001_000_000) == nil)
        // Audio's stamp 500 000 was taken 300 ms before video's stamp 0.
        let repair = timeline.report(track: 1, raw: 500_000, wallUs: 1_699_999_999_700_000)
        #expect(repair == Repair(kind: .aligned, shiftMs: -300))
        let place = timeline.place(track: 1, raw: 500_000 + 480_000, arrival: Instant(ms: 10_000), durationTicks: 1_024)
        #expect(place.pts == 480_000 - 14_400)
        #expect(place.wallClockMs == 1_700_000_009_700)
        #expect(timeline.report(track: 1, raw: 980_000, wallUs: 0) == nil)
    }

    @Test("places tracks of one file by their stamps, not by when they were read")
    func shared() {
        var timeline = Timeline(clocks: [
            .init(kind: .video, timescale: 90_000, bits: 64), .init(kind: .audio, timescale: 16_000, bits: 64),
        ])
        timeline.setZero(0, track: 0)
        timeline.setZero(0, track: 1)
        #expect(timeline.place(track: 0, raw: 7_200, arrival: Instant(ms: 5_000)).pts == 0)
        #expect(timeline.place(track: 1, raw: 0, arrival: Instant(ms: 5_080), durationTicks: 1_024).pts == -1_280)
    }

    @Test("is strictly increasing, or at least defined, for any nonsense", arguments: 0..<50)
    func nonsense(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var timeline = Timeline(clocks: [
            .init(kind: .video, timescale: 90_000, bits: seed % 2 == 0 ? 32 : 64),
            .init(kind: .audio, timescale: 8_000),
        ])
        timeline.setReorders(false, track: 0)
        var now: Int64 = 0
        var last: [Int: Int64] = [:]
        for _ in 0..<2_000 {
            now += Int64(random.next() % 100)
            let track = Int(random.next() % 2)
            let raw: Int64? =
                switch random.next() % 8 {
                case 0: Int64(bitPattern: random.next())
                case 1: nil
                case 2: Int64.max
                case 3: Int64.min
                default: now * (track == 0 ? 90 : 8)
                }
            let pts = timeline.place(track: track, raw: raw, arrival: Instant(ms: now), durationTicks: 160).pts
            if let before = last[track] { #expect(pts > before) }
            last[track] = pts
            if random.next() % 50 == 0 {
                _ = timeline.report(
                    track: track, raw: Int64(random.next() >> 32), wallUs: Int64(bitPattern: random.next()))
            }
        }
    }
}

@Suite("Reports of repairs")
struct RepairLogTests {
    @Test("tell a burst once, when it is over or has lasted a minute")
    func bursts() {
        var log = RepairLog()
        for ms in stride(from: Int64(0), through: 1_000, by: 100) {
            log.note(Repair(kind: .repeated, shiftMs: ms == 500 ? -9 : 1), track: 0, at: Instant(ms: ms))
            #expect(log.due(at: Instant(ms: ms)).isEmpty)
        }
        let reports = log.due(at: Instant(ms: 3_000))
        #expect(reports.map(\.count) == [11])
        #expect(reports.first?.largestShiftMs == -9)
        #expect(log.due(at: Instant(ms: 9_000), isEnd: true).isEmpty)
        var told = 0
        for ms in stride(from: Int64(0), through: 180_000, by: 1_000) {
            log.note(Repair(kind: .rate, shiftMs: 0), track: 1, at: Instant(ms: ms))
            told += log.due(at: Instant(ms: ms)).count
        }
        #expect(told == 2)
    }
}
