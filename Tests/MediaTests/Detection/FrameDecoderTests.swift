import Foundation
import Machines
import Testing

@testable import Media

@Suite("Frames for other programs, decoded", .serialized)
struct FrameDecoderTests {
    /// Red, then blue, a second each, as a camera sends it.
    private func frames(
        _ decoder: MediaMaker, bFrames: Int,
        graph: String = "color=red:s=320x180:r=10:d=1[a];color=blue:s=320x180:r=10:d=1[b];[a][b]concat=n=2",
        rotation: PictureRotation = .none
    ) throws -> [Frame] {
        let path = decoder.path("in.mkv")
        let made = try decoder.run(
            "ffmpeg",
            [
                "-y", "-v", "error", "-f", "lavfi", "-i", graph, "-c:v", "libx264", "-bf", "\(bFrames)", "-g", "10",
                "-pix_fmt", "yuv420p", path,
            ])
        #expect(made.complaint.isEmpty)
        let sink = CollectingSink(rotation: rotation)
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

    /// Four quarters: black and red above, blue and white below.
    private static let quarters = """
        color=black:s=160x90:r=10:d=1[a];color=red:s=160x90:r=10:d=1[b];color=blue:s=160x90:r=10:d=1[c];\
        color=white:s=160x90:r=10:d=1[d];[a][b]hstack[e];[c][d]hstack[f];[e][f]vstack
        """

    @Test("show the part that is asked for, as it is seen: of a turned picture that of the turned one")
    func viewport() throws {
        let media = try MediaMaker()
        defer { media.remove() }
        let options = SnapshotOptions(widthMax: 640, heightMax: 2_160)
        // The brightness of black, red, blue and white.
        let (black, red, blue, white) = (16.0, 81.0, 41.0, 235.0)
        func corner(_ right: Int, _ bottom: Int) -> PictureViewport {
            PictureViewport(left: right - 4_000, top: bottom - 4_000, right: right, bottom: bottom)
        }
        let quarters: [(PictureViewport, upright: Double, turned: Double)] = [
            (corner(4_500, 4_500), black, white), (corner(9_500, 4_500), red, blue),
            (corner(4_500, 9_500), blue, red), (corner(9_500, 9_500), white, black),
        ]
        for rotation in PictureRotation.allCases {
            let frames = try frames(media, bFrames: 0, graph: Self.quarters, rotation: rotation)
            let decoder = FrameDecoder(.yuv420p, options, budget: DecoderBudget(bytesMax: 64 << 20))
            for (viewport, upright, turned) in quarters {
                decoder.reset()
                let made = try #require(try decoder.frame(after: Array(frames.prefix(3)), viewport: viewport))
                #expect(made.width == 128 && made.height == 72 && made.bytes.count == 128 * 72 * 3 / 2)
                let wanted = rotation == .half ? turned : upright
                #expect(abs(means(made)[0] - wanted) < 8, "\(rotation) \(viewport): \(means(made))")
                // A picture by itself shows the same.
                var still = options
                still.viewport = viewport
                let jpeg = try Snapshot(frames: Array(frames.prefix(1)), at: 0, options: still).jpeg
                try Data(jpeg).write(to: URL(fileURLWithPath: media.path("still.jpg")))
                let gray = try media.run(
                    "ffmpeg",
                    [
                        "-v", "error", "-y", "-i", media.path("still.jpg"), "-f", "rawvideo", "-pix_fmt", "gray",
                        media.path("still.gray"),
                    ])
                #expect(gray.complaint.isEmpty)
                let pixels = try Data(contentsOf: URL(fileURLWithPath: media.path("still.gray")))
                #expect(pixels.count == 128 * 72)
                let level = Double(pixels.reduce(0) { $0 + Int($1) }) / Double(max(1, pixels.count))
                #expect(abs(level - (wanted - 16) * 255 / 219) < 10, "\(rotation) \(viewport): \(level)")
            }
            // The whole picture is as it was; the next frame may show another part.
            decoder.reset()
            let whole = try #require(try decoder.frame(after: Array(frames.prefix(2))))
            #expect(whole.width == 320 && whole.height == 180)
            let next = try #require(try decoder.frame(after: Array(frames[2..<4]), viewport: quarters[0].0))
            #expect(next.width == 128 && abs(means(next)[0] - (rotation == .half ? white : black)) < 8)
        }
    }

    @Test("A part lies in every picture, with even edges, and is never empty")
    func regions() {
        for size in [(1, 1), (2, 2), (3, 5), (16, 16), (641, 359), (1_920, 1_080), (3_840, 2_160)] {
            for edges in [
                (0, 0, 1_000, 1_000), (9_000, 9_000, 10_000, 10_000), (1_234, 777, 6_235, 5_800),
                (0, 0, 10_000, 10_000),
                (-5, .min, .max, 20_000), (7, 7, 7, 7), (5, 9, 3, 1),
            ] {
                let viewport = PictureViewport(left: edges.0, top: edges.1, right: edges.2, bottom: edges.3)
                for rotation in PictureRotation.allCases {
                    let region = viewport.pixels(width: size.0, height: size.1, rotation: rotation)
                    #expect(region.x >= 0 && region.y >= 0 && region.width > 0 && region.height > 0)
                    #expect(region.x + region.width <= size.0 && region.y + region.height <= size.1)
                    #expect(region.x % 2 == 0 && region.y % 2 == 0)
                }
            }
        }
        let whole = PictureViewport.whole.pixels(width: 641, height: 359, rotation: .half)
        #expect(whole == PictureViewport.Region(x: 0, y: 0, width: 641, height: 359))
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
