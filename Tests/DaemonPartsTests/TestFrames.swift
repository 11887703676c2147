import Machines

@testable import Media

/// Key frames of H.264 as an input hands them over, which clips can hold.
struct TestFrames {
    /// The size of the pictures; those of another one need a clip of their own.
    enum Size: Int, CaseIterable {
        /// 320 by 240 pixels.
        case small
        /// 640 by 240 pixels.
        case wide
        /// 16,128 by 16,128 pixels, which nobody decodes.
        case huge

        /// The sequence parameter set.
        fileprivate var sequenceSet: [UInt8] {
            let rest: [UInt8] =
                switch self {
                case .small: [0x05, 0x07, 0xE4]
                case .wide: [0x02, 0x81, 0xF9]
                case .huge: [0x00, 0x3F, 0x00, 0x07, 0xE1, 0x90]
                }
            return [0x67, 0x42, 0xC0, 0x33, 0xDA] + rest
        }
    }

    struct NoMemory: Error {}

    /// The track that they are of.
    static let track = StreamDescription(
        ordinal: 0, kind: .video, sourceCodec: "H264", parameters: nil, ignored: nil)

    private static let pictureSet: [UInt8] = [0x68, 0xC8, 0x38, 0x80]
    private static let unit: [UInt8] = [0x65, 0x88] + [UInt8](repeating: 9, count: 50)

    private var writer = SlabWriter(pool: SlabPool(slabBytes: 64 << 10, idleMax: 2), frameBytesMax: 1 << 20)
    private let configurations: [TrackConfiguration]
    private var made: Int64 = 0

    init() {
        configurations = Size.allCases.map { size in
            TrackConfiguration(
                id: UInt32(size.rawValue),
                parameters: TrackParameters(
                    kind: .video, codec: .h264, parameterSets: [size.sequenceSet, Self.pictureSet], timescale: 90_000))
        }
    }

    /// The next one, which came at `arrival`.
    mutating func next(at arrival: Instant, _ size: Size = .small, isKey: Bool = true) throws -> Frame {
        let bytes: [UInt8] = [0, 0, 0, UInt8(Self.unit.count)] + Self.unit
        guard bytes.withUnsafeBytes({ writer.append($0) }), let range = writer.finish() else {
            throw NoMemory()
        }
        defer { made += 1 }
        return Frame(
            track: 0, kind: .video, dts: made * 900, pts: made * 900, durationTicks: nil, isKey: isKey,
            isRecoveryPoint: false, isDamaged: false, arrival: arrival, wallClockMs: nil,
            configuration: configurations[size.rawValue], storage: range.slab, offset: range.offset,
            count: range.count, slack: range.slack)
    }
}
