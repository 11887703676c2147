import Glibc
import Machines

/// What an input's thread runs. `run` returns only by a fault; the input reports it.
protocol InputReader: AnyObject {
    func run() throws(InputFault) -> Never
    /// What was counted, for the report of the end.
    var counts: InputCounts { get }
    /// Hands over what is complete and releases everything; called once, after `run`.
    func finish()
}

/// Reads one camera over RTSP.
final class RTSPReader: InputReader {
    /// Every so often a receiver report is sent.
    private static let reportMs: Int64 = 5_000

    private let limits: InputLimits
    private let stop: StopSignal
    private let dial: RTSPDial
    private let habits: CameraHabits
    /// When the camera began to play.
    private var beganMs: Int64 = 0
    /// When the latest packet came that counts: of the video, where there is one, else of any track.
    private var lastPacketMs: Int64 = 0
    private var lastSoundMs: Int64 = 0
    private var hasVideo = false
    private var nextReportMs: Int64 = 0
    private var media: [RTSPMedium] { dial.media }
    /// Of each channel the media whose packets may come on it, once the camera plays.
    private var senders: [[RTSPMedium]] = []
    private var context: DialContext? { dial.context }

    var counts: InputCounts { context?.counts ?? InputCounts() }

    init(
        address: RTSPAddress, credential: CameraCredential?, transport: RTPTransport, tls: TLSRules,
        g726: G726Order = .auto, habits: CameraHabits,
        sink: any InputSink, pool: SlabPool, limits: InputLimits, stop: StopSignal
    ) {
        self.limits = limits
        self.habits = habits
        self.stop = stop
        dial = RTSPDial(
            address: address, credential: credential, transport: transport, tls: tls, g726: g726,
            sink: sink, pool: pool, limits: limits, stop: stop)
    }

    func run() throws(InputFault) -> Never {
        let client = try dial.run(deadline: BootClock.nowMs() + limits.dialMs)
        senders = (UInt8.min...UInt8.max).map { channel in
            dial.media.filter { medium in medium.channels.contains { $0.packets == channel } }
        }
        hasVideo = media.contains { $0.track.isVideo }
        beganMs = BootClock.nowMs()
        lastPacketMs = beganMs
        nextReportMs = beganMs + RTSPReader.reportMs
        client.beginKeepAlive(dial.address, at: beganMs, sendsUnlistedGet: habits.sendsUnlistedGet)
        for packet in client.takeEarlyPackets() {
            packet.bytes.withUnsafeBytes { take(channel: packet.channel, $0, BootClock.now()) }
        }
        do throws(InputFault) {
            if media.contains(where: { $0.pair != nil }) { try readDatagrams(client) }
            try readInterleaved(client)
        } catch {
            learn(from: error, client, playedMs: BootClock.nowMs() - beganMs)
            throw error
        }
    }

    /// Sessions that end at their timeout may want another sign of life.
    private func learn(from fault: InputFault, _ client: RTSPClient, playedMs: Int64) {
        guard !client.keepAlive.listsGet else { return }
        // Who falls silent ended the session before that was noticed.
        let sinceMs: Int64
        switch fault {
        case .failed(.closed, _): sinceMs = 0
        case .failed(.silence, _):
            // A session of which anything comes has not ended.
            guard BootClock.nowMs() - max(lastPacketMs, lastSoundMs) >= limits.silenceMs else { return }
            sinceMs = limits.silenceMs
        case .failed, .stopped: return
        }
        habits.sessionEnded(
            playedMs: playedMs - sinceMs, sessionMs: client.sessionMs, wasAccepted: client.keepAlive.wasAccepted)
    }

    func finish() {
        let now = BootClock.now()
        for medium in media { medium.track.flush(at: now) }
        context?.tellRepairs(at: now, isEnd: true)
        dial.tellFacts()
        dial.hangUp()
    }

    // MARK: - Reading

    private func readInterleaved(_ client: RTSPClient) throws(InputFault) -> Never {
        let transport = client.connection.transport
        while true {
            let now = BootClock.now()
            while let item = try client.connection.next() {
                switch item {
                case .packet(let channel, let bytes): take(channel: channel, bytes, now)
                case .message(let message): try client.take(message, deadline: now.ms + limits.silenceMs)
                }
            }
            let wakeMs = try keepHouse(client, now)
            if limits.restMs > 0, !transport.mayHaveMore { try gather(from: transport, now, untilMs: wakeMs) }
            _ = try client.connection.fill(deadline: wakeMs)
            if stop.isRaised { throw .stopped }
        }
    }

    /// Lets packets gather, so that one call brings many.
    private func gather(from transport: any ByteTransport, _ now: Instant, untilMs: Int64) throws(InputFault) {
        let isLong = limits.gatherMs > limits.restMs && now.ms - beganMs >= limits.gatherAfterMs
        guard isLong, let sink = context?.sink, !sink.wantsPromptFrames else {
            if stop.wait(ms: limits.restMs) { throw .stopped }
            return
        }
        try transport.gather(bytes: limits.gatherBytes, deadline: min(untilMs, now.ms + limits.gatherMs))
    }

