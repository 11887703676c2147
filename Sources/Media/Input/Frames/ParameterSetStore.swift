/// The parameter sets of a video track that are in force, by kind and number. A new set with the number of an old one
/// replaces it. It holds only what a clip can hold: the writer's own parser reads each.
struct ParameterSetStore {
    /// What became of a NAL unit.
    enum Taken {
        /// It changes what is in force.
        case changed
        /// It is in force already, or no parameter set.
        case known
        /// No clip can hold it.
        case refused
    }

    /// No stream needs more; what comes beyond is refused, so that a hostile one cannot grow without bound.
    static let setsMax = 64
    /// So many changes are taken in one access unit: each costs a look at all sets, and a unit may hold a million.
    static let changesMax = 64
    /// A larger set is refused.
    static let setBytesMax = 4096
    /// The most refusals that wait to be told.
    private static let refusalsMax = 8

    private let codec: VideoCodec
    private var sets: [ParameterSetName: [UInt8]] = [:]
    /// What the writer makes of them; nil until a decoder could begin: an SPS and a PPS, and for H.265 a VPS, are there.
    private(set) var configuration: CodecConfiguration?
    /// Why units were refused, until somebody takes it.
    private(set) var refusals: [BitstreamError] = []

    init(codec: TrackCodec) { self.codec = codec == .h265 ? .h265 : .h264 }

    /// All sets: VPS, then SPS, then PPS, each by number.
    var all: [[UInt8]] { sets.sorted { $0.key < $1.key }.map(\.value) }

    /// Takes a NAL unit. `changes`: how many it has taken of the same access unit.
    mutating func take(_ nal: UnsafeRawBufferPointer, changes: Int = 0) -> Taken {
        let isKnown = sets.values.contains { set in
            set.count == nal.count && set.withUnsafeBytes { $0.elementsEqual(nal) }
        }
        guard !isKnown else { return .known }
        do throws(BitstreamError) {
            guard let name = try ParameterSetName(nal: nal, codec: codec) else { return .known }
            guard nal.count <= Self.setBytesMax else {
                throw BitstreamError("parameter set", .outOfRange(field: "length", value: Int64(nal.count)))
            }
            guard sets[name] != nil || sets.count < Self.setsMax else {
                throw BitstreamError("parameter set", .outOfRange(field: "number of sets", value: Int64(sets.count)))
            }
            guard changes < Self.changesMax else {
                throw BitstreamError("parameter set", .outOfRange(field: "changes in one frame", value: Int64(changes)))
            }
            sets[name] = [UInt8](nal)
            configuration = try? CodecConfiguration(codec, parameterSets: all.flatMap { [0, 0, 0, 1] + $0 })
            return .changed
        } catch {
            if refusals.count < Self.refusalsMax { refusals.append(error) }
            return .refused
        }
    }

    /// Hands out why units were refused.
    mutating func takeRefusals() -> [BitstreamError] {
        defer { refusals = [] }
        return refusals
    }
}
