import CLibav
import Machines

/// Makes smaller copies of a clip that every browser plays: its pictures as H.264 in some sizes, whose key frames are at the same
/// pictures, and its sound as AAC where it is something else. Blocking, for about as long as the clip lasts, and used by one thread.
///
/// What it reads is foreign: frames that cannot be decoded are left out, and a clip of which more than half is missing then is an
/// error. It holds a few pictures and one fragment of each size.
public final class ClipEncoder {
    /// Bytes that the files may have beyond twice their rates.
    private static let bytesMore: UInt64 = 8 << 20

    /// The most memory that it takes for these sizes, in bytes: a decoder, and an encoder of each.
    public static func bytesMax(_ renditions: [Rendition]) -> Int {
        renditions.reduce(DecoderNeed.bytesMax) { $0 + PictureEncoder.bytesMax(height: $1.heightMax) }
    }

    private let files: ClipFiles
    private let renditions: [Rendition]
    private let folder: String
    private var outputs: [Output] = []
    private var sound: EncodedFile?
    private var (frames, pictures) = (0, 0)
    private var last: Int64?
    private var (keyPts, sinceKey) = (Int64.min, 0)

    /// One size.
    private struct Output {
        let encoder: PictureEncoder
        let file: EncodedFile
    }

    /// Encodes `files` into a folder that is there.
    public init(_ files: ClipFiles, _ renditions: [Rendition], into folder: String) {
        self.files = files
        self.renditions = renditions
        self.folder = folder
    }

    /// Encodes the clip.
    ///
    /// - Parameters:
    ///   - isEnded: whether it is to end early; asked for each frame.
    ///   - progress: told how much is done, 0 to 1000.
    /// - Returns: the tracks, pictures first and from the highest to the lowest; none where the clip has no pictures, and none of
    ///   sound of more than two channels, which goes with the copies as it is.
    /// - Throws: `ClipEncodingError`, `TrackFileError`, or `CancellationError`.
    public func run(isEnded: () -> Bool, progress: (Int) -> Void) throws -> [EncodedTrack] {
        do {
            let clip = try ClipReader(files)
            guard let video = clip.video, let configuration = video.configuration else { return [] }
            // The sound first: it takes little, and may show that there is no encoder.
            var sound: EncodedTrack?
            if let audio = clip.audio, case .opus(let opus)? = audio.configuration, opus.channels <= 2 {
                sound = try encodeSound(audio, channels: opus.channels, isEnded)
            }
            return try encodePictures(video, configuration, isEnded, progress) + (sound.map { [$0] } ?? [])
        } catch {
            for output in outputs { output.file.abandon() }
            sound?.abandon()
            throw error
        }
    }

    // MARK: Pictures

    private func encodePictures(
        _ video: TrackReader, _ configuration: CodecConfiguration, _ isEnded: () -> Bool, _ progress: (Int) -> Void
    ) throws -> [EncodedTrack] {
        if let need = DecoderNeed(configuration), !need.isAllowed { throw ClipEncodingError("\(need)") }
        guard let decoder = VideoDecoder(configuration, fast: false) else {
            throw ClipEncodingError("libavcodec does not decode \(configuration.codec)")
        }
        var failure: (any Error)?
        let take = { (picture: VideoDecoder.Picture) in
            if failure != nil { return }
            do { try self.take(picture, of: video, configuration) } catch { failure = error }
        }
        var end: Int64 = 0
        for fragment in 0..<video.fragments {
            for sample in try video.samples(of: fragment).samples {
                if isEnded() { throw CancellationError() }
                frames += 1
                let bytes = try video.frame(sample)
                _ = bytes.withUnsafeBytes {
                    decoder.decode($0, pts: sample.presentationTicks, isKey: sample.metadata.isSync, each: take)
                }
                if let failure { throw failure }
                end = max(end, sample.presentationTicks &+ Int64(sample.metadata.durationTicks))
            }
            try checkBytes(video)
            progress((fragment + 1) * 1_000 / max(video.fragments, 1))
        }
        decoder.drain(each: take)
        if let failure { throw failure }
        guard pictures > 0, pictures >= frames / 2 else {
            throw ClipEncodingError("\(frames - pictures) of its \(frames) frames cannot be decoded")
        }
        return try outputs.map { output in
            try output.encoder.finish { try output.file.append($0) }
            return try output.file.finish(until: max(end, (last ?? 0) &+ 1))
        }
    }

