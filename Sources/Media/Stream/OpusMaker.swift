import Machines
import Synchronization

/// Makes Opus of a stream's sound, once for all viewers who want it, and only while there are some.
///
/// It begins anew with each dial, each time that somebody wants it again, whenever the stream was hidden, and when the microphone
/// is switched off or on, so that no sound of before can come out of it. Frames come on the thread of the dial, which bounds what
/// it costs.
final class OpusMaker: Sendable {
    /// What is to be made.
    struct Order: Hashable {
        /// The track of which it is made, and the one that is made.
        let source: Int
        let track: Int
        /// Sound of one epoch must not come out in another one.
        let epoch: UInt64
    }

    /// So many packets in a row that cannot be decoded are told of.
    fileprivate static let failuresMax = 50
    /// Slabs are small, because one is held as long as its youngest frame.
    private static let slabBytes = 16 << 10

    fileprivate struct Making {
        let order: Order
        let source: TrackConfiguration
        let made: TrackConfiguration
        /// Whether silence stands in the place of what the camera sends.
        let isSilence: Bool
        /// nil where it cannot be made.
        let transcoder: OpusTranscoder?
        var builder: FrameBuilder
        var failures = 0
    }

    private let making = Mutex(Making?.none)

    /// Whether a coder is there, for tests.
    var isMaking: Bool { making.withLock { $0 != nil } }

    /// What becomes of a frame, and why nothing does, where that is to be told; without an order everything is let go of.
    func take(_ frame: Frame, _ order: Order?) -> (frames: [Frame], problem: String?) {
        making.withLock { making in
            guard let order else {
                making = nil
                return ([], nil)
            }
            guard frame.track == order.source else { return ([], nil) }
            let isNew = making.map { !$0.goesOn(order, with: frame) } ?? true
            if isNew { making = Self.begin(order, with: frame) }
            guard making?.transcoder != nil else {
                return ([], isNew ? Self.problem(frame.configuration.parameters.codec) : nil)
            }
            let frames = making?.make(frame) ?? []
            guard making?.failures == Self.failuresMax else { return (frames, nil) }
            return (frames, "\(Self.failuresMax) packets of it in a row could not be turned into Opus")
        }
    }

    private static func problem(_ codec: TrackCodec) -> String {
        OpusTranscoder.isAvailable
            ? "Opus cannot be made of this \(codec.rawValue)"
            : "libavcodec was built without an encoder of Opus (libopus)"
    }

    /// Lets go of everything.
    func rest() { making.withLock { $0 = nil } }

    private static func begin(_ order: Order, with frame: Frame) -> Making {
        let source = frame.configuration
        let parameters = OpusTranscoder.parameters(of: source.parameters)
        return Making(
            order: order, source: source, made: TrackConfiguration(id: 0, parameters: parameters),
            isSilence: frame.isSilence, transcoder: OpusTranscoder(source.parameters),
            builder: FrameBuilder(pool: SlabPool(slabBytes: slabBytes, idleMax: 1)))
    }
}

extension OpusMaker.Making {
    /// Whether a frame may follow in the same coder.
    fileprivate func goesOn(_ order: OpusMaker.Order, with frame: Frame) -> Bool {
        self.order == order && source === frame.configuration && isSilence == frame.isSilence
    }

    /// Turns a frame into packets of Opus.
    fileprivate mutating func make(_ frame: Frame) -> [Frame] {
        guard let transcoder else { return [] }
        var frames: [Frame] = []
        let isTaken = frame.withBytes { bytes in
            transcoder.take(bytes, pts: frame.pts) { packet, pts in
                let made = builder.frame(
                    track: order.track, kind: .audio, dts: pts, isKey: true, arrival: frame.arrival,
                    configuration: made,
                    bytes: packet)
                if let made { frames.append(made) }
            }
        }
        failures = isTaken ? 0 : min(failures, OpusMaker.failuresMax) + 1
        return frames
    }
}
