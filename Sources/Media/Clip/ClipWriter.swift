internal import Glibc
public import Machines

/// Writes the frames of one clip into its track files: collects them, and writes each track's part of a stretch as one
/// whole fragment.
///
/// Blocking, and used from one queue at a time. It decides nothing: where the clip begins, is flushed and ends is said by
/// its caller. All tracks share one time line whose zero is the earliest presentation among the first frames.
public final class ClipWriter {
    /// A file that belongs to the clip from now on; the caller enters it into the catalog before more is written.
    public struct NewTrack: Hashable, Sendable {
        /// Ordinal of the track in its dial.
        public let ordinal: Int
        /// What it carries.
        public let kind: TrackKind
        /// RFC 6381 codec string.
        public let codec: String
        /// The file's path.
        public let path: String
    }

    /// What one track file holds at its end.
    public struct FinishedTrack: Sendable {
        /// The track, as it was announced.
        public let track: NewTrack
        /// Bytes, fragments, duration and index.
        public let summary: TrackSummary
    }

    private struct Track {
        let announced: NewTrack
        let configuration: TrackConfiguration
        let writer: TrackWriter
        /// Presentation minus decode time of the first frame: decode times are moved by it, so that the first frame is
        /// presented at its decode time and no edit list is needed.
        let delay: Int64
        var pending: [Frame] = []
        /// Duration of the last frame written, in ticks, for a frame whose successor never comes.
        var lastDuration: Int64
    }

    /// A flush failed after it had written the part of one track: what the others lack is missing for good.
    public private(set) var isTorn = false
    /// After the last flush that was whole a track holds a frame back until its successor is known.
    public private(set) var holdsBack = false
    /// What is in the files so far, for those who read the clip meanwhile.
    public let written = WrittenClip()
    private let pathWithoutExtension: String
    private let announce: (NewTrack) throws -> Void
    private var tracks: [Int: Track] = [:]
    /// Zero of the clip's time line, in microseconds of the dial's.
    private var origin: Int64?
    private var waiting: [Frame] = []

    /// A clip whose files are `pathWithoutExtension` plus `.cmfv` or `.cmfa`. `announce` is called after a file exists and
    /// its directory entry is durable, before anything but the header is in it.
    public init(pathWithoutExtension: String, announce: @escaping (NewTrack) throws -> Void) {
        self.pathWithoutExtension = pathWithoutExtension
        self.announce = announce
    }

    /// Creates the file of `frame`'s track, so that the clip exists before media goes into it.
    ///
    /// - Throws: as `flush`, and whatever `announce` throws; no file is left then.
    public func begin(with frame: Frame) throws { try addTrack(for: frame) }

    /// Takes `frame` into the stretch that is being collected.
    public func append(_ frame: Frame) { waiting.append(frame) }

    /// Frames that are collected and not written.
    public var waitingCount: Int { waiting.count + tracks.values.reduce(0) { $0 + $1.pending.count } }

    /// What the clip's track of this ordinal is coded as; nil where it has none.
    public func configuration(of track: Int) -> TrackConfiguration? {
        tracks[track]?.configuration ?? waiting.first { $0.track == track }?.configuration
    }

    /// Whether a frame of this configuration can go into the clip.
    public func accepts(_ frame: Frame) -> Bool {
        guard let track = tracks[frame.track] else {
            return waiting.first { $0.track == frame.track }.map { $0.configuration === frame.configuration } ?? true
        }
        return track.configuration === frame.configuration
            || (try? track.configuration.codecConfiguration()) == (try? frame.configuration.codecConfiguration())
    }

    /// Writes what is collected, one fragment a track. `next` is the frame that follows, if it is known: it gives the last
    /// frame of its track its true duration. The last audio frame is held back unless `isLast`, for the same reason.
    ///
    /// - Throws: `TrackError` or `BitstreamError`; what was written before stays whole.
    public func flush(next: Frame?, isLast: Bool) throws {
        if origin == nil { origin = waiting.map(\.presentationUs).min() }
        for frame in waiting {
            if tracks[frame.track] == nil { try addTrack(for: frame) }
            tracks[frame.track]?.pending.append(frame)
        }
        waiting.removeAll(keepingCapacity: true)
        var hasWritten = false
        for ordinal in tracks.keys.sorted() {
            guard var track = tracks[ordinal] else { continue }
            let before = track.writer.bytesWritten
            do { try write(&track, next: next?.track == ordinal ? next : nil, isLast: isLast) } catch {
                isTorn = hasWritten
                throw error
            }
            hasWritten = hasWritten || track.writer.bytesWritten > before
            tracks[ordinal] = track
        }
        holdsBack = tracks.values.contains { !$0.pending.isEmpty }
    }

    /// Makes everything written durable.
    public func sync() throws {
        for ordinal in tracks.keys.sorted() { try tracks[ordinal]?.writer.sync() }
    }