    private func take(_ picture: VideoDecoder.Picture, of video: TrackReader, _ configuration: CodecConfiguration)
        throws
    {
        let pts = picture.pointee.best_effort_timestamp
        // A picture without a time, or of before, cannot be shown.
        guard pts != vigil_av_nopts, pts >= 0, pts > last ?? -1 else { return }
        let timescale = video.index.timescale
        if outputs.isEmpty {
            let aspect = configuration.pixelAspect
            let shown = PictureScaler.size(
                width: Int(picture.pointee.width), height: Int(picture.pointee.height), aspect: aspect, widthMax: .max,
                heightMax: .max)
            for rendition in Rendition.fitting(renditions, height: shown.height) {
                let encoder = try PictureEncoder(
                    rendition, like: picture, aspect: aspect, rotation: video.rotation, timescale: timescale,
                    ratePerMille: video.index.ratePerMille ?? 25_000)
                let file = try EncodedFile(rendition.name, in: folder, encoder.configuration, timescale: timescale)
                outputs.append(Output(encoder: encoder, file: file))
            }
        }
        let isKey =
            last == nil || sinceKey >= EncodedFile.samplesMax / 2
            || Ticks.rescale(pts &- keyPts, from: timescale, to: 1_000) >= EncodedFile.fragmentMs
        if isKey { (keyPts, sinceKey) = (pts, 0) }
        (last, sinceKey, pictures) = (pts, sinceKey + 1, pictures + 1)
        for output in outputs {
            try output.encoder.encode(picture, pts: pts, isKey: isKey) { try output.file.append($0) }
        }
    }

    /// The encoder keeps to its rates; this is for one that does not.
    private func checkBytes(_ video: TrackReader) throws {
        // The index is foreign; no clip lasts a hundred years.
        let seconds = UInt64(clamping: min(max(video.index.durationMs / 1_000, 1), 1 << 32))
        let kilobits = renditions.reduce(UInt64(0)) { $0 + UInt64(clamping: $1.kilobits) }
        let bytes = outputs.reduce(UInt64(0)) { $0 + $1.file.bytes }
        if bytes > kilobits * 250 * seconds + Self.bytesMore {
            throw ClipEncodingError("its copies take \(bytes >> 20) MiB, more than twice what their rates say")
        }
    }

    // MARK: Sound

    private func encodeSound(_ audio: TrackReader, channels: Int, _ isEnded: () -> Bool) throws -> EncodedTrack? {
        guard let coder = AudioTranscoder(codec: AV_CODEC_ID_OPUS, sampleRate: 48_000, channels: channels) else {
            throw ClipEncodingError("libavcodec does not turn Opus into AAC")
        }
        let configuration = try CodecConfiguration(audioSpecificConfig: coder.parameters.codecConfiguration)
        let file = try EncodedFile(
            "audio", in: folder, configuration, timescale: 48_000,
            primingTicks: UInt32(clamping: coder.parameters.primingSamples))
        sound = file
        var (end, failure): (Int64?, (any Error)?)
        let emit = { (bytes: UnsafeRawBufferPointer, pts: Int64, duration: Int64) in
            // Before the clip begins there is nothing to hear.
            if failure != nil || pts &+ Int64(coder.parameters.primingSamples) < 0 { return }
            do {
                try file.append(PictureEncoder.Unit(bytes: Array(bytes), pts: pts, isKey: true))
                end = pts &+ duration
            } catch { failure = error }
        }
        for fragment in 0..<audio.fragments {
            for sample in try audio.samples(of: fragment).samples {
                if isEnded() { throw CancellationError() }
                let bytes = try audio.frame(sample)
                let isDecoded = bytes.withUnsafeBytes { coder.decode($0) != nil }
                if isDecoded {
                    coder.encode(
                        pts: Ticks.rescale(sample.presentationTicks, from: audio.index.timescale, to: 48_000),
                        emit: emit)
                }
                if let failure { throw failure }
            }
        }
        coder.flush(emit: emit)
        if let failure { throw failure }
        // Sound of which nothing can be decoded is left out.
        guard let end else {
            file.abandon()
            return nil
        }
        return try file.finish(until: end)
    }
}
