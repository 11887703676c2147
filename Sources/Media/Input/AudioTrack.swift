import Machines

/// Gives audio packets their times and hands them over as frames, copied or turned into AAC.
final class AudioTrack {
    /// Audio comes in small packets between those of a video frame, so it is written into slabs of its own; small ones,
    /// because a slab is held as long as its youngest frame.
    private static let slabBytes = 16 << 10

    let ordinal: Int
    private let context: DialContext
    private let transcoder: AudioTranscoder?
    private let configuration: TrackConfiguration
    private var writer: SlabWriter
    private var lastDts = Int64.min

    /// A track whose packets are copied.
    init(ordinal: Int, parameters: TrackParameters, context: DialContext) {
        self.ordinal = ordinal
        self.context = context
        transcoder = nil
        configuration = TrackConfiguration(id: 0, parameters: parameters)
        writer = SlabWriter(pool: context.pool, frameBytesMax: 1 << 20, slabBytes: AudioTrack.slabBytes)
    }

    /// A track whose packets go through `transcoder`.
    init(ordinal: Int, transcoder: AudioTranscoder, context: DialContext) {
        self.ordinal = ordinal
        self.context = context
        self.transcoder = transcoder
        configuration = TrackConfiguration(id: 0, parameters: transcoder.parameters)
        writer = SlabWriter(pool: context.pool, frameBytesMax: 1 << 20, slabBytes: AudioTrack.slabBytes)
    }

    var parameters: TrackParameters { configuration.parameters }

    /// How long a packet lasts as its own head or its codec says; nil when only its container or decoder can tell.
    func durationTicks(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard transcoder == nil else { return nil }
        switch parameters.codec {
        case .opus: return OpusPacket.duration(bytes)
        case .aac: return AACConfiguration(parameters.codecConfiguration).map { Int64($0.frameSamples) }
        case .h264, .h265: return nil
        }
    }

    func accept(
        _ bytes: UnsafeRawBufferPointer, _ packet: PacketContext, durationTicks: Int64?, isDamaged: Bool = false
    ) {
        guard !bytes.isEmpty else { return }
        var duration = durationTicks
        if let transcoder { duration = transcoder.decode(bytes).map(Int64.init) }
        if transcoder != nil, duration == nil { return }
        let place = context.timeline.place(
            track: ordinal, raw: packet.stamp, arrival: packet.arrival, durationTicks: duration)
        context.note(place.repair, track: ordinal, at: packet.arrival)
        if let transcoder {
            transcoder.encode(pts: place.pts) { bytes, pts, duration in
                let wall = place.wallClockMs.map { wall in
                    wall + (pts - place.pts) * 1000 / Int64(max(1, transcoder.parameters.timescale))
                }
                emit(bytes, pts: pts, duration: duration, arrival: packet.arrival, wall: wall, isDamaged: isDamaged)
            }
        } else {
            emit(
                bytes, pts: place.pts, duration: duration, arrival: packet.arrival, wall: place.wallClockMs,
                isDamaged: isDamaged)
        }
    }

    /// The stream has ended: hands over what the encoder still holds.
    func flush(at now: Instant) {
        transcoder?.flush { bytes, pts, duration in
            emit(bytes, pts: pts, duration: duration, arrival: now, wall: nil, isDamaged: false)
        }
    }

    private func emit(
        _ bytes: UnsafeRawBufferPointer, pts: Int64, duration: Int64?, arrival: Instant, wall: Int64?, isDamaged: Bool
    ) {
        guard writer.append(bytes), let range = writer.finish() else { return writer.discard() }
        let dts = lastDts == .min ? pts : max(pts, lastDts + 1)
        lastDts = dts
        context.deliver(
            Frame(
                track: ordinal, kind: .audio, dts: dts, pts: dts, durationTicks: duration, isKey: true,
                isRecoveryPoint: false, isDamaged: isDamaged, arrival: arrival, wallClockMs: wall,
                configuration: configuration, storage: range.slab, offset: range.offset, count: range.count))
    }
}
