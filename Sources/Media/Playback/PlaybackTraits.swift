public import Machines

/// What a player wants to know of a time before it plays it: codecs, size and rates of all its clips.
public struct PlaybackTraits: Sendable {
    /// A rate in bits per second, of any segment and of all together.
    public struct Rate: Hashable, Sendable {
        /// The highest.
        public let peak: UInt64
        /// The mean.
        public let average: UInt64
    }

    /// The rates of the kinds of tracks that there are.
    public let bandwidth: [TrackKind: Rate]
    /// Whether decoding can begin with each segment.
    let allStartWithKey: Bool
    /// Pictures a second of the first stretch, in thousandths.
    public let frameRate: UInt64?
    /// Width of the picture, of the clip that is played first.
    public let width: Int?
    /// Height of the picture.
    public let height: Int?
    private let codecsByKind: [TrackKind: [String]]

    /// Of a plan; `first` is the configuration of the pictures that are played first, `rate` their number a second in thousandths.
    public init(_ plan: PlaybackPlan, first: CodecConfiguration?, frameRate: UInt64?) {
        var codecs: [TrackKind: [String]] = [:]
        var bandwidth: [TrackKind: Rate] = [:]
        for kind in TrackKind.allCases {
            let tracks = plan.tracks(kind).map(\.track)
            guard !tracks.isEmpty else { continue }
            for track in tracks where !track.codec.isEmpty && codecs[kind, default: []].count < 8 {
                if !codecs[kind, default: []].contains(track.codec) { codecs[kind, default: []].append(track.codec) }
            }
            var (peak, bytes, ms): (UInt64, UInt64, UInt64) = (1, 0, 0)
            for track in tracks {
                for segment in track.segments {
                    let size = segment.bytes.upperBound - segment.bytes.lowerBound
                    let length = UInt64(max(1, Ticks.rescale(segment.duration, from: track.timescale, to: 1_000)))
                    peak = max(peak, Self.bits(size, ms: length))
                    bytes &+= size
                    ms &+= length
                }
            }
            bandwidth[kind] = Rate(peak: peak, average: max(1, Self.bits(bytes, ms: ms)))
        }
        codecsByKind = codecs
        self.bandwidth = bandwidth
        self.frameRate = frameRate
        width = first?.width
        height = first?.height
        allStartWithKey = plan.startsWithKeys
    }

    /// The codecs of a kind, each once.
    public func codecs(_ kind: TrackKind) -> [String] { codecsByKind[kind] ?? [] }

    /// All codecs, pictures first.
    public var codecs: [String] { codecs(.video) + codecs(.audio) }

    /// Bits per second of so many bytes in so many milliseconds; a quarter of the most where that does not fit.
    package static func bits(_ bytes: UInt64, ms: UInt64) -> UInt64 {
        let (bits, overflow) = bytes.multipliedReportingOverflow(by: 8_000)
        return overflow ? .max / 4 : bits / max(1, ms)
    }
}

extension FragmentIndex {
    /// Samples a second, in thousandths; nil where there are none.
    public var ratePerMille: UInt64? {
        let samples = entries.reduce(UInt64(0)) { $0 &+ UInt64($1.sampleCount) }
        guard samples > 0, durationTicks > 0 else { return nil }
        let (scaled, overflow) = (samples * 1_000).multipliedReportingOverflow(by: UInt64(timescale))
        return overflow ? nil : (scaled + durationTicks / 2) / durationTicks
    }
}