    /// Ends the files and makes them durable. Nothing may be called after it.
    public func finish() throws -> [FinishedTrack] {
        try tracks.keys.sorted().compactMap { ordinal in
            try tracks[ordinal].map { FinishedTrack(track: $0.announced, summary: try $0.writer.finish()) }
        }
    }

    /// Lets go of the files as they are, after an error; a scan finds out what they hold.
    public func abandon() { for track in tracks.values { track.writer.abandon() } }

    private func addTrack(for frame: Frame) throws {
        let configuration = try frame.configuration.codecConfiguration()
        let path = pathWithoutExtension + (frame.kind == .video ? ".cmfv" : ".cmfa")
        let timescale = Int64(frame.configuration.parameters.timescale)
        // No edit list for an encoder's priming: its frames carry the times at which they really sound, so the priming
        // lies before the first picture and is silence.
        let header = TrackHeader(configuration, timescale: UInt32(clamping: timescale))
        let writer = try TrackWriter.create(path: path, header: header)
        let announced = NewTrack(
            ordinal: frame.track, kind: frame.kind, codec: configuration.codec, path: path)
        do { try announce(announced) } catch {
            unlink(path)
            throw error
        }
        written.add(frame.kind, writer.written)
        tracks[frame.track] = Track(
            announced: announced, configuration: frame.configuration, writer: writer, delay: frame.pts - frame.dts,
            lastDuration: frame.durationTicks ?? timescale / 25)
    }

    private func write(_ track: inout Track, next: Frame?, isLast: Bool) throws {
        var frames = track.pending
        var nextDts = next?.dts
        if nextDts == nil, !isLast, let held = frames.popLast() {
            track.pending = [held]
            nextDts = held.dts
        } else {
            track.pending = []
        }
        guard let first = frames.first else { return }
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
                    isSync: frame.opensClip))
        }
        // Ticks of the dial's time line that are zero in the file.
        let base = (origin ?? first.presentationUs).scaled(
            Int64(track.configuration.parameters.timescale), 1_000_000)
        let fragment = Fragment(
            decodeTime: UInt64(clamping: first.dts + track.delay - base), samples: samples,
            wallClock: first.wallClockMs.map(WallClock.init(unixMs:)))
        try track.writer.append(fragment, data: Frame.gather(frames))
        withExtendedLifetime(frames) {}
    }
}

extension Frame {
    /// Whether a clip can begin here: decoding can, at once or (gradual refresh) after a few frames.
    public var opensClip: Bool { isKey || isRecoveryPoint }

    /// Presentation time in microseconds of the dial's time line.
    var presentationUs: Int64 { pts.scaled(1_000_000, Int64(max(configuration.parameters.timescale, 1))) }

    /// The bytes of `frames` as ranges, neighbours joined. Valid as long as the frames live.
    static func gather(_ frames: [Frame]) -> [UnsafeRawBufferPointer] {
        var ranges: [UnsafeRawBufferPointer] = []
        for frame in frames {
            let start = UnsafeRawPointer(frame.storage.base + frame.offset)
            if let last = ranges.last, let base = last.baseAddress, base + last.count == start {
                ranges[ranges.count - 1] = UnsafeRawBufferPointer(start: base, count: last.count + frame.count)
            } else {
                ranges.append(UnsafeRawBufferPointer(start: start, count: frame.count))
            }
        }
        return ranges
    }
}

extension TrackConfiguration {
    /// How it is coded, for people: `avc1.64001f 1280x720`, `mp4a.40.2 48000 Hz`.
    public var words: String {
        guard let coded = try? codecConfiguration() else { return "\(parameters.codec)" }
        guard let width = coded.width, let height = coded.height else { return "\(coded.codec) \(coded.timescale) Hz" }
        return "\(coded.codec) \(width)x\(height)"
    }

    /// What the track's header says.
    func codecConfiguration() throws -> CodecConfiguration {
        switch parameters.codec {
        case .h264: try CodecConfiguration(.h264, parameterSets: annexB)
        case .h265: try CodecConfiguration(.h265, parameterSets: annexB)
        case .aac: try CodecConfiguration(audioSpecificConfig: parameters.codecConfiguration)
        case .opus: try CodecConfiguration(opusHead: parameters.codecConfiguration)
        }
    }

    private var annexB: [UInt8] { parameters.parameterSets.flatMap { [0, 0, 0, 1] + $0 } }
}

extension Int64 {
    /// `self * numerator / denominator`, rounded down, saturating instead of trapping.
    func scaled(_ numerator: Int64, _ denominator: Int64) -> Int64 {
        let product = multipliedFullWidth(by: numerator)
        let bound = denominator.magnitude
        guard bound > 0, product.high.magnitude < bound / 2 else { return self < 0 ? .min : .max }
        let (quotient, remainder) = denominator.dividingFullWidth(product)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
