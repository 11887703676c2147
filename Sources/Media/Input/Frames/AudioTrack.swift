import Machines

/// Gives audio packets their times and hands them over as frames, copied or turned into AAC.
final class AudioTrack {
    /// Audio comes in small packets between those of a video frame, so it is written into slabs of its own; small ones,
    /// because a slab is held as long as its youngest frame.
    private static let slabBytes = 16 << 10

    /// What is made from the packets, for clips.
    private struct Made {
        /// What comes in.
        let source: SampleSound
        let ordinal: Int
        let configuration: TrackConfiguration
        /// Nil while nobody wants it: a coder holds sound of before, which nobody may get later.
        var transcoder: AudioTranscoder?
        var lastDts = Int64.min
        /// Apart from the packets as they come, which others keep for other times.
        var writer: SlabWriter
    }

    let ordinal: Int
    private let context: DialContext
    /// As the packets come; nil where only what is made of them can be handed over.
    private var configuration: TrackConfiguration?
    private var made: Made?
    private var writer: SlabWriter
    private var lastDts = Int64.min
    /// Whether it was told that sound is left out because no silence can be made of it.
    private var isLeftOutTold = false

    private static func writer(_ context: DialContext) -> SlabWriter {
        SlabWriter(pool: context.pool, frameBytesMax: 1 << 20, slabBytes: slabBytes)
    }

    /// A track whose packets are copied.
    init(ordinal: Int, parameters: TrackParameters, context: DialContext) {
        self.ordinal = ordinal
        self.context = context
        configuration = TrackConfiguration(id: 0, parameters: parameters)
        writer = AudioTrack.writer(context)
    }

    /// A track whose packets are copied and go through `transcoder` too, while that is wanted, into track
    /// `DialContext.madeOrdinal`. Where they cannot be had as they come they only go through it.
    init(ordinal: Int, transcoder: AudioTranscoder, context: DialContext) {
        self.ordinal = ordinal
        self.context = context
        let source = transcoder.source
        configuration = source.parameters.map { TrackConfiguration(id: 0, parameters: $0) }
        made = Made(
            source: source, ordinal: configuration == nil ? ordinal : context.madeOrdinal,
            configuration: TrackConfiguration(id: 0, parameters: transcoder.parameters), transcoder: transcoder,
            writer: AudioTrack.writer(context))
        writer = AudioTrack.writer(context)
    }

    /// From `now` on the units are coded so; where that is as before, or clips cannot hold it, nothing changes.
    func configure(_ audio: AACConfiguration, _ bytes: [UInt8], at now: Instant) {
        guard let before = configuration, before.parameters.codecConfiguration != bytes else { return }
        do throws(BitstreamError) { _ = try AudioSpecificConfig(bytes) } catch {
            return context.note(refused: [error], track: ordinal)
        }
        context.noteChange(at: now)
        var parameters = before.parameters
        parameters.codecConfiguration = bytes
        parameters.sampleRate = audio.sampleRate
        parameters.channels = audio.channels
        configuration = TrackConfiguration(id: before.id &+ 1, parameters: parameters)
    }

    /// Ticks a second of the packets' times.
    var timescale: Int32 { (configuration ?? made?.configuration)?.parameters.timescale ?? 1 }

    /// How long a packet lasts as its own head or its codec says; nil when only its container can tell.
    func durationTicks(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        if let made { return Int64(made.source.samples(bytes: bytes.count)) }
        guard let parameters = configuration?.parameters else { return nil }
        switch parameters.codec {
        case .opus: return OpusPacket.duration(bytes)
        case .aac:
            guard case .aac(let coded)? = configuration?.coded else { return nil }
            return Int64(coded.frameSamples) * Int64(parameters.timescale) / Int64(max(1, coded.sampleRate))
        case .h264, .h265, .pcmu, .pcma, .g726, .l16: return nil
        }
    }

    func accept(
        _ bytes: UnsafeRawBufferPointer, _ packet: PacketContext, durationTicks: Int64?, isDamaged: Bool = false,
        isSilence: Bool = false
    ) {
        guard !bytes.isEmpty else { return }
        guard let configuration, isSilence || context.sink.isMuted else {
            return take(bytes, packet, durationTicks: durationTicks, isDamaged: isDamaged)
        }
        guard let silence = EncodedSilence.unit(for: bytes, configuration) else { return leaveOut(configuration) }
        silence.withUnsafeBytes { take($0, packet, durationTicks: durationTicks, isDamaged: false, isSilence: true) }
    }

