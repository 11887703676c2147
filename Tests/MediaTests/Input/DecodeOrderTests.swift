import RandomSource
import Testing

@testable import Media

@Suite("Decoding times")
struct DecodeOrderTests {
    private func order(_ times: [Int64], depth: Int?) -> [(pts: Int64, dts: Int64, isSqueezed: Bool)] {
        var order = DecodeOrder<Int>(depth: depth, timescale: 90_000)
        var frames: [(pts: Int64, dts: Int64, isSqueezed: Bool)] = []
        var numbers: [Int] = []
        for (index, pts) in times.enumerated() {
            order.push(index, pts: pts) {
                numbers.append($0)
                frames.append(($1, $2, $3))
            }
        }
        order.flush {
            numbers.append($0)
            frames.append(($1, $2, $3))
        }
        #expect(numbers == Array(times.indices))
        return frames
    }

    @Test("are those that the encoder gave, but for a constant", arguments: [0, 1, 2, 3, 4], [true, false])
    func encoder(bFrames: Int, isKnown: Bool) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let pyramid = bFrames >= 2 ? "normal" : "none"
        let file = try maker.make(
            "b.mp4", seconds: 4,
            video: [
                "-c:v", "libx264", "-preset", "veryfast", "-x264-params",
                "bframes=\(bFrames):b-adapt=0:b-pyramid=\(pyramid):keyint=30:scenecut=0", "-video_track_timescale",
                "90000",
            ])
        let packets = try maker.packets(file, "v")
        #expect(packets.count == 100)
        let depth = DecodeOrder<Int>.reordering(packets.map(\.pts))
        #expect(depth == [0, 1, 1, 2, 2][bFrames])
        let frames = order(packets.map(\.pts), depth: isKnown ? depth : nil)
        try #require(frames.count == packets.count)
        #expect(frames.map(\.pts) == packets.map(\.pts))
        #expect(frames.filter(\.isSqueezed).isEmpty)
        let offsets = Set(zip(frames, packets).map { $0.dts - $1.dts })
        #expect(offsets.count == 1)
    }

    @Test("are strictly increasing and never after the presentation, also when frames are lost", arguments: 0..<60)
    func losses(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let pattern: [Int64] = [[0], [0, 2, 1], [0, 4, 2, 1, 3], [0, 8, 4, 2, 1, 3, 6, 5, 7]][seed % 4]
        let span = Int64(max(1, pattern.count - 1))
        var times: [Int64] = [0]
        for group in Int64(0)..<60 {
            for number in pattern.dropFirst() + (pattern.count == 1 ? [1] : [])
            where random.next() % 6 != 0 { times.append((group * span + number) * 3_600) }
        }
        let depth = DecodeOrder<Int>.reordering(times)
        for frames in [order(times, depth: depth), order(times, depth: nil)] {
            #expect(frames.count == times.count)
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.dts < $1.dts })
            #expect(frames.allSatisfy { $0.dts <= $0.pts })
        }
    }

    @Test("survive a stream that begins to reorder late: a few frames are squeezed, then all is well")
    func late() {
        var times = (0..<100).map { Int64($0) * 3_600 }
        for group in Int64(0)..<40 {
            for number: Int64 in [4, 2, 1, 3] { times.append((99 + group * 4 + number) * 3_600) }
        }
        let frames = order(times, depth: nil)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.dts < $1.dts })
        #expect(frames.allSatisfy { $0.dts <= $0.pts })
        #expect(frames.filter(\.isSqueezed).count <= 4)
        #expect(frames.suffix(120).map(\.pts) == Array(times.suffix(120)))
    }

    @Test("wait for no more frames than the depth asks for")
    func delay() {
        var order = DecodeOrder<Int>(depth: 0, timescale: 90_000)
        var count = 0
        order.push(0, pts: 5) { _, _, _, _ in count += 1 }
        #expect(count == 1)
        var deep = DecodeOrder<Int>(depth: 2, timescale: 90_000)
        for (index, pts) in [Int64(0), 14_400, 7_200, 3_600, 10_800, 28_800].enumerated() {
            deep.push(index, pts: pts) { _, _, _, _ in count += 1 }
            #expect(count == (index < 4 ? 1 : index + 2))
        }
    }
}
