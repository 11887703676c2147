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
}
