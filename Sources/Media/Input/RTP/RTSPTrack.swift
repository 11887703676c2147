import CLibav
import Machines

/// One medium of an RTSP session: from RTP packets to frames.
final class RTSPTrack {
    private let context: DialContext
    // Either the video pair or the audio pair; apart from each other, so that a packet is taken in place.
    private var video: VideoDepacketizer?
    private var videoTrack: VideoTrack?
    private var audio: AudioDepacketizer?
    private var audioTrack: AudioTrack?
    private var owner: PacketOwner
    private var receiver = RTPReceiver()
    /// UDP: packets that wait for earlier ones.
    private var early: [(bytes: [UInt8], sequence: UInt16, arrivalMs: Int64)] = []
    let ordinal: Int
    private(set) var isOver = false
    /// When the latest picture was whole, which is when the next one began.
    private(set) var lastPicture: Instant?
    var isVideo: Bool { video != nil }

    init(ordinal: Int, plan: RTSPTrackPlan, payloadType: UInt8, context: DialContext) {
        self.ordinal = ordinal
        self.context = context
        owner = PacketOwner(payloadType: payloadType)
        switch plan {
        case .video(let codec, let sets, let hasOrderNumbers):
            let writer = SlabWriter(pool: context.pool, frameBytesMax: context.limits.frameBytesMax)
            video = VideoDepacketizer(
                assembler: VideoAssembler(codec: codec, writer: writer, sets: sets), hasOrderNumbers: hasOrderNumbers)
            videoTrack = VideoTrack(ordinal: ordinal, codec: codec, sets: sets, context: context)
        case .copied(let layout, let parameters):
            audio = AudioDepacketizer(layout: layout, unitsMax: context.limits.packetUnitsMax)
            audioTrack = AudioTrack(ordinal: ordinal, parameters: parameters, context: context)
        case .transcoded(let transcoder):
            audio = AudioDepacketizer(layout: .samples, unitsMax: context.limits.packetUnitsMax)
            audioTrack = AudioTrack(ordinal: ordinal, transcoder: transcoder, context: context)
        }
    }

    /// What the camera said of its packets: the source numbers of its answer to SETUP, which need not be true.
    func announce(_ sources: some Sequence<UInt32>) { owner.announce(sources) }

    /// An RTP packet. True when it counts as a sign of life.
    func receive(_ bytes: UnsafeRawBufferPointer, at now: Instant, isOrdered: Bool) -> Bool {
        guard let packet = RTPPacket(bytes) else { return false }
        switch owner.judge(packet, bytes, at: now.ms, continues: receiver.continues(with: packet)) {
        case .own: return order(packet, bytes, now, isOrdered: isOrdered)
        case .held, .foreign:
            // Comfort noise and the like come under another payload type with numbers of the same row.
            if packet.source == receiver.source { receiver.passOver(packet.sequence) }
            return false
        case .takeOver:
            takeOver(owner.takeHeld(), isOrdered: isOrdered)
            return order(packet, bytes, now, isOrdered: isOrdered)
        }
    }

    /// Another sender is followed: what is in progress ends, and what was kept of the new one comes next.
    private func takeOver(_ held: [HeldPacket], isOrdered: Bool) {
        takeAllEarly()
        receiver.begin()
        video?.changeSender()
        audio?.cut()
        for packet in held { order(packet, isOrdered: isOrdered) }
    }

    private func order(_ held: HeldPacket, isOrdered: Bool) {
        held.bytes.withUnsafeBytes { bytes in
            guard let packet = RTPPacket(bytes) else { return }
            _ = order(packet, bytes, Instant(ms: held.arrivalMs), isOrdered: isOrdered)
        }
    }

    /// A packet of the stream. True when it is new.
    private func order(_ packet: RTPPacket, _ bytes: UnsafeRawBufferPointer, _ now: Instant, isOrdered: Bool) -> Bool {
        switch receiver.judge(packet, bytes, at: now.ms, isOrdered: isOrdered) {
        case .next: take(packet, bytes, now)
        case .afterLoss(let count):
            note(lost: count)
            take(packet, bytes, now)
        case .stale, .astray: return false
        case .renumbered: takeRenumbered()
        // Where too many wait, the first of them is taken right away.
        case .early: early.append(([UInt8](bytes), packet.sequence, now.ms))
        }
        if !early.isEmpty { takeEarly(now) }
        return true
    }

    /// UDP: takes what has waited for long enough, though nothing comes behind it.
    func takeDue(at now: Instant) { if !early.isEmpty { takeEarly(now) } }

