public import Machines

/// Turns the frames of one dial into CMAF fragments, for a file or for a live viewer: a header for each track, then fragments
/// with times on one line for all tracks. It knows no file and decides nothing: its caller says where fragments end.
///
///     append(frame)* ──► sort() ──► cut(track) for each track ──► fragments
///
/// Zero of the line is the earliest presentation among the first frames that were sorted, or so much before it as its maker
/// was told. A value: a copy can be given up.
public struct FragmentMaker: Sendable {
    /// One track of what is made.
    public struct Track: Sendable {
        /// Its ordinal in the dial.
        public let ordinal: Int
        /// What it carries.
        public let kind: TrackKind
        /// What comes before its fragments; `encoded()` is an initialisation segment.
        public let header: TrackHeader
        /// As its frames tell it.
        public let configuration: TrackConfiguration
        /// Presentation minus decode time of the first frame: decode times are moved by it, so that the first frame is
        /// presented at its decode time and no edit list is needed.
        let delay: Int64
        fileprivate(set) var pending: [Frame] = []
        /// Duration of the last frame, in ticks, for a frame whose successor never comes.
        fileprivate var lastDuration: Int64
        /// Fragments cut so far.
        fileprivate var cuts: UInt32 = 0

        /// RFC 6381 codec string.
        public var codec: String { header.configuration.codec }
    }

    /// A fragment with its samples' bytes, which are those of the frames.
    public struct Cut: Sendable {
        /// Ordinal of its track.
        public let track: Int
        /// Its times and samples.
        public let fragment: Fragment
        /// Its number in its track, from 1.
        public let sequence: UInt32
        let frames: [Frame]

        /// Everything before the samples: `moof` and the head of `mdat`, with `prft` where the wall time is known.
        public var head: [UInt8] { fragment.encodedHeader(sequence: sequence) }

        /// Calls `body` with the samples' bytes, cut anyhow; they must not be used after it returns.
        func withData<Result, Failure: Error>(
            _ body: ([UnsafeRawBufferPointer]) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            defer { withExtendedLifetime(frames) {} }
            return try body(Frame.gather(frames))
        }

        /// The whole fragment in one piece.
        public var bytes: [UInt8] { bytes(behind: head) }

        /// The same as part of a movie of several tracks: its track has another number there, and so has the fragment. `arrival`
        /// is when its first frame came.
        func bytes(track: UInt32, sequence: UInt32, arrival: WallClock) -> [UInt8] {
            bytes(behind: fragment.encodedHeader(sequence: sequence, track: track, arrival: arrival))
        }

        private func bytes(behind head: [UInt8]) -> [UInt8] {
            var bytes = head
            bytes.reserveCapacity(bytes.count + Int(clamping: fragment.dataBytes))
            withData { for part in $0 { bytes.append(contentsOf: part) } }
            return bytes
        }
    }

    /// The tracks so far, by ordinal.
    public private(set) var tracks: [Int: Track] = [:]
    /// Zero of the time line, in microseconds of the dial's.
    private var origin: Int64?
    private var waiting: [Frame] = []

    /// How much before the earliest presentation of the first frames zero is, in microseconds.
    private let leadUs: Int64

    /// A maker that has seen no frame. `leadMs`: how many milliseconds zero lies before the first frames' presentation. Who
    /// sorts frame by frame needs some: sound that comes after a picture may have to be heard before it.
    public init(leadMs: Int64 = 0) { leadUs = leadMs &* 1_000 }

    /// Frames that were taken and not cut.
    public var waitingCount: Int { waiting.count + tracks.values.reduce(0) { $0 + $1.pending.count } }

    /// Whether a track holds frames back, after all have been cut.
    public var holdsBack: Bool { tracks.values.contains { !$0.pending.isEmpty } }

    /// What the track of this ordinal is coded as; nil where there is none.
    public func configuration(of track: Int) -> TrackConfiguration? {
        tracks[track]?.configuration ?? waiting.first { $0.track == track }?.configuration
    }