    private func readDatagrams(_ client: RTSPClient) throws(InputFault) -> Never {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        let pairs = media.compactMap { medium in medium.pair.map { (medium.track, $0) } }
        while true {
            let now = BootClock.now()
            for (track, pair) in pairs {
                // A bounded number: who sends faster than it is taken must not hold up what else is due.
                pair.receive(pair.packets, into: buffer, atMost: limits.datagramsAtOnceMax) { bytes in
                    if track.receive(bytes, at: now, isOrdered: false) { noteLife(of: track, at: now) }
                }
                track.takeDue(at: now)
                pair.receive(pair.control, into: buffer, atMost: limits.datagramsAtOnceMax) { bytes in
                    track.receiveControl(bytes, at: now)
                }
            }
            _ = try client.connection.fill(deadline: now.ms)
            while let item = try client.connection.next() {
                if case .message(let message) = item { try client.take(message, deadline: now.ms + limits.silenceMs) }
            }
            let wakeMs = try keepHouse(client, now)
            if limits.restMs > 0, stop.wait(ms: limits.restMs) { throw .stopped }
            try waitForDatagrams(pairs.map(\.1), untilMs: min(wakeMs, BootClock.nowMs() + 1_000))
        }
    }

    private func waitForDatagrams(_ pairs: [DatagramPair], untilMs: Int64) throws(InputFault) {
        if stop.isRaised { throw .stopped }
        var descriptors = pairs.map { pollfd(fd: $0.packets, events: Int16(POLLIN), revents: 0) }
        descriptors.append(pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0))
        let left = max(0, untilMs - BootClock.nowMs())
        _ = poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: left))
        if stop.isRaised { throw .stopped }
    }

    private func take(channel: UInt8, _ bytes: UnsafeRawBufferPointer, _ now: Instant) {
        if let medium = sender(of: bytes, on: channel) {
            if medium.track.receive(bytes, at: now, isOrdered: true) { noteLife(of: medium.track, at: now) }
            return
        }
        // Two media that share a channel share their reports, too.
        for medium in media where medium.channels.contains(where: { $0.control == channel }) {
            medium.track.receiveControl(bytes, at: now)
        }
    }

    /// Whose RTP packet it is. Where the camera has named one channel twice, the payload type tells.
    private func sender(of bytes: UnsafeRawBufferPointer, on channel: UInt8) -> RTSPMedium? {
        let media = senders[Int(channel)]
        guard media.count > 1, let type = RTPPacket(bytes)?.payloadType else { return media.first }
        return media.first { $0.payloadType == type }
    }

    /// A packet has come. A camera whose sound alone goes on is silent: what is to be recorded is its video.
    private func noteLife(of track: RTSPTrack, at now: Instant) {
        if track.isVideo || !hasVideo { lastPacketMs = now.ms } else { lastSoundMs = now.ms }
    }

    private func checkSilence(at now: Instant) throws(InputFault) {
        if now.ms - lastPacketMs >= limits.silenceMs {
            let isHeard = hasVideo && now.ms - lastSoundMs < limits.silenceMs / 2
            let what = isHeard ? "no packet of the video" : "no packet"
            throw .failed(.silence, "\(what) for \(limits.silenceMs) ms" + (isHeard ? ", while sound comes" : ""))
        }
        guard hasVideo else { return }
        // A picture is known to be whole when the next one begins.
        let pictureMs = media.lazy.compactMap { $0.track.lastPicture?.ms }.reduce(beganMs, max)
        guard now.ms - pictureMs >= 2 * limits.silenceMs else { return }
        throw .failed(.silence, "no picture for \(2 * limits.silenceMs) ms, though packets of the video come")
    }

    /// What is due now and then; when it must be looked after next.
    private func keepHouse(_ client: RTSPClient, _ now: Instant) throws(InputFault) -> Int64 {
        try checkSilence(at: now)
        try context?.checkBudget()
        if !media.contains(where: { !$0.track.isOver }) {
            throw .failed(.closed, "the camera has ended the stream")
        }
        if now.ms >= client.keepAlive.dueMs {
            try client.sendKeepAlive(at: now.ms, deadline: now.ms + limits.silenceMs)
        }
        if now.ms >= nextReportMs {
            try sendReports(client, now)
            nextReportMs = now.ms + RTSPReader.reportMs
        }
        context?.tellRepairs(at: now)
        return min(lastPacketMs + limits.silenceMs, client.keepAlive.dueMs, nextReportMs)
    }

    private func sendReports(_ client: RTSPClient, _ now: Instant) throws(InputFault) {
        for medium in media {
            guard let report = medium.track.report(at: now) else { continue }
            if let pair = medium.pair {
                pair.send(control: report)
            } else {
                let channel = medium.channels[0].control
                let head: [UInt8] = [UInt8(ascii: "$"), channel, 0, UInt8(truncatingIfNeeded: report.count)]
                try client.connection.transport.write(head + report, deadline: now.ms + limits.silenceMs)
            }
        }
    }
}
