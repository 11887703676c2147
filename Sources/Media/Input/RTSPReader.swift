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
    /// A medium that has been set up.
    private struct Medium {
        let track: RTSPTrack
        let address: String
        let channel: UInt8
        let pair: DatagramPair?
    }

    /// Every so often a receiver report is sent.
    private static let reportMs: Int64 = 5_000

    private let address: RTSPAddress
    private let credential: CameraCredential?
    private let transport: RTPTransport
    private let tls: TLSRules
    private let sink: any InputSink
    private let pool: SlabPool
    private let limits: InputLimits
    private let stop: StopSignal
    private var client: RTSPClient?
    private var context: DialContext?
    private var media: [Medium] = []
    private var base = ""
    private var lastPacketMs: Int64 = 0
    private var nextKeepAliveMs: Int64 = 0
    private var nextReportMs: Int64 = 0

    var counts: InputCounts { context?.counts ?? InputCounts() }

    init(
        address: RTSPAddress, credential: CameraCredential?, transport: RTPTransport, tls: TLSRules,
        sink: any InputSink, pool: SlabPool, limits: InputLimits, stop: StopSignal
    ) {
        self.address = address
        self.credential = credential
        self.transport = address.isSecure ? .tcp : transport
        self.tls = tls
        self.sink = sink
        self.pool = pool
        self.limits = limits
        self.stop = stop
    }

    func run() throws(InputFault) -> Never {
        let client = try dial(deadline: BootClock.nowMs() + limits.dialMs)
        lastPacketMs = BootClock.nowMs()
        nextReportMs = lastPacketMs + RTSPReader.reportMs
        nextKeepAliveMs = lastPacketMs + client.sessionMs / 2
        for packet in client.takeEarlyPackets() {
            packet.bytes.withUnsafeBytes { take(channel: packet.channel, $0, BootClock.now()) }
        }
        if transport == .udp { try readDatagrams(client) }
        try readInterleaved(client)
    }

    func finish() {
        let now = BootClock.now()
        for medium in media { medium.track.flush(at: now) }
        context?.tellRepairs(at: now, isEnd: true)
        client?.teardown(base)
        media = []
        client = nil
    }

    // MARK: - Dialling

    private func dial(deadline: Int64) throws(InputFault) -> RTSPClient {
        let transport: any ByteTransport =
            address.isSecure
            ? try TLSTransport(host: address.host, port: address.port, rules: tls, deadline: deadline, stop: stop)
            : try TCPTransport.connect(host: address.host, port: address.port, deadline: deadline, stop: stop)
        let connection = RTSPConnection(transport: transport, answerBytesMax: limits.answerBytesMax)
        let client = RTSPClient(connection: connection, credential: credential, stop: stop)
        self.client = client
        do {
            try negotiate(client, deadline: deadline)
        } catch {
            // What talks, but not RTSP, is not merely slow or gone.
            if case .failed(let failure, _) = error, failure == .closed || failure == .timeout,
                connection.hasForeignBytes
            {
                throw .failed(.garbage, "what answers does not speak RTSP")
            }
            throw error
        }
        return client
    }

    private func negotiate(_ client: RTSPClient, deadline: Int64) throws(InputFault) {
        // Some cameras do not know OPTIONS; then keep-alive is done by OPTIONS all the same, which refreshes the session.
        _ = try client.answer("OPTIONS", address.text, deadline: deadline)
        let answer = try client.success(
            "DESCRIBE", address.text, [("Accept", "application/sdp")], deadline: deadline)
        base = answer.first("content-base") ?? answer.first("content-location") ?? address.text
        let sdp = SDP(String(decoding: answer.body, as: UTF8.self), mediaMax: limits.tracksMax)
        let streams = try setUp(sdp, client, deadline: deadline)
        base = ControlAddress.resolve(sdp.control, base: base)
        let play = try client.success("PLAY", base, [("Range", "npt=0.000-")], deadline: deadline)
        noteZeros(play.first("rtp-info") ?? "")
        sink.dialed(streams)
    }

    private func setUp(_ sdp: SDP, _ client: RTSPClient, deadline: Int64) throws(InputFault) -> [StreamDescription] {
        var plans: [(media: SDP.Media, plan: RTSPTrackPlan?, why: String?)] = []
        var kinds: Set<TrackKind> = []
        for media in sdp.media {
            do throws(RTSPTrackPlan.Unsupported) {
                let plan = try RTSPTrackPlan.plan(media)
                // One video and one audio track make a clip.
                let isFirst = kinds.insert(media.kind).inserted
                plans.append(
                    (media, isFirst ? plan : nil, isFirst ? nil : "the camera offers more than one such track"))
            } catch {
                plans.append((media, nil, error.reason))
            }
        }
        guard !kinds.isEmpty else {
            let names = sdp.media.map { RTSPClient.printable($0.encoding) }.joined(separator: ", ")
            throw .failed(
                .unsupported, names.isEmpty ? "the camera offers no media" : "the camera offers only \(names)")
        }
        let clocks = plans.map { $0.plan?.clock($0.media) ?? Timeline.Clock(kind: $0.media.kind, timescale: 90_000) }
        let context = DialContext(sink: sink, pool: pool, limits: limits, clocks: clocks)
        self.context = context
        for (ordinal, entry) in plans.enumerated() {
            guard let plan = entry.plan else { continue }
            let track = RTSPTrack(
                ordinal: ordinal, plan: plan, payloadType: entry.media.payloadType, context: context)
            try setUp(entry.media, track, client, deadline: deadline)
        }
        let described = plans.enumerated().map { ordinal, entry -> [StreamDescription] in
            let name = RTSPClient.printable(entry.media.encoding)
            if case .transcoded(let transcoder) = entry.plan {
                return transcoder.described(ordinal: ordinal, madeOrdinal: context.madeOrdinal, sourceCodec: name)
            }
            return [
                StreamDescription(
                    ordinal: ordinal, kind: entry.media.kind, sourceCodec: name, parameters: entry.plan?.parameters,
                    ignored: entry.why)
            ]
        }
        return described.flatMap { $0 }.sorted { $0.ordinal < $1.ordinal }
    }

    private func setUp(
        _ medium: SDP.Media, _ track: RTSPTrack, _ client: RTSPClient, deadline: Int64
    ) throws(InputFault) {
        let uri = ControlAddress.resolve(medium.control, base: base)
        let peer = transport == .udp ? client.connection.transport.peer : nil
        let pair = try peer.map { (peer) throws(InputFault) in try DatagramPair.open(peer: peer) }
        let channel = UInt8(clamping: media.count * 2)
        let wanted =
            pair.map { "RTP/AVP;unicast;client_port=\($0.port)-\($0.port + 1)" }
            ?? "RTP/AVP/TCP;unicast;interleaved=\(channel)-\(channel + 1)"
        let answer = try client.success("SETUP", uri, [("Transport", wanted)], deadline: deadline)
        let given = RTSPReader.transport(answer.first("transport") ?? "")
        if let pair, let peer, let ports = given["server_port"].flatMap(RTSPReader.ports) {
            pair.connect(peer, packetPort: ports.0, controlPort: ports.1)
        }
        let used = given["interleaved"].flatMap(RTSPReader.ports).map { UInt8(clamping: $0.0) } ?? channel
        media.append(Medium(track: track, address: uri, channel: used, pair: pair))
    }

    /// `url=rtsp://…/track1;seq=7;rtptime=123,url=…`: stamps that mean the same moment, if each medium has one.
    private func noteZeros(_ field: String) {
        var zeros: [(track: Int, stamp: Int64)] = []
        for entry in field.split(separator: ",") {
            let values = RTSPReader.transport(String(entry))
            guard let url = values["url"], let stamp = values["rtptime"].flatMap({ UInt32($0) }) else { continue }
            let medium = media.first { $0.address == url } ?? media.first { $0.address.hasSuffix("/" + url) }
            if let medium { zeros.append((medium.track.ordinal, Int64(stamp))) }
        }
        guard zeros.count == media.count else { return }
        for zero in zeros { context?.timeline.setZero(zero.stamp, track: zero.track) }
    }

    /// `RTP/AVP/TCP;unicast;interleaved=0-1` by name.
    static func transport(_ field: String) -> [String: String] {
        var values: [String: String] = [:]
        for part in field.split(separator: ";") {
            let halves = part.split(separator: "=", maxSplits: 1)
            if halves.count == 2 { values[halves[0].trimmingBlanks.lowercased()] = halves[1].trimmingBlanks }
        }
        return values
    }

    private static func ports(_ text: String) -> (UInt16, UInt16)? {
        let numbers = text.split(separator: "-").compactMap { UInt16($0) }
        guard let first = numbers.first else { return nil }
        return (first, numbers.count > 1 ? numbers[1] : first &+ 1)
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
            // Packets are let gather, so that one call brings many.
            if limits.restMs > 0, !transport.mayHaveMore, stop.wait(ms: limits.restMs) { throw .stopped }
            let deadline = transport.canReturnEarly ? wakeMs : lastPacketMs + limits.silenceMs
            _ = try client.connection.fill(deadline: deadline)
            if stop.isRaised { throw .stopped }
        }
    }

    private func readDatagrams(_ client: RTSPClient) throws(InputFault) -> Never {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        let pairs = media.compactMap { medium in medium.pair.map { (medium.track, $0) } }
        while true {
            let now = BootClock.now()
            for (track, pair) in pairs {
                while pair.receive(
                    pair.packets, into: buffer,
                    { bytes in
                        if track.receive(bytes, at: now, isOrdered: false) { lastPacketMs = now.ms }
                    })
                {}
                while pair.receive(pair.control, into: buffer, { track.receiveControl($0, at: now) }) {}
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
        for medium in media where medium.channel == channel & ~1 || medium.channel == channel {
            if channel == medium.channel {
                if medium.track.receive(bytes, at: now, isOrdered: true) { lastPacketMs = now.ms }
            } else {
                medium.track.receiveControl(bytes, at: now)
            }
            return
        }
    }

    /// What is due now and then; when it must be looked after next.
    private func keepHouse(_ client: RTSPClient, _ now: Instant) throws(InputFault) -> Int64 {
        if now.ms - lastPacketMs >= limits.silenceMs {
            throw .failed(.silence, "no packet for \(limits.silenceMs) ms")
        }
        try context?.checkBudget()
        if !media.contains(where: { !$0.track.isOver }) {
            throw .failed(.closed, "the camera has ended the stream")
        }
        if now.ms >= nextKeepAliveMs {
            try client.keepAlive(base, deadline: now.ms + limits.silenceMs)
            nextKeepAliveMs = now.ms + client.sessionMs / 2
        }
        if now.ms >= nextReportMs {
            try sendReports(client, now)
            nextReportMs = now.ms + RTSPReader.reportMs
        }
        context?.tellRepairs(at: now)
        return min(lastPacketMs + limits.silenceMs, nextKeepAliveMs, nextReportMs)
    }

    private func sendReports(_ client: RTSPClient, _ now: Instant) throws(InputFault) {
        for medium in media {
            guard let report = medium.track.report(at: now) else { continue }
            if let pair = medium.pair {
                pair.send(control: report)
            } else {
                let head: [UInt8] = [UInt8(ascii: "$"), medium.channel | 1, 0, UInt8(truncatingIfNeeded: report.count)]
                try client.connection.transport.write(head + report, deadline: now.ms + limits.silenceMs)
            }
        }
    }
}