    /// Takes the packets that waited and are due: next in order, or waited for too long.
    private func takeEarly(_ now: Instant) {
        early.sort { Int16(bitPattern: $0.sequence &- $1.sequence) < 0 }
        while let first = early.first {
            let isForced =
                early.count >= context.limits.reorderPacketsMax || now.ms - first.arrivalMs >= context.limits.reorderMs
            let isTaken = first.bytes.withUnsafeBytes { bytes in
                guard let packet = RTPPacket(bytes) else { return true }
                switch receiver.judge(packet, bytes, at: first.arrivalMs, isOrdered: isForced) {
                case .next: take(packet, bytes, Instant(ms: first.arrivalMs))
                case .afterLoss(let count):
                    note(lost: count)
                    take(packet, bytes, Instant(ms: first.arrivalMs))
                case .stale, .astray: break
                case .renumbered: _ = receiver.takeAstray()
                case .early: return false
                }
                return true
            }
            guard isTaken else { return }
            early.removeFirst()
        }
    }

    /// Takes all packets that waited, in their order; those that they waited for are lost.
    private func takeAllEarly() {
        early.sort { Int16(bitPattern: $0.sequence &- $1.sequence) < 0 }
        let waiting = early
        early = []
        for held in waiting { order(HeldPacket(bytes: held.bytes, arrivalMs: held.arrivalMs), isOrdered: true) }
    }

    /// The numbers begin anew: what waited in the old ones comes first, then what did not fit into them.
    private func takeRenumbered() {
        let astray = receiver.takeAstray()
        early.sort { Int16(bitPattern: $0.sequence &- $1.sequence) < 0 }
        let waiting = early.map { HeldPacket(bytes: $0.bytes, arrivalMs: $0.arrivalMs) }
        early = []
        if !waiting.isEmpty { note(lost: 1) }
        for held in waiting + astray {
            held.bytes.withUnsafeBytes { bytes in
                if let packet = RTPPacket(bytes) { take(packet, bytes, Instant(ms: held.arrivalMs)) }
            }
        }
    }

    /// Packets are missing.
    private func note(lost count: Int) {
        context.counts.lostPackets += UInt64(count)
        video?.lost()
        audio?.lost()
    }

    private func take(_ packet: RTPPacket, _ bytes: UnsafeRawBufferPointer, _ now: Instant) {
        let payload = bytes.part(packet.payload)
        let stamp = Int64(packet.timestamp)
        video?.push(payload, PacketContext(stamp: stamp, arrival: now, isMarked: packet.isMarked))
        if let units = video?.takeReady(), let videoTrack, !units.isEmpty {
            lastPicture = now
            for unit in units { videoTrack.accept(unit) }
        }
        if let refused = video?.takeRefusals(), !refused.isEmpty { context.note(refused: refused, track: ordinal) }
        guard let audioTrack else { return }
        audio?.push(
            payload, isMarked: packet.isMarked, configure: { audioTrack.configure($0, $1, at: now) }
        ) { unit, offset, ticks, isDamaged in
            let context = PacketContext(stamp: stamp + offset, arrival: now)
            audioTrack.accept(unit, context, durationTicks: ticks, isDamaged: isDamaged)
        }
    }

    /// An RTCP packet. Only what it says of the track's own source counts.
    func receiveControl(_ bytes: UnsafeRawBufferPointer, at now: Instant) {
        for item in RTCPItem.read(bytes) {
            switch item {
            case .senderReport(let source, let wallUs, let stamp, let middle):
                guard source == receiver.source else { continue }
                receiver.noteReport(middle: middle, arrivalMs: now.ms)
                let repair = context.timeline.report(track: ordinal, raw: Int64(stamp), wallUs: wallUs)
                context.note(repair, track: ordinal, at: now)
            case .bye(let sources):
                if let source = receiver.source, sources.contains(source) { isOver = true }
            }
        }
    }

    func report(at now: Instant) -> [UInt8]? { receiver.report(nowMs: now.ms) }

    /// The session is over: hands over what is complete.
    func flush(at now: Instant) {
        let rest = owner.takeRest()
        if !rest.isEmpty { takeOver(rest, isOrdered: true) }
        takeAllEarly()
        context.counts.foreignPackets += owner.foreign
        video?.flush()
        for unit in video?.takeReady() ?? [] { videoTrack?.accept(unit) }
        videoTrack?.flush()
        audioTrack?.flush(at: now)
    }
}
