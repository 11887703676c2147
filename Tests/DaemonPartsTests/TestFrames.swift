import Machines

@testable import Media

/// Key frames of H.264 as an input hands them over, which clips can hold.
struct TestFrames {
    /// The track that they are of.
    static let track = StreamDescription(
        ordinal: 0, kind: .video, sourceCodec: "H264", parameters: nil, ignored: nil)

    /// Sequence parameter sets of 320 and of 640 columns, 240 rows, and the picture parameter set of both.
    private static let sequenceSets: [[UInt8]] = [
        [0x67, 0x42, 0xC0, 0x33, 0xDA, 0x05, 0x07, 0xE4], [0x67, 0x42, 0xC0, 0x33, 0xDA, 0x02, 0x81, 0xF9],
    ]
    private static let pictureSet: [UInt8] = [0x68, 0xC8, 0x38, 0x80]
    private static let unit: [UInt8] = [0x65, 0x88] + [UInt8](repeating: 9, count: 50)

    private var writer = SlabWriter(pool: SlabPool(slabBytes: 64 << 10, idleMax: 2), frameBytesMax: 1 << 20)
    private let configurations: [TrackConfiguration]
    private var made = 0
    private var coded = 0

    init() {
        configurations = Self.sequenceSets.enumerated().map { number, set in
            TrackConfiguration(
                id: UInt32(number),
                parameters: TrackParameters(
                    kind: .video, codec: .h264, parameterSets: [set, Self.pictureSet], timescale: 90_000))
        }
    }

    /// The next one, which came at `arrival`; nil where there is no memory for it. `isLike`: coded as the one before; else it needs
    /// a clip of its own.
    mutating func next(at arrival: Instant, isLike: Bool = false) -> Frame? {
        let bytes: [UInt8] = [0, 0, 0, UInt8(Self.unit.count)] + Self.unit
        guard bytes.withUnsafeBytes({ writer.append($0) }), let range = writer.finish() else { return nil }
        if !isLike { coded += 1 }
        defer { made += 1 }
        return Frame(
            track: 0, kind: .video, dts: Int64(made) * 900, pts: Int64(made) * 900, durationTicks: nil, isKey: true,
            isRecoveryPoint: false, isDamaged: false, arrival: arrival, wallClockMs: nil,
            configuration: configurations[coded % configurations.count], storage: range.slab, offset: range.offset,
            count: range.count, slack: range.slack)
    }
}
