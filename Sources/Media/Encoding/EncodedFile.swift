import Glibc
import Machines

/// Writes one encoded track, fragment by fragment. A fragment of pictures ends before the next key frame, one of sound after 4 s.
final class EncodedFile {
    /// Length of a fragment of sound, and the least of one of pictures, in milliseconds.
    static let fragmentMs: Int64 = 4_000
    /// The most samples of a fragment, whatever their times say.
    static let samplesMax = 1_000

    let name: String
    let path: String
    private let header: TrackHeader
    private let writer: TrackWriter
    private var units: [PictureEncoder.Unit] = []

    /// Creates the file at `folder`/`name` with the ending of its kind.
    ///
    /// - Parameter primingTicks: of sound.
    init(
        _ name: String, in folder: String, _ configuration: CodecConfiguration, timescale: UInt32,
        primingTicks: UInt32 = 0
    ) throws(TrackFileError) {
        self.name = name
        path = "\(folder)/\(name)\(configuration.kind.fileExtension)"
        header = TrackHeader(configuration, timescale: timescale, primingTicks: primingTicks)
        // What a try before this one left.
        unlink(path)
        writer = try TrackWriter.create(path: path, header: header)
    }

    /// Bytes written so far.
    var bytes: UInt64 { writer.bytesWritten }

    /// Takes a sample. What came before it is written where a fragment ends.
    func append(_ unit: PictureEncoder.Unit) throws(TrackFileError) {
        if let first = units.first {
            let length = Ticks.rescale(unit.pts &- first.pts, from: header.timescale, to: 1_000)
            let isEnd = header.configuration.kind == .video ? unit.isKey : length >= Self.fragmentMs
            if isEnd || units.count >= Self.samplesMax { try flush(until: unit.pts) }
        }
        units.append(unit)
    }

    /// Writes what is left, of which the last sample lasts until `end`, and ends the file.
    func finish(until end: Int64) throws(TrackFileError) -> EncodedTrack {
        try flush(until: end)
        return EncodedTrack(
            name: name, path: path, configuration: header.configuration, summary: try writer.finish())
    }

    /// Lets go of the file, which stays as it is.
    func abandon() { writer.abandon() }

    private func flush(until end: Int64) throws(TrackFileError) {
        guard let first = units.first else { return }
        let next = units.dropFirst().map(\.pts) + [end]
        var samples: [SampleMetadata] = []
        for (unit, after) in zip(units, next) {
            samples.append(
                SampleMetadata(
                    size: UInt32(clamping: unit.bytes.count),
                    durationTicks: UInt32(clamping: max(1, after &- unit.pts)),
                    isSync: unit.isKey))
        }
        let data = units.flatMap(\.bytes)
        let fragment = Fragment(
            decodeTime: UInt64(clamping: first.pts &+ Int64(header.primingTicks)), samples: samples)
        units = []
        let result = data.withUnsafeBytes { bytes in
            do throws(TrackFileError) {
                return Result<Void, TrackFileError>.success(try writer.append(fragment, data: [bytes]))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
