internal import Glibc
public import Machines

/// Writes the frames of one clip into its track files: a maker of fragments with a file for each track.
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

    /// A track's file, and how it was announced.
    private struct Output {
        let announced: NewTrack
        let writer: TrackWriter
    }

    /// A flush failed after it had written the part of one track: what the others lack is missing for good.
    public private(set) var isTorn = false
    /// After the last flush that was whole a track holds a frame back until its successor is known.
    public private(set) var holdsBack = false
    /// What is in the files so far, for those who read the clip meanwhile.
    public let written = WrittenClip()
    private let pathWithoutExtension: String
    private let announce: (NewTrack) throws -> Void
    private var maker = FragmentMaker()
    private var outputs: [Int: Output] = [:]

    /// A clip whose files are `pathWithoutExtension` plus `.cmfv` or `.cmfa`. `announce` is called after a file exists and
    /// its directory entry is durable, before anything but the header is in it.
    public init(pathWithoutExtension: String, announce: @escaping (NewTrack) throws -> Void) {
        self.pathWithoutExtension = pathWithoutExtension
        self.announce = announce
    }

    /// Creates the file of `frame`'s track, so that the clip exists before media goes into it.
    ///
    /// - Throws: as `flush`, and whatever `announce` throws; no file is left then.
    public func begin(with frame: Frame) throws { try open(try maker.addTrack(for: frame)) }

    /// Takes `frame` into the stretch that is being collected.
    public func append(_ frame: Frame) { maker.append(frame) }

    /// Frames that are collected and not written.
    public var waitingCount: Int { maker.waitingCount }

    /// What the clip's track of this ordinal is coded as; nil where it has none.
    public func configuration(of track: Int) -> TrackConfiguration? { maker.configuration(of: track) }

    /// Whether it has sound.
    public var hasSound: Bool { maker.hasSound }

    /// Whether a frame of this configuration can go into the clip.
    public func accepts(_ frame: Frame) -> Bool { maker.accepts(frame) }

    /// Writes what is collected, one fragment a track. `next` is the frame that follows, if it is known: it gives the last
    /// frame of its track its true duration. The last audio frame is held back unless `isLast`, for the same reason.
    ///
    /// - Throws: `TrackFileError`, `BitstreamError`, or what `announce` throws; what was written before stays whole.
    public func flush(next: Frame?, isLast: Bool) throws {
        try maker.sort()
        let tracks = maker.tracks.values.sorted { $0.ordinal < $1.ordinal }
        for track in tracks where outputs[track.ordinal] == nil { try open(track) }
        var hasWritten = false
        for track in tracks {
            // What could not be written has not been cut.
            var after = maker
            if let cut = after.cut(track.ordinal, next: next, isLast: isLast) {
                do { try cut.withData { try outputs[track.ordinal]?.writer.append(cut.fragment, data: $0) } } catch {
                    isTorn = hasWritten
                    throw error
                }
                hasWritten = true
            }
            maker = after
        }
        holdsBack = maker.holdsBack
    }

    /// Makes everything written durable.
    public func sync() throws {
        for ordinal in outputs.keys.sorted() { try outputs[ordinal]?.writer.sync() }
    }

    /// Ends the files and makes them durable. Nothing may be called after it.
    public func finish() throws -> [FinishedTrack] {
        try outputs.keys.sorted().compactMap { ordinal in
            try outputs[ordinal].map { FinishedTrack(track: $0.announced, summary: try $0.writer.finish()) }
        }
    }

    /// Lets go of the files as they are, after an error; a scan finds out what they hold.
    public func abandon() { for output in outputs.values { output.writer.abandon() } }

    private func open(_ track: FragmentMaker.Track) throws {
        let path = pathWithoutExtension + (track.kind == .video ? ".cmfv" : ".cmfa")
        let writer = try TrackWriter.create(path: path, header: track.header)
        let announced = NewTrack(ordinal: track.ordinal, kind: track.kind, codec: track.codec, path: path)
        do { try announce(announced) } catch {
            unlink(path)
            throw error
        }
        written.add(track.kind, writer.written)
        outputs[track.ordinal] = Output(announced: announced, writer: writer)
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
        guard let coded else { return "\(parameters.codec)" }
        guard let width = coded.width, let height = coded.height else { return "\(coded.codec) \(coded.timescale) Hz" }
        return "\(coded.codec) \(width)x\(height)"
    }
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
