import Machines

/// Makes pictures of a stream for who takes no video: decodes what comes, in order, and encodes the newest picture as JPEG when
/// one is wanted. Blocking: not for the cooperative pool, and for one thread at a time.
public final class LivePictureMaker: @unchecked Sendable {
    // One call at a time, as its user promises; the decoder is used by no other thread meanwhile.
    private let options: SnapshotOptions
    private var decoder: VideoDecoder?
    private var configuration: TrackConfiguration?

    /// A maker that has seen nothing.
    public init(_ options: SnapshotOptions) { self.options = options }

    /// Forgets everything; the next frame is a key frame.
    public func reset() { (decoder, configuration) = (nil, nil) }

    /// Takes frames that follow those before, and gives the newest picture that they show; nil where they complete none.
    public func picture(after frames: [Frame]) -> [UInt8]? {
        var jpeg: [UInt8]?
        for (index, frame) in frames.enumerated() where frame.kind == .video {
            guard let coded = frame.configuration.coded else { continue }
            if configuration !== frame.configuration {
                // Without its key frame a picture of another size cannot be decoded.
                guard frame.opensClip else { continue }
                (decoder, configuration) = (VideoDecoder(coded, fast: true), frame.configuration)
            }
            // A decoder gives a picture some frames late where pictures are reordered: the last that comes is the newest.
            let isLast = index == frames.count - 1
            frame.withBytes { bytes in
                _ = decoder?.decode(bytes, pts: frame.pts, isKey: frame.isKey) { picture in
                    guard isLast else { return }
                    jpeg = JPEGEncoder.encode(
                        picture, aspect: coded.pixelAspect, rotation: frame.configuration.parameters.rotation,
                        options: options)
                }
            }
        }
        return jpeg
    }
}
