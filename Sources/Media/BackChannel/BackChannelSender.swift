import Machines

/// Sends sound to a camera in real time, a packet at a time. Used by the thread of its back channel.
final class BackChannelSender {
    /// What is late by more than this is left out, in milliseconds: the camera plays on with the present.
    static let lateMsMax: Int64 = 200
    /// A camera that takes no packet for this many milliseconds is gone.
    static let writeMs: Int64 = 3_000

    private var playout: Playout?
    private var sent: UInt64 = 0

    /// What was counted.
    var counts: BackChannel.Counts {
        var counts = BackChannel.Counts()
        counts.sent = sent
        guard let playout else { return counts }
        (counts.played, counts.refused) = (playout.played, playout.refused)
        (counts.dropped, counts.cutMs) = (playout.dropped, playout.cutMs)
        return counts
    }

    /// Sends until the camera ends it, or the input is stopped. `spoken` gives what the talker has sent since it was asked last.
    func run(_ line: BackChannelDial.Line, spoken: () -> [SpokenPacket]) throws(InputFault) -> Never {
        guard let playout = Playout(line.format) else {
            throw .failed(.unsupported, "there is no encoder for the loudspeaker's \(line.format.name)")
        }
        self.playout = playout
        let client = line.client
        var pace = Pace(line.format, beganMs: BootClock.nowMs())
        var packets = OutgoingSound(line)
        while true {
            for packet in spoken() { playout.take(packet) }
            let now = BootClock.nowMs()
            if pace.skip(nowMs: now) { packets.breakOff() }
            while pace.dueMs <= now {
                if let payload = playout.next() {
                    let bytes = packets.packet(payload, stamp: pace.stamp)
                    try client.connection.transport.write(bytes, deadline: now + Self.writeMs)
                    sent &+= 1
                }
                pace.advance()
            }
            if now >= client.keepAlive.dueMs { try client.sendKeepAlive(at: now, deadline: now + Self.writeMs) }
            // What the camera says is read while the next packet is waited for.
            _ = try client.connection.fill(deadline: min(pace.dueMs, client.keepAlive.dueMs))
            while let item = try client.connection.next() {
                if case .message(let message) = item { try client.take(message, deadline: now + Self.writeMs) }
            }
        }
    }
}

/// When each packet is due.
private struct Pace {
    private let format: BackChannelFormat
    private let beganMs: Int64
    private var packet: Int64 = 0

    init(_ format: BackChannelFormat, beganMs: Int64) { (self.format, self.beganMs) = (format, beganMs) }

    /// When the next one is, in milliseconds of `BootClock`.
    var dueMs: Int64 { beganMs + packet * Int64(format.packetSamples) * 1_000 / Int64(format.sampleRate) }

    /// Its first sample, from the begin.
    var stamp: UInt32 { UInt32(truncatingIfNeeded: packet * Int64(format.packetSamples)) }

    mutating func advance() { packet += 1 }

    /// Leaves out what is late; whether anything was.
    mutating func skip(nowMs: Int64) -> Bool {
        guard nowMs - dueMs > BackChannelSender.lateMsMax else { return false }
        packet = (nowMs - beganMs) * Int64(format.sampleRate) / 1_000 / Int64(format.packetSamples)
        return true
    }
}

/// The packets of one connection, each as it lies in it: behind a dollar sign, the channel and its length (RFC 2326, 10.12).
private struct OutgoingSound {
    private let channel: UInt8
    private let payloadType: UInt8
    private let source = UInt32.random(in: 1 ... .max)
    private let firstStamp = UInt32.random(in: 0 ... .max)
    // Not near a wrap: RFC 3711, 3.3.1 lets a receiver lose its place there.
    private var sequence = UInt16.random(in: 0..<0x4000)
    private let isUnit: Bool
    /// Whether what follows does not follow on what was sent (RFC 3551, 4.1).
    private var isBegin = true

    init(_ line: BackChannelDial.Line) {
        (channel, payloadType) = (line.channel, line.format.payloadType)
        isUnit = line.format.coding == .aac
    }

    /// What comes next does not follow on what was sent.
    mutating func breakOff() { isBegin = true }

    /// The next packet; `stamp` counts from 0.
    mutating func packet(_ payload: [UInt8], stamp: UInt32) -> [UInt8] {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        // Of AAC each packet ends an access unit (RFC 3640, 3.1).
        let mark: UInt8 = isBegin || isUnit ? 0x80 : 0
        defer {
            sequence &+= 1
            isBegin = false
        }
        return [UInt8(ascii: "$"), channel] + bytes(UInt16(clamping: 12 + payload.count)) + [0x80, payloadType | mark]
            + bytes(sequence) + bytes(firstStamp &+ stamp) + bytes(source) + payload
    }
}
