import Machines
import Testing

@testable import Media

/// One video track of a camera that is fed packet by packet, at the times that a test says.
final class PacketHarness {
    /// How a packet of a test is made.
    struct Packet {
        var sequence: UInt16
        var stamp: UInt32
        var isMarked = false
        var payload: [UInt8]
        var source: UInt32 = 0x0102_0304
        var payloadType: UInt8 = 96
        /// When it arrives, in milliseconds.
        var arrivalMs: Int64

        var bytes: [UInt8] {
            let words = [stamp, source].flatMap { word in
                (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
            }
            return [0x80, (isMarked ? 0x80 : 0) | payloadType, UInt8(sequence >> 8), UInt8(sequence & 255)] + words
                + payload
        }
    }

    let sink = CollectingSink()
    let context: DialContext
    let track: RTSPTrack
    private(set) var last = Instant(ms: 0)

    init(_ codec: TrackCodec = .h264) {
        context = DialContext(
            sink: sink, pool: SlabPool(), limits: InputLimits(),
            clocks: [Timeline.Clock(kind: .video, timescale: VideoTrack.timescale)])
        track = RTSPTrack(
            ordinal: 0, plan: .video(codec, ParameterSetStore(codec: codec)), payloadType: 96, context: context)
    }

    /// Hands over raw bytes.
    func receive(_ bytes: [UInt8], at ms: Int64, isOrdered: Bool = true) {
        last = Instant(ms: ms)
        bytes.withUnsafeBytes { _ = track.receive($0, at: last, isOrdered: isOrdered) }
    }

    /// Hands over packets, and what was waiting at the end.
    @discardableResult
    func play(_ packets: [Packet], isOrdered: Bool = true) -> CollectingSink.Seen {
        for packet in packets { receive(packet.bytes, at: packet.arrivalMs, isOrdered: isOrdered) }
        return finish()
    }

    func finish() -> CollectingSink.Seen {
        track.flush(at: last)
        context.tellRepairs(at: last, isEnd: true)
        return sink.seen
    }

    /// The packets of `frames` at 25 pictures a second, each arriving when its picture is due.
    static func packets(
        _ frames: some Sequence<Frame>, sequence: UInt16 = 65_500, source: UInt32 = 0x0102_0304, stamp: UInt32 = 9_000,
        ticks: UInt32 = 3_600, startMs: Int64 = 1_000
    ) -> [Packet] {
        var packetizer = Packetizer(sequence: sequence)
        return frames.enumerated().flatMap { index, frame in
            packetizer.packets(CollectingSink.units(frame), stamp: 0).map { bytes in
                Packet(
                    sequence: UInt16(bytes[2]) << 8 | UInt16(bytes[3]), stamp: stamp &+ UInt32(index) &* ticks,
                    isMarked: bytes[1] & 0x80 != 0, payload: Array(bytes[12...]), source: source,
                    arrivalMs: startMs + Int64(index) * 40)
            }
        }
    }

    /// Two seconds of pictures, made once.
    static func pictures() throws -> [Frame] { try made.get() }

    private static let made = Result {
        let maker = try MediaMaker()
        defer { maker.remove() }
        return try RTSPInputTests.frames(maker, bFrames: 0)
    }

    /// The pictures came once each, in order, unchanged and without a mark.
    static func expectWhole(
        _ seen: CollectingSink.Seen, _ source: some Sequence<Frame>, location: SourceLocation = #_sourceLocation
    ) {
        let digests = CollectingSink.digests(source)
        #expect(seen.frames.count == digests.count, sourceLocation: location)
        #expect(CollectingSink.digests(seen.frames) == digests, sourceLocation: location)
        #expect(seen.frames.allSatisfy { !$0.isDamaged }, sourceLocation: location)
        let times = seen.frames.map(\.dts)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, sourceLocation: location)
        // Two seconds of pictures last two seconds.
        let length = (times.last ?? 0) - (times.first ?? 0)
        #expect(abs(length - Int64(digests.count - 1) * 3_600) < 9_000, "\(length)", sourceLocation: location)
    }
}