    /// Leaves sound of a camera whose microphone is off out, where no silence can be made in its place, and says so once.
    private func leaveOut(_ configuration: TrackConfiguration) {
        guard !isLeftOutTold else { return }
        isLeftOutTold = true
        context.sink.refused(
            track: ordinal,
            why: "the microphone is off, and no silence can be made of this \(configuration.parameters.codec.rawValue)")
    }

    private func take(
        _ bytes: UnsafeRawBufferPointer, _ packet: PacketContext, durationTicks: Int64?, isDamaged: Bool,
        isSilence: Bool = false
    ) {
        let duration = made.map { Int64($0.source.samples(bytes: bytes.count)) } ?? durationTicks
        if made != nil, duration == 0 { return }
        let place = context.timeline.place(
            track: ordinal, raw: packet.stamp, arrival: packet.arrival, durationTicks: duration)
        context.note(place.repair, track: ordinal, at: packet.arrival)
        if let configuration {
            let dts = AudioTrack.after(lastDts, place.pts)
            lastDts = dts
            emit(
                writer.frame(bytes), configuration, ordinal, dts: dts, duration: duration, arrival: packet.arrival,
                wall: place.wallClockMs, isDamaged: isDamaged, isSilence: isSilence)
        }
        if made != nil { make(bytes, place, packet, isDamaged: isDamaged) }
    }

    /// Turns a packet into what clips hold, if that is wanted.
    private func make(
        _ bytes: UnsafeRawBufferPointer, _ place: Timeline.Placement, _ packet: PacketContext, isDamaged: Bool
    ) {
        guard configuration == nil || context.sink.wantsStoredSound else {
            made?.transcoder = nil
            return
        }
        if let made, made.transcoder == nil { self.made?.transcoder = made.source.transcoder() }
        guard let made, let transcoder = made.transcoder, transcoder.decode(bytes) != nil else { return }
        // Of files that have no track as they come.
        if configuration == nil, context.sink.isMuted { transcoder.silence() }
        let rate = Int64(max(1, made.configuration.parameters.timescale))
        transcoder.encode(pts: place.pts) { bytes, pts, duration in
            emitMade(
                bytes, pts: pts, duration: duration, arrival: packet.arrival,
                wall: place.wallClockMs.map { $0 &+ (pts &- place.pts).scaled(1000, rate) }, isDamaged: isDamaged)
        }
    }

    /// The stream has ended: hands over what the coder still holds.
    func flush(at now: Instant) {
        made?.transcoder?.flush { bytes, pts, duration in
            emitMade(bytes, pts: pts, duration: duration, arrival: now, wall: nil, isDamaged: false)
        }
    }

    private func emitMade(
        _ bytes: UnsafeRawBufferPointer, pts: Int64, duration: Int64, arrival: Instant, wall: Int64?, isDamaged: Bool
    ) {
        guard let made else { return }
        let dts = AudioTrack.after(made.lastDts, pts)
        self.made?.lastDts = dts
        emit(
            self.made?.writer.frame(bytes), made.configuration, made.ordinal, dts: dts, duration: duration,
            arrival: arrival, wall: wall,
            isDamaged: isDamaged)
    }

    /// Times of a track increase strictly.
    private static func after(_ last: Int64, _ pts: Int64) -> Int64 { last == .min ? pts : max(pts, last + 1) }

    private func emit(
        _ range: SlabRange?, _ configuration: TrackConfiguration, _ ordinal: Int, dts: Int64,
        duration: Int64?, arrival: Instant, wall: Int64?, isDamaged: Bool, isSilence: Bool = false
    ) {
        guard let range else { return }
        context.deliver(
            Frame(
                track: ordinal, kind: .audio, dts: dts, pts: dts, durationTicks: duration, isKey: true,
                isRecoveryPoint: false, isDamaged: isDamaged, isSilence: isSilence, arrival: arrival, wallClockMs: wall,
                configuration: configuration, storage: range.slab, offset: range.offset, count: range.count,
                slack: range.slack))
    }
}

extension AudioTranscoder {
    /// The tracks of a source's sound: as it comes, and made from that. Where it cannot be had as it comes, what is made of it
    /// stands in its place.
    func described(ordinal: Int, madeOrdinal: Int, sourceCodec: String) -> [StreamDescription] {
        guard let source = source.parameters else {
            return [
                StreamDescription(
                    ordinal: ordinal, kind: .audio, sourceCodec: sourceCodec, parameters: parameters, ignored: nil)
            ]
        }
        return [
            StreamDescription(
                ordinal: ordinal, kind: .audio, sourceCodec: sourceCodec, parameters: source, ignored: nil),
            StreamDescription(
                ordinal: madeOrdinal, kind: .audio, sourceCodec: sourceCodec, parameters: parameters, ignored: nil,
                madeFrom: ordinal),
        ]
    }
}
