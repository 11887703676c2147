import CLibav
import Machines

/// One medium of an RTSP session: from RTP packets to frames.
final class RTSPTrack {
    private let context: DialContext
    private let payloadType: UInt8
    // Either the video pair or the audio pair; apart from each other, so that a packet is taken in place.
    private var video: VideoDepacketizer?
    private var videoTrack: VideoTrack?
    private var audio: AudioDepacketizer?
    private var audioTrack: AudioTrack?
    private var receiver = RTPReceiver()
    /// UDP: packets that wait for earlier ones.
    private var early: [(bytes: [UInt8], sequence: UInt16, arrivalMs: Int64)] = []
    let ordinal: Int
    private(set) var isOver = false

    init(ordinal: Int, plan: RTSPTrackPlan, payloadType: UInt8, context: DialContext) {
        self.ordinal = ordinal
        self.context = context
        self.payloadType = payloadType
        switch plan {
        case .video(let codec, let sets):
            let writer = SlabWriter(pool: context.pool, frameBytesMax: context.limits.frameBytesMax)
            video = VideoDepacketizer(assembler: VideoAssembler(codec: codec, writer: writer, sets: sets))
            videoTrack = VideoTrack(ordinal: ordinal, codec: codec, sets: sets, context: context)
        case .copied(let layout, let parameters):
            audio = AudioDepacketizer(layout: layout, unitsMax: context.limits.packetUnitsMax)
            audioTrack = AudioTrack(ordinal: ordinal, parameters: parameters, context: context)
        case .transcoded(let transcoder):
            audio = AudioDepacketizer(layout: .samples, unitsMax: context.limits.packetUnitsMax)
            audioTrack = AudioTrack(ordinal: ordinal, transcoder: transcoder, context: context)
        }
    }

    /// An RTP packet. True when it counts as a sign of life.
    func receive(_ bytes: UnsafeRawBufferPointer, at now: Instant, isOrdered: Bool) -> Bool {
        guard let packet = RTPPacket(bytes), packet.payloadType == payloadType else { return false }
        switch receiver.judge(packet, isOrdered: isOrdered) {
        case .next: take(packet, bytes, now)
        case .afterLoss(let count):
            note(lost: count)
            take(packet, bytes, now)
        case .stale: return false
        case .early:
            if early.count < context.limits.reorderPacketsMax {
                early.append(([UInt8](bytes), packet.sequence, now.ms))
            }
        }
        if !early.isEmpty { takeEarly(now) }
        return true
    }

    /// Takes the packets that waited and are due: next in order, or waited for too long.
    private func takeEarly(_ now: Instant) {
        early.sort { Int16(bitPattern: $0.sequence &- $1.sequence) < 0 }
        while let first = early.first {
            let isForced =
                early.count >= context.limits.reorderPacketsMax || now.ms - first.arrivalMs >= context.limits.reorderMs
            let isTaken = first.bytes.withUnsafeBytes { bytes in
                guard let packet = RTPPacket(bytes) else { return true }
                switch receiver.judge(packet, isOrdered: isForced) {
                case .next: take(packet, bytes, Instant(ms: first.arrivalMs))
                case .afterLoss(let count):
                    note(lost: count)
                    take(packet, bytes, Instant(ms: first.arrivalMs))
                case .stale: break
                case .early: return false
                }
                return true
            }
            guard isTaken else { return }
            early.removeFirst()
        }
    }

    private func note(lost count: Int) {
        context.counts.lostPackets += UInt64(count)
        video?.lost()
        audio?.lost()
    }

    private func take(_ packet: RTPPacket, _ bytes: UnsafeRawBufferPointer, _ now: Instant) {
        let payload = bytes.part(packet.payload)
        let stamp = Int64(packet.timestamp)
        video?.push(payload, PacketContext(stamp: stamp, arrival: now, isMarked: packet.isMarked))
        if let units = video?.takeReady(), let videoTrack { for unit in units { videoTrack.accept(unit) } }
        if let refused = video?.takeRefusals(), !refused.isEmpty { context.note(refused: refused, track: ordinal) }
        guard let audioTrack else { return }
        audio?.push(payload, isMarked: packet.isMarked) { unit, offset, ticks, isDamaged in
            let context = PacketContext(stamp: stamp + offset, arrival: now)
            audioTrack.accept(unit, context, durationTicks: ticks, isDamaged: isDamaged)
        }
    }

    /// An RTCP packet.
    func receiveControl(_ bytes: UnsafeRawBufferPointer, at now: Instant) {
        for item in RTCPItem.read(bytes) {
            switch item {
            case .senderReport(let wallUs, let stamp, let middle):
                receiver.noteReport(middle: middle, arrivalMs: now.ms)
                let repair = context.timeline.report(track: ordinal, raw: Int64(stamp), wallUs: wallUs)
                context.note(repair, track: ordinal, at: now)
            case .bye: isOver = true
            }
        }
    }

    func report(at now: Instant) -> [UInt8]? { receiver.report(nowMs: now.ms) }

    /// The session is over: hands over what is complete.
    func flush(at now: Instant) {
        video?.flush()
        for unit in video?.takeReady() ?? [] { videoTrack?.accept(unit) }
        videoTrack?.flush()
        audioTrack?.flush(at: now)
    }
}
