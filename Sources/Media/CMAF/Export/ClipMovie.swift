import Glibc

/// One progressive MP4, its header in front, of what clips hold in a range: made as it is read, so it exists nowhere. The
/// header is in memory, the media is copied by ranges out of the track files. Media is never re-encoded.
///
/// Decoding begins with the key frame at or before the range's begin, and an edit list makes playing begin there exactly; it
/// ends at the range's end. Holes between clips are closed up; chained clips join without one. Every sample in between is
/// there once and in order. Where parameter sets change, the track gets a further sample description. A clip without audio
/// leaves the audio silent.
///
/// Memory: the header, which is about as large as the plan's tables, and 40 bytes a chunk. Blocking, and used from one thread
/// at a time. At most two files are open.
public final class ClipMovie {
    /// A part of a file that could not be read; in its place the movie has zeros.
    public struct Damage: Hashable, Sendable {
        /// The path below the root.
        public let path: String
        /// How many bytes.
        public internal(set) var bytes: UInt64
        /// Why, of the first of them.
        public let why: TrackFileError
    }

    /// What it holds.
    public let summary: ExportSummary
    /// What of the part that was read so far is zeros, a file each, in the order in which it was met. A decoder passes over
    /// such pictures and such sound; all others are in their places.
    public private(set) var damages: [Damage] = []
    private let header: [UInt8]
    private let pieces: [ExportMovie.Piece]
    private let files: [(place: any TrackPlace, path: String)]
    /// The files that were read last; video and audio alternate.
    private var open: [(source: Int, file: any TrackBytes)] = []

    /// The movie of a plan.
    ///
    /// - Throws: `nothingInRange` when the plan holds no media.
    public init(_ plan: ExportPlan) throws(TrackFileError) {
        let movie = ExportMovie(plan: plan)
        guard !movie.tracks.isEmpty, movie.duration > 0 else {
            throw TrackFileError(.read, "the clips", .nothingInRange)
        }
        let header = movie.header()
        summary = ExportSummary(
            bytes: UInt64(header.count) + movie.mediaBytes,
            durationMs: Ticks.milliseconds(movie.duration, timescale: plan.timescale),
            videoSamples: plan.video?.sizes.count ?? 0, audioSamples: plan.audio?.sizes.count ?? 0, clips: plan.clips)
        self.header = header
        pieces = movie.pieces
        files = plan.files
    }

    /// The same movie for another reader, on another thread; header and plan are not copied.
    public init(_ other: ClipMovie) {
        summary = other.summary
        header = other.header
        pieces = other.pieces
        files = other.files
    }

    /// What the movie takes in memory, in bytes.
    public var tableBytes: Int { header.count + pieces.count * MemoryLayout<ExportMovie.Piece>.stride }

    /// The bytes from `offset` on: `count`, or as many as there are up to the end. What cannot be read of a file that is there
    /// is zeros, and told in `damages`.
    ///
    /// - Throws: `TrackFileError` when a file is gone.
    public func read(_ count: Int, at offset: UInt64) throws(TrackFileError) -> [UInt8] {
        let left = summary.bytes - min(offset, summary.bytes)
        var failure: TrackFileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(min(UInt64(max(count, 0)), left))) { buffer, filled in
            do throws(TrackFileError) {
                try fill(UnsafeMutableRawBufferPointer(buffer), at: offset)
                filled = buffer.count
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Fills all of `buffer`, which ends with the movie at the latest, without a copy of media in between.
    ///
    /// - Throws: as `read`.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(TrackFileError) {
        var filled = 0
        if offset < UInt64(header.count) {
            let part = header[Int(offset)..<min(header.count, Int(offset) + buffer.count)]
            buffer.copyBytes(from: part)
            filled = part.count
        }
        guard filled < buffer.count else { return }
        var place = offset + UInt64(filled) - UInt64(header.count)
        var number = piece(at: place)
        while filled < buffer.count {
            let piece = pieces[number]
            let count = Int(min(UInt64(buffer.count - filled), piece.place + piece.bytes - place))
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
            try copy(piece, from: piece.offset + place - piece.place, into: target)
            filled += count
            place += UInt64(count)
            number += 1
        }
    }

    /// One range of a file. A file that fails takes its own pictures along, not the rest of the movie.
    private func copy(
        _ piece: ExportMovie.Piece, from offset: UInt64, into target: UnsafeMutableRawBufferPointer
    ) throws(TrackFileError) {
        do throws(TrackFileError) {
            let source = try file(piece.source)
            guard try source.read(into: target, at: offset) == target.count else {
                throw TrackFileError(.read, source.path, .malformed("it became shorter while it was exported"))
            }
        } catch {
            // What is deleted for want of room is gone as a whole, and the others of its age follow.
            if case .system(ENOENT) = error.cause { throw error }
            // What cannot be had now may be had in a moment.
            if case .elsewhere = error.cause { throw error }
            target.initializeMemory(as: UInt8.self, repeating: 0)
            let path = files[piece.source].path
            if let known = damages.firstIndex(where: { $0.path == path }) {
                damages[known].bytes += UInt64(target.count)
            } else {
                damages.append(Damage(path: path, bytes: UInt64(target.count), why: error))
            }
        }
    }

    /// The piece that holds a byte of the media.
    private func piece(at place: UInt64) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].place + pieces[middle].bytes <= place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func file(_ source: Int) throws(TrackFileError) -> any TrackBytes {
        if let known = open.first(where: { $0.source == source }) { return known.file }
        let file = try files[source].place.open(files[source].path)
        open = open.suffix(1) + [(source, file)]
        return file
    }
}
