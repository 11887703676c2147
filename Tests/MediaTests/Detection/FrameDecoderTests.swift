import Foundation
import Machines
import Testing

@testable import Media

@Suite("Frames for other programs, decoded", .serialized)
struct FrameDecoderTests {
    /// Red, then blue, a second each, as a camera sends it.
    private func frames(_ decoder: MediaMaker, bFrames: Int) throws -> [Frame] {
        let path = decoder.path("in.mkv")
        let graph = "color=red:s=320x180:r=10:d=1[a];color=blue:s=320x180:r=10:d=1[b];[a][b]concat=n=2"
        let made = try decoder.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", graph, "-c:v", "libx264", "-bf", "\(bFrames)", "-g", "10",
                "-pix_fmt", "yuv420p", path,
            ])
        #expect(made.complaint.isEmpty)
        let sink = CollectingSink()
        Input(name: "file", source: .file(path: path, looped: false), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        return Array(sink.seen.frames.drop { !$0.isVideoStart })
    }

    /// The mean of each plane of a yuv420p frame.
    private func means(_ frame: DecodedFrame) -> [Double] {
        let pixels = frame.width * frame.height
        var rest = frame.bytes[...]
        return [pixels, pixels / 4, pixels / 4].map { count in
            let plane = rest.prefix(count)
            rest = rest.dropFirst(count)
            return Double(plane.reduce(0) { $0 + Int($1) }) / Double(count)
        }
    }

    @Test(
        "have the newest picture in the size and form that is asked for, with the times of its own frame",
        arguments: [0, 2])
    func made(_ bFrames: Int) throws {
        let media = try MediaMaker()
        defer { media.remove() }
        let frames = try frames(media, bFrames: bFrames)
        let budget = DecoderBudget(bytesMax: 64 << 20)
        let options = SnapshotOptions(widthMax: 160, heightMax: 2_160)
        let decoder = FrameDecoder(.yuv420p, options, budget: budget)
        var times: [Int64] = []
        // Five frames at a time, of which one is given.
        for begin in stride(from: 0, to: frames.count - 4, by: 5) {
            guard let made = try decoder.frame(after: Array(frames[begin..<begin + 5])) else { continue }
            #expect(made.width == 160 && made.height == 90 && made.bytes.count == 160 * 90 * 3 / 2)
            let own = try #require(
                frames.first {
                    Ticks.rescale($0.pts, from: UInt32(clamping: $0.configuration.parameters.timescale), to: 1_000_000)
                        == made.mediaUs
                })
            #expect(made.arrival == own.arrival)
            times.append(made.mediaUs)
            // Red and blue in video's range, within what coding loses.
            let isRed = own.pts - (frames.map(\.pts).min() ?? 0) < Int64(own.configuration.parameters.timescale)
            let wanted: [Double] = isRed ? [81, 90, 240] : [41, 240, 110]
            let seen = means(made)
            #expect(zip(seen, wanted).allSatisfy { abs($0 - $1) < 14 }, "\(made.mediaUs): \(seen)")
        }
        #expect(times.count >= 3 && times == times.sorted())

        let jpeg = try #require(
            try FrameDecoder(.jpeg, options, budget: budget).frame(after: Array(frames.prefix(5))))
        #expect(jpeg.bytes.starts(with: [0xFF, 0xD8]) && jpeg.width == 160)
    }

    @Test("share a budget: a decoder that does not fit is not opened, and fits when another one has gone")
    func budget() throws {
        let media = try MediaMaker()
        defer { media.remove() }
        let frames = Array(try frames(media, bFrames: 0).prefix(3))
        let coded = try #require(frames.first?.configuration.coded)
        let need = try #require(DecoderNeed(coded)).bytes
        let options = SnapshotOptions(widthMax: 64, heightMax: 64)
        // One decoder with its frames, and not two.
        let budget = DecoderBudget(bytesMax: need + 3 * 64 * 64 * 3 / 2)
        var first: FrameDecoder? = FrameDecoder(.yuv420p, options, budget: budget)
        let second = FrameDecoder(.yuv420p, options, budget: budget)
        #expect(try first?.frame(after: frames) != nil)
        #expect(throws: FrameDecoderError.budget) { try second.frame(after: frames) }
        let small = DecoderBudget(bytesMax: need - 1)
        #expect(throws: FrameDecoderError.budget) {
            try FrameDecoder(.jpeg, options, budget: small).frame(after: frames)
        }
        first?.reset()
        #expect(try second.frame(after: frames) != nil)
        second.reset()
        // It goes with its last reference, too.
        #expect(try first?.frame(after: frames) != nil)
        #expect(throws: FrameDecoderError.budget) { try second.frame(after: frames) }
        first = nil
        #expect(try second.frame(after: frames) != nil)
        // What did not fit has taken nothing.
        #expect(small.take(need - 1) != nil && small.take(need) == nil)
    }

    @Test("begin with a key frame, and again after everything was forgotten; what cannot be decoded gives none")
    func begin() throws {
        let media = try MediaMaker()
        defer { media.remove() }
        let frames = try frames(media, bFrames: 0)
        let decoder = FrameDecoder(
            .yuv420p, SnapshotOptions(widthMax: 64, heightMax: 64),
            budget: DecoderBudget(bytesMax: 64 << 20))
        #expect(try decoder.frame(after: Array(frames[1..<4])) == nil)
        #expect(try decoder.frame(after: Array(frames[0..<2])) != nil)
        decoder.reset()
        #expect(try decoder.frame(after: Array(frames[2..<5])) == nil)
        let key = try #require(frames.dropFirst().firstIndex { $0.opensClip })
        #expect(try decoder.frame(after: Array(frames[key...key + 1])) != nil)
        #expect(try decoder.frame(after: []) == nil)
    }
}
