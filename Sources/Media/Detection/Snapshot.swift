import Machines

/// How a snapshot is made.
public struct SnapshotOptions: Hashable, Sendable {
    /// It is never wider than this, in pixels.
    public var widthMax: Int
    /// It is never higher than this, in pixels.
    public var heightMax: Int
    /// JPEG's coarseness, 1 (finest) … 31.
    public var quantizer: Int
    /// The part of the picture that it shows.
    public var viewport: PictureViewport

    /// The full picture up to 1080p, fine enough to recognise a face. Bounds below 16 pixels are taken as 16.
    public init(
        widthMax: Int = 1920, heightMax: Int = 1080, quantizer: Int = 4, viewport: PictureViewport = .whole
    ) {
        self.widthMax = max(16, widthMax)
        self.heightMax = max(16, heightMax)
        self.quantizer = quantizer
        self.viewport = viewport
    }

    /// A small picture for a list of events.
    static let thumbnail = SnapshotOptions(widthMax: 320, heightMax: 240, quantizer: 6)
}

/// Why there is no snapshot.
public enum SnapshotError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be read, or is no track file of Vigil.
    case file(TrackFileError)
    /// The file, or what was handed in, has no key frame.
    case noKeyFrame
    /// The picture is too large to be decoded.
    case tooLarge(DecoderNeed)
    /// The key frame cannot be decoded, or is in a form that is not understood.
    case undecodable
    /// Decoding all frames from the key frame on takes too long.
    case tooLong

    /// In words.
    public var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .noKeyFrame: "there is no key frame to make a picture of"
        case .tooLarge(let need): "\(need)"
        case .undecodable: "the key frame cannot be decoded"
        case .tooLong: "there are too many frames since the key frame to decode them in time"
        }
    }
}

/// A picture of what was recorded: a decoded key frame as JPEG. Blocking: not for the cooperative pool.
public struct Snapshot: Hashable, Sendable {
    /// The bytes of a JPEG file.
    public let jpeg: [UInt8]
    /// The presentation time of the key frame, in ticks of the stream's timescale (of a clip: on the clip's time line).
    public let pts: Int64

    /// Of the key frame of a clip nearest to `ms` of its time line, be the clip closed or still written; of two as near the
    /// earlier one.
    public init(
        of files: ClipFiles, atMs ms: Int64, options: SnapshotOptions = SnapshotOptions()
    ) throws(SnapshotError) {
        let found: Key?
        do throws(TrackFileError) {
            found = try Snapshot.nearestKey(ClipReader(files, only: .video), ms)
        } catch {
            throw .file(error)
        }
        guard let found else { throw .noKeyFrame }
        jpeg = try Snapshot.jpeg(
            found.bytes.withUnsafeBytes { Snapshot.jpeg($0, found.configuration, found.rotation, options) },
            of: found.configuration)
        pts = found.pts
    }

    /// Of the key frame among `frames` that is nearest to presentation time `ticks`.
    public init(frames: [Frame], at ticks: Int64, options: SnapshotOptions = SnapshotOptions()) throws(SnapshotError) {
        let keys = frames.filter { $0.kind == .video && $0.isKey }
        guard let key = keys.min(by: { $0.pts.distance(from: ticks) < $1.pts.distance(from: ticks) }) else {
            throw .noKeyFrame
        }
        guard let configuration = key.configuration.coded else { throw .undecodable }
        let rotation = key.configuration.parameters.rotation
        jpeg = try Snapshot.jpeg(
            key.withBytes { Snapshot.jpeg($0, configuration, rotation, options) }, of: configuration)
        pts = key.pts
    }

    /// A key frame of a clip.
    private struct Key {
        let pts: Int64
        let bytes: [UInt8]
        let configuration: CodecConfiguration
        let rotation: PictureRotation
    }

    private static func nearestKey(_ clip: ClipReader, _ ms: Int64) throws(TrackFileError) -> Key? {
        guard let reader = clip.video, let configuration = reader.configuration else { return nil }
        let ticks = Ticks.rescale(ms, from: 1000, to: reader.index.timescale)
        // The fragments with a key frame before and after. Pictures are shown a few frames after they are decoded at most, so
        // the nearest by both times is among two on each side.
        let keys = reader.index.entries.indices.filter { reader.index.entries[$0].startsWithKey }
        let after = keys.firstIndex { (reader.ticks(of: $0)?.lowerBound ?? 0) > ticks } ?? keys.count
        var best: FragmentSamples.Sample?
        for key in keys[max(0, after - 2)..<min(keys.count, after + 2)] {
            guard let sample = try reader.samples(of: key).samples.first else { continue }
            let distance = sample.presentationTicks.distance(from: ticks)
            if best.map({ distance < $0.presentationTicks.distance(from: ticks) }) ?? true { best = sample }
        }
        guard let best else { return nil }
        return Key(
            pts: best.presentationTicks, bytes: try reader.frame(best), configuration: configuration,
            rotation: reader.rotation)
    }

    /// `jpeg`, or why there is none.
    private static func jpeg(_ jpeg: [UInt8]?, of configuration: CodecConfiguration) throws(SnapshotError) -> [UInt8] {
        if let jpeg { return jpeg }
        guard let need = DecoderNeed(configuration), !need.isAllowed else { throw .undecodable }
        throw .tooLarge(need)
    }

    private static func jpeg(
        _ bytes: UnsafeRawBufferPointer, _ configuration: CodecConfiguration, _ rotation: PictureRotation,
        _ options: SnapshotOptions
    ) -> [UInt8]? {
        guard let decoder = VideoDecoder(configuration, fast: false) else { return nil }
        let aspect = configuration.pixelAspect
        var jpeg: [UInt8]?
        _ = decoder.decode(bytes, pts: 0, isKey: true) {
            jpeg = JPEGEncoder.encode($0, aspect: aspect, rotation: rotation, options: options)
        }
        if jpeg == nil {
            decoder.drain { jpeg = JPEGEncoder.encode($0, aspect: aspect, rotation: rotation, options: options) }
        }
        return jpeg
    }
}

extension Int64 {
    /// How far apart two times are; never overflows.
    fileprivate func distance(from other: Int64) -> UInt64 {
        self > other ? UInt64(bitPattern: self &- other) : UInt64(bitPattern: other &- self)
    }
}

extension CodecConfiguration {
    /// The width of a pixel by its height; 1 where nothing sensible is stated.
    var pixelAspect: Double {
        let ratio: SampleAspectRatio? =
            switch self {
            case .h264(let configuration): configuration.sps.aspectRatio
            case .h265(let configuration): configuration.sps.aspectRatio
            case .aac, .opus: nil
            }
        guard let ratio, ratio.width > 0, ratio.height > 0 else { return 1 }
        let value = Double(ratio.width) / Double(ratio.height)
        return value > 0.1 && value < 10 ? value : 1
    }
}