    /// Whether there is a track of sound.
    public var hasSound: Bool { tracks.values.contains { $0.kind == .audio } || waiting.contains { $0.kind == .audio } }

    /// Whether a frame of this configuration can follow; else a maker of its own is needed, with headers of its own.
    public func accepts(_ frame: Frame) -> Bool {
        guard let track = tracks[frame.track] else {
            return waiting.first { $0.track == frame.track }.map { $0.configuration === frame.configuration } ?? true
        }
        return track.configuration === frame.configuration
            || track.configuration.coded == frame.configuration.coded
                && track.header.rotation == frame.configuration.parameters.rotation
    }

    /// Takes a frame.
    public mutating func append(_ frame: Frame) { waiting.append(frame) }

    /// Gives the frames that were taken to their tracks.
    ///
    /// - Throws: `BitstreamError` for a frame whose parameters are broken or of a codec that fragments cannot hold.
    public mutating func sort() throws {
        if origin == nil { origin = waiting.map(\.presentationUs).min().map { $0 &- leadUs } }
        for frame in waiting where tracks[frame.track] == nil { try addTrack(for: frame) }
        for frame in waiting { tracks[frame.track]?.pending.append(frame) }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Makes the track of `frame`, if there is none yet.
    ///
    /// - Throws: as `sort`.
    @discardableResult
    public mutating func addTrack(for frame: Frame) throws -> Track {
        if let track = tracks[frame.track] { return track }
        let configuration = try frame.configuration.coded ?? frame.configuration.parameters.coded()
        let timescale = Int64(frame.configuration.parameters.timescale)
        // No edit list for an encoder's priming: its frames carry the times at which they really sound, so the priming
        // lies before the first picture and is silence.
        let track = Track(
            ordinal: frame.track, kind: frame.kind,
            header: TrackHeader(
                configuration, timescale: UInt32(clamping: timescale), rotation: frame.configuration.parameters.rotation
            ),
            configuration: frame.configuration, delay: frame.pts - frame.dts,
            lastDuration: frame.durationTicks ?? timescale / 25)
        tracks[frame.track] = track
        return track
    }

    /// Cuts what a track holds as one fragment; nil when it holds nothing that can be cut. `next` is the frame that follows in
    /// the dial, if it is known: it gives the last frame of its track its true duration. Without it the last frame of a track
    /// is held back unless `isLast`, for the same reason.
    public mutating func cut(_ ordinal: Int, next: Frame? = nil, isLast: Bool = false) -> Cut? {
        guard var track = tracks[ordinal] else { return nil }
        defer { tracks[ordinal] = track }
        var frames = track.pending
        var nextDts = next?.track == ordinal ? next?.dts : nil
        if nextDts == nil, !isLast, let held = frames.popLast() {
            track.pending = [held]
            nextDts = held.dts
        } else {
            track.pending = []
        }
        guard let first = frames.first else { return nil }
        var samples: [SampleMetadata] = []
        samples.reserveCapacity(frames.count)
        for (index, frame) in frames.enumerated() {
            let following = index + 1 < frames.count ? frames[index + 1].dts : nextDts
            let duration = following.map { $0 - frame.dts } ?? frame.durationTicks ?? track.lastDuration
            track.lastDuration = max(duration, 1)
            samples.append(
                SampleMetadata(
                    size: UInt32(clamping: frame.count), durationTicks: UInt32(clamping: max(duration, 1)),
                    compositionOffsetTicks: Int32(clamping: frame.pts - frame.dts - track.delay),
                    isSync: frame.opensClip, isDamaged: frame.isDamaged))
        }
        // Ticks of the dial's time line that are zero here.
        let base = (origin ?? first.presentationUs).scaled(
            Int64(track.configuration.parameters.timescale), 1_000_000)
        track.cuts &+= 1
        return Cut(
            track: ordinal,
            fragment: Fragment(
                decodeTime: UInt64(clamping: first.dts + track.delay - base), samples: samples,
                wallClock: first.wallClockMs.map(WallClock.init(unixMs:))), sequence: track.cuts, frames: frames)
    }
}
