import Machines
import Testing

@testable import Media

@Suite("What is decoded (H1)")
struct DecoderNeedTests {
    private func coded(_ sps: [UInt8]) throws -> CodecConfiguration {
        try CodecConfiguration(.h264, parameterSets: [0, 0, 0, 1] + sps + [0, 0, 0, 1] + TestParameterSets.pps())
    }

    @Test("Pictures as cameras send them are decoded, up to 4K")
    func usual() throws {
        for (columns, rows, references) in [(20, 15, 16), (120, 68, 4), (240, 135, 5)] {
            let coded = try coded(TestParameterSets.sps(columns: columns, rows: rows, references: references))
            #expect(DecoderNeed(coded)?.isAllowed == true, "\(columns)x\(rows)")
            #expect(VideoDecoder(coded, fast: true) != nil)
        }
    }

    @Test(
        "Pictures that would take more are not, also where they are cropped to nothing or many are kept",
        arguments: [
            TestParameterSets.sps(columns: 1_008, rows: 1_008),
            TestParameterSets.sps(columns: 1_008, rows: 1_008, crop: 16_000),
            TestParameterSets.sps(columns: 480, rows: 270, references: 16),
            TestParameterSets.sps(columns: 480, rows: 270, references: 16, crop: 2_000),
        ])
    func tooLarge(sps: [UInt8]) throws {
        let coded = try coded(sps)
        let need = try #require(DecoderNeed(coded))
        #expect(!need.isAllowed)
        #expect(VideoDecoder(coded, fast: false) == nil)
        let press = TrackConfiguration(
            id: 0,
            parameters: TrackParameters(
                kind: .video, codec: .h264, parameterSets: [sps, TestParameterSets.pps()], timescale: 90_000))
        var maker = FrameBuilder(pool: SlabPool())
        let frame = try #require(
            [UInt8](repeating: 0x65, count: 40).withUnsafeBytes {
                maker.frame(
                    track: 0, kind: .video, dts: 0, isKey: true, arrival: Instant(ms: 0), configuration: press,
                    bytes: $0)
            })
        #expect(throws: SnapshotError.tooLarge(need)) { try Snapshot(frames: [frame], at: 0) }
    }

    /// Pictures of one size, the first of which is a key frame.
    private func frames(_ maker: MediaMaker, _ size: String) throws -> [Frame] {
        let path = maker.path("\(size).mkv")
        try maker.run(
            "ffmpeg",
            [
                "-y", "-v", "error", "-f", "lavfi", "-i", "color=gray:s=\(size):r=10:d=0.3", "-c:v", "libx264",
                "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p", path,
            ])
        let sink = CollectingSink()
        Input(name: "file", source: .file(path: path, looped: false), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        return Array(sink.seen.frames.drop { !$0.isVideoStart })
    }

    @Test(
        "Pictures that become larger amid a stream than are decoded are refused before they are made; smaller ones go on"
    )
    func amid() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        // A column of macroblocks more than the largest picture.
        let (small, large) = (try frames(maker, "320x180"), try frames(maker, "8208x4320"))
        let usual = try #require(small.first?.configuration.coded)
        let huge = try #require(large.first?.configuration.coded)
        #expect(DecoderNeed(huge)?.isAllowed == false && small.count == 3 && large.count == 3)
        let decoder = try #require(VideoDecoder(usual, fast: false))
        var pictures = 0
        /// Decodes a frame, a key frame with its parameter sets before it, as cameras send it.
        func decode(_ frame: Frame) -> Bool {
            var bytes: [UInt8] = []
            if frame.isKey {
                for set in frame.configuration.parameters.parameterSets {
                    bytes += [0, 0, UInt8(set.count >> 8), UInt8(set.count & 255)] + set
                }
            }
            frame.withBytes { bytes += $0 }
            return bytes.withUnsafeBytes {
                decoder.decode($0, pts: frame.pts, isKey: frame.isKey) { _ in pictures += 1 }
            }
        }
        let decoded = [small, large, small].map { $0.map { decode($0) } }
        #expect(decoded == [[true, true, true], [false, false, false], [true, true, true]])
        decoder.drain { _ in pictures += 1 }
        #expect(pictures == 2 * small.count)
    }
}
