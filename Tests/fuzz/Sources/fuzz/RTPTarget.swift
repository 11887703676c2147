import Machines
import Synchronization

@testable import Media

/// RTP and RTCP packets of one medium, to frames. The input is a program: each step says how the next packet's head goes on
/// from the one before, and has a payload. So the fuzzer need not learn to count sequence numbers.
enum RTPTarget {
    private static let descriptions: [Target: [String]] = [
        .rtpH264: [
            "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n",
            "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1;"
                + "sprop-parameter-sets=Z0LAHtkAoEf+iA==,aM44gA==\r\n",
        ],
        .rtpH265: ["m=video 0 RTP/AVP 96\r\na=rtpmap:96 H265/90000\r\n"],
        .rtpAAC: [
            aac("13", "3"), aac("6", "2"), aac("16", "0"), aac("1", "0"),
        ],
        .rtpLATM: [
            "m=audio 0 RTP/AVP 96\r\na=rtpmap:96 MP4A-LATM/48000/2\r\na=fmtp:96 cpresent=0;config=400023203fc0\r\n",
            "m=audio 0 RTP/AVP 96\r\na=rtpmap:96 MP4A-LATM/16000/1\r\na=fmtp:96 cpresent=0;config=40002810\r\n",
            "m=audio 0 RTP/AVP 96\r\na=rtpmap:96 MP4A-LATM/16000/1\r\na=fmtp:96 cpresent=1\r\n",
        ],
        .rtpG711: [
            "m=audio 0 RTP/AVP 0\r\n", "m=audio 0 RTP/AVP 8\r\n",
            "m=audio 0 RTP/AVP 96\r\na=rtpmap:96 G726-32/8000\r\n",
            "m=audio 0 RTP/AVP 96\r\na=rtpmap:96 L16/44100/2\r\n",
        ],
    ]

    private static func aac(_ size: String, _ index: String) -> String {
        "m=audio 0 RTP/AVP 96\r\na=rtpmap:96 MPEG4-GENERIC/48000/2\r\n"
            + "a=fmtp:96 mode=AAC-hbr;config=1190;sizelength=\(size);indexlength=\(index);indexdeltalength=\(index)\r\n"
    }

    static func run(_ bytes: UnsafeRawBufferPointer, _ target: Target) {
        var feed = Feed(bytes)
        let options = feed.byte()
        guard let texts = descriptions[target] else { return }
        let text = texts[Int(options >> 4) % texts.count]
        guard let media = SDP(text, mediaMax: 8).media.first, let plan = try? RTSPTrackPlan.plan(media) else { return }
        let frames = Mutex<[Frame]>([])
        let checker = FrameChecker { frame, count in
            if count <= framesMax { frames.withLock { $0.append(frame) } }
        }
        var limits = InputLimits()
        limits.frameBytesMax = options & 8 == 0 ? 1 << 20 : 256
        let context = DialContext(
            sink: checker, pool: pool, limits: limits, clocks: [plan.clock(media)])
        let track = RTSPTrack(ordinal: 0, plan: plan, payloadType: media.payloadType, context: context)
        var packets = Packets(payloadType: media.payloadType, isOrdered: options & 1 == 0)
        while !feed.isAtEnd { packets.step(&feed, track) }
        track.flush(at: packets.now)
        context.tellRepairs(at: packets.now, isEnd: true)
        let seen = checker.seen
        hold(context.counts.frames == UInt64(seen.frames), "what is counted is what was handed over")
        var made = MadeTracks()
        for frame in frames.withLock({ $0 }) { made.take(frame) }
        made.write()
        // Each unit is in one frame, behind a length of four bytes; the least unit takes one byte of a packet. What is made
        // of sound is coded anew.
        if target != .rtpG711 {
            hold(seen.bytes <= 8 * packets.payloadBytes, "\(packets.payloadBytes) bytes became \(seen.bytes)")
        }
    }

    /// The most frames of an input that are made into files.
    private static let framesMax = 200
    static let pool = SlabPool(slabBytes: 64 << 10, idleMax: 8)
}

/// Makes packets as the input says.
private struct Packets {
    let payloadType: UInt8
    let isOrdered: Bool
    private(set) var now = Instant(ms: 1_000_000)
    private(set) var payloadBytes = 0
    private var sequence: UInt16 = 65_530
    private var stamp: UInt32 = 4_294_900_000
    private var source: UInt32 = 0x1234_5678
    private var reports = 0

    init(payloadType: UInt8, isOrdered: Bool) {
        self.payloadType = payloadType
        self.isOrdered = isOrdered
    }

    mutating func step(_ feed: inout Feed, _ track: RTSPTrack) {
        let control = feed.byte()
        let isMarked = control & 1 != 0
        switch control >> 1 & 3 {
        case 2: sequence &+= 2
        case 3: sequence = feed.number()
        default: sequence &+= 1
        }
        switch control >> 3 & 3 {
        case 1: stamp &+= 3_600
        case 2: stamp &+= feed.number()
        case 3: stamp &-= 3_600
        default: break
        }
        now = Instant(ms: now.ms &+ (control & 0x20 == 0 ? 20 : Int64(feed.number(UInt16.self))))
        let count = Int(feed.number(UInt16.self) & 0x7FF)
        let payload = feed.take(count)
        payloadBytes += payload.count
        switch control >> 6 {
        case 1: track.receiveControl(payload, at: now)
        case 2: _ = track.receive(payload, at: now, isOrdered: isOrdered)
        case 3:
            source &+= 1
            reports += track.report(at: now)?.count ?? 0
            send(payload, isMarked, track)
        default: send(payload, isMarked, track)
        }
    }

    private func send(_ payload: UnsafeRawBufferPointer, _ isMarked: Bool, _ track: RTSPTrack) {
        var packet: [UInt8] = [0x80, payloadType | (isMarked ? 0x80 : 0), UInt8(sequence >> 8), UInt8(sequence & 0xFF)]
        for word in [stamp, source] {
            for shift: UInt32 in [24, 16, 8, 0] { packet.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        packet += payload
        packet.withUnsafeBytes { _ = track.receive($0, at: now, isOrdered: isOrdered) }
    }
}
