import CLibav
public import Machines

/// A decoded frame, in memory of its own or in a slot of memory that its reader shares.
public struct DecodedFrame: Sendable {
    /// The form in which it is.
    public enum Form: Hashable, Sendable {
        /// Three planes without gaps in 4:2:0, as video has it (16…235).
        case yuv420p
        /// A JPEG file.
        case jpeg
    }

    /// The frame; empty where it is in a slot.
    public let bytes: [UInt8]
    /// Where it lies in memory that its reader shares.
    public let place: FrameSlots.Place?
    /// Pixels across, even.
    public let width: Int
    /// Pixels down, even.
    public let height: Int
    /// When it is shown, microseconds on the time line of its dial.
    public let mediaUs: Int64
    /// When it arrived.
    public let arrival: Instant
}

/// Why a stream is not decoded.
public enum FrameDecoderError: Error, Hashable, Sendable {
    /// Its pictures are too large, or its codec is not known here.
    case undecodable
    /// Decoders of others have the memory that it would take.
    case budget
    /// The system gives no memory to share with its reader, and says this.
    case memory(String)
}

/// Makes frames of a stream for programs that look at pictures: decodes what comes, in order, and gives the newest picture when one
/// is wanted. Blocking: not for the cooperative pool, and for one thread at a time.
public final class FrameDecoder: @unchecked Sendable {
    // One call at a time, as its user promises; the decoder is used by no other thread meanwhile.
    private let form: DecodedFrame.Form
    private var options: SnapshotOptions
    private let budget: DecoderBudget
    private let slots: FrameSlots?
    private var decoder: VideoDecoder?
    private var configuration: TrackConfiguration?
    private var share: DecoderBudget.Share?
    /// When the frames arrived that were decoded last, by their presentation times.
    private var arrivals: [(pts: Int64, arrival: Instant)] = []

    /// Pictures that a decoder may hold back: the most that H.264 and H.265 reorder, and some.
    private static let arrivalsMax = 64
    /// How many copies of a frame there are at once: scaled, in bytes, and on its way.
    private static let copies = 3

    /// A decoder that has seen nothing. `budget`: where its memory is counted; `slots`: where its frames are put, of yuv420p.
    public init(
        _ form: DecodedFrame.Form, _ options: SnapshotOptions, budget: DecoderBudget, slots: FrameSlots? = nil
    ) {
        (self.form, self.options, self.budget, self.slots) = (form, options, budget, slots)
    }

    /// Forgets everything; the next frame is a key frame.
    public func reset() { (decoder, configuration, share, arrivals) = (nil, nil, nil, []) }

    /// Takes frames that follow those before, and gives the newest picture that they show, of that the part `viewport`; nil where
    /// they complete none, or no slot is free.
    public func frame(
        after frames: [Frame], viewport: PictureViewport = .whole
    ) throws(FrameDecoderError) -> DecodedFrame? {
        options.viewport = viewport
        guard let newest = av_frame_alloc() else { return nil }
        defer {
            var freed: VideoDecoder.Picture? = newest
            av_frame_free(&freed)
        }
        var isThere = false
        for (index, frame) in frames.enumerated() where frame.kind == .video {
            guard let coded = frame.configuration.coded else { throw .undecodable }
            if configuration !== frame.configuration {
                // Without its key frame a picture of another size cannot be decoded.
                guard frame.opensClip else { continue }
                try begin(coded, frame.configuration)
            }
            arrivals.append((frame.pts, frame.arrival))
            if arrivals.count > Self.arrivalsMax { arrivals.removeFirst() }
            // A decoder gives a picture some frames late where pictures are reordered: the last that comes is the newest.
            let isLast = index == frames.count - 1
            frame.withBytes { bytes in
                _ = decoder?.decode(bytes, pts: frame.pts, isKey: frame.isKey) { picture in
                    guard isLast else { return }
                    // It may give several.
                    av_frame_unref(newest)
                    av_frame_move_ref(newest, picture)
                    isThere = true
                }
            }
        }
        guard isThere, let frame = frames.last, let coded = frame.configuration.coded else { return nil }
        return try make(newest, coded, of: frame)
    }

    private func begin(_ coded: CodecConfiguration, _ next: TrackConfiguration) throws(FrameDecoderError) {
        reset()
        guard let need = DecoderNeed(coded), need.isAllowed else { throw .undecodable }
        let pixels = min(options.widthMax * options.heightMax, need.pixels)
        // Slots are counted where they are made.
        let frames = slots == nil ? Self.copies * pixels * 3 / 2 : 0
        guard let share = budget.take(need.bytes + frames) else { throw .budget }
        guard let decoder = VideoDecoder(coded, fast: true) else { throw .undecodable }
        (self.decoder, self.share, configuration) = (decoder, share, next)
    }

    private func make(
        _ picture: VideoDecoder.Picture, _ coded: CodecConfiguration, of frame: Frame
    ) throws(FrameDecoderError) -> DecodedFrame? {
        let rotation = frame.configuration.parameters.rotation
        let size = PictureScaler.size(of: picture, aspect: coded.pixelAspect, rotation: rotation, options: options)
        func scale(into target: PictureFrame?) -> PictureFrame? {
            guard let target,
                PictureScaler.scale(
                    picture, into: target.frame, rotation: rotation, viewport: options.viewport, toFull: form == .jpeg)
            else { return nil }
            return target
        }
        var (bytes, place) = ([UInt8](), FrameSlots.Place?.none)
        if let slots {
            guard let slot = try slots.take(size.width * size.height * 3 / 2, budget) else { return nil }
            // The memory stays while it is written, also where its reader ends meanwhile.
            defer { withExtendedLifetime(slot.memory) {} }
            guard scale(into: PictureFrame(width: size.width, height: size.height, in: slot.begin)) != nil else {
                _ = slots.giveBack(slot.number)
                return nil
            }
            place = slot.place
        } else {
            guard let target = scale(into: PictureFrame(width: size.width, height: size.height)),
                let made = form == .jpeg
                    ? JPEGEncoder.encode(target, quantizer: options.quantizer) : target.planes
            else { return nil }
            bytes = made
        }
        let pts = picture.pointee.pts
        return DecodedFrame(
            bytes: bytes, place: place, width: size.width, height: size.height,
            mediaUs: Ticks.rescale(
                pts, from: UInt32(clamping: frame.configuration.parameters.timescale), to: 1_000_000),
            arrival: arrivals.last { $0.pts == pts }?.arrival ?? frame.arrival)
    }
}

extension PictureFrame {
    /// The three planes, row after row.
    fileprivate var planes: [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3 / 2)
        for plane in 0..<3 {
            let shift = plane == 0 ? 0 : 1
            guard let data = vigil_plane(frame, Int32(clamping: plane)) else { return nil }
            let stride = Int(vigil_stride(frame, Int32(clamping: plane)))
            for row in 0..<height >> shift {
                bytes += UnsafeBufferPointer(start: data + row * stride, count: width >> shift)
            }
        }
        return bytes
    }
}
