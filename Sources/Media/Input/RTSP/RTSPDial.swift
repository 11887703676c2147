import Hashing
import Machines

/// Dials a camera over RTSP until it plays. What a camera refuses, closes the connection for or answers otherwise is tried
/// once in the other way, each time on a new connection and from the begin, all within one deadline.
final class RTSPDial {
    /// What came of one connection.
    private enum Outcome {
        case playing
        /// The camera wants the other transport.
        case otherTransport(RTPTransport)
    }

    /// What came of one SETUP.
    private enum SetUp {
        case done
        case refused(InputFault)
        case otherTransport(RTPTransport)
    }

    /// What is tried. Each part changes at most once, so that the attempts come to an end.
    private struct Approach {
        var transport: RTPTransport
        var mayChangeTransport: Bool
        var login: CameraLogin?
        var hasReturnedWithLogin = false
        /// Why the sound is not set up; nil while it is.
        var soundless: String?
    }

    private let camera: RTSPAddress
    private let tls: TLSRules
    private let g726: G726Order
    private let sink: any InputSink
    private let pool: SlabPool
    private let limits: InputLimits
    private let stop: StopSignal
    private let secrets: SecretFilter
    /// Of the whole dial: another attempt is no fresh budget.
    private let bounds: LoopBounds
    private var approach: Approach
    private var client: RTSPClient?
    /// Whether the SETUP that is on its way can fail without harm to the video.
    private var isSettingUpSound = false
    /// What was set up, in the order in which it was.
    private(set) var media: [RTSPMedium] = []
    private(set) var context: DialContext?
    /// What the camera did otherwise on connections that are over, and while it was set up.
    private var quirks: Set<CameraQuirk> = []
    /// The address of the whole stream.
    private(set) var address: String

    init(
        address: RTSPAddress, credential: CameraCredential?, transport: RTPTransport, tls: TLSRules,
        g726: G726Order, sink: any InputSink, pool: SlabPool, limits: InputLimits, stop: StopSignal
    ) {
        camera = address
        self.address = address.text
        self.tls = tls
        self.g726 = g726
        self.sink = sink
        self.pool = pool
        self.limits = limits
        self.stop = stop
        secrets = SecretFilter(.rtsp(address, credential: credential))
        bounds = LoopBounds(stop: stop, limits: limits)
        // Over TLS packets come in the connection only.
        approach = Approach(
            transport: address.isSecure ? .tcp : transport, mayChangeTransport: !address.isSecure,
            login: credential.map { CameraLogin(credential: $0, isSecure: address.isSecure) })
    }

    /// Dials; gives the connection on which the camera plays.
    func run(deadline: Int64) throws(InputFault) -> RTSPClient {
        while true {
            let client = try connect(deadline: deadline)
            self.client = client
            do throws(InputFault) {
                switch try negotiate(client, deadline: deadline) {
                case .playing: return client
                case .otherTransport(let transport):
                    quirks.insert(.otherTransport)
                    approach.transport = transport
                    approach.mayChangeTransport = false
                    approach.login = client.login
                }
            } catch {
                try reconsider(error, client)
            }
            hangUp()
        }
    }

    /// Tells what is known of the camera besides its tracks; nothing before it has been reached.
    func tellFacts() {
        guard let client else { return }
        var all = quirks.union(client.quirks)
        if client.connection.hasStrayed { all.insert(.strayBytes) }
        if client.login?.demandsSHA256 == true { all.insert(.demandsSHA256) }
        if (context?.counts.foreignPackets ?? 0) > 0 { all.insert(.foreignPackets) }
        sink.noted(
            DialFacts(
                server: client.server, transport: approach.transport, isEncrypted: camera.isSecure,
                login: client.login?.scheme, keepAlive: client.keepAlive.names, sessionMs: client.sessionMs, quirks: all
            ))
    }

    /// Says good-bye and forgets what was set up.
    func hangUp() {
        if let client { quirks.formUnion(client.quirks) }
        client?.teardown(address)
        client = nil
        media = []
    }

    private func connect(deadline: Int64) throws(InputFault) -> RTSPClient {
        try RTSPClient.connect(
            camera, tls: tls, login: approach.login, limits: limits, bounds: bounds, stop: stop, deadline: deadline)
    }

    /// Decides whether to dial again after `fault`; throws what is told where not.
    private func reconsider(_ fault: InputFault, _ client: RTSPClient) throws(InputFault) {
        guard case .failed(let failure, _) = fault, failure == .closed || failure == .timeout else { throw fault }
        // What talks, but not RTSP, is not merely slow or gone.
        if client.connection.hasForeignBytes { throw .failed(.garbage, "what answers does not speak RTSP") }
        guard failure == .closed else { throw fault }
        if client.isChallenged {
            // Some cameras close the connection behind their 401, and take the login on a new one.
            if approach.hasReturnedWithLogin { throw .failed(.unauthorized, "the camera refuses the login") }
            approach.hasReturnedWithLogin = true
            quirks.insert(.closesAfterChallenge)
            approach.login = client.login
        } else if isSettingUpSound, approach.soundless == nil {
            approach.soundless = "the camera closed the connection when its sound was set up"
            approach.login = client.login
        } else {
            throw fault
        }
    }

    // MARK: - One connection

    private func negotiate(_ client: RTSPClient, deadline: Int64) throws(InputFault) -> Outcome {
        isSettingUpSound = false
        // Some cameras do not know OPTIONS; then keep-alive is done by OPTIONS all the same, which refreshes the session.
        _ = try client.answer("OPTIONS", camera.text, deadline: deadline)
        let answer = try client.success("DESCRIBE", camera.text, [("Accept", "application/sdp")], deadline: deadline)
        let sdp = SDP(String(decoding: answer.body, as: UTF8.self), mediaMax: limits.tracksMax)
        let bases = ControlAddress.bases(
            told: ["content-base", "content-location"].map { answer.first($0) }, control: sdp.control, request: camera)
        address = bases.stream
        noteDescription(answer)
        var offer = try RTSPOffer(sdp, g726: g726)
        let context = DialContext(sink: sink, pool: pool, limits: limits, clocks: offer.clocks)
        self.context = context
        // Video first: what becomes of the sound must not harm it.
        for ordinal in offer.order {
            guard let plan = offer.entries[ordinal].plan else { continue }
            let medium = offer.entries[ordinal].medium
            isSettingUpSound = medium.kind == .audio && !media.isEmpty
            if isSettingUpSound, let why = approach.soundless {
                offer.leaveOut(ordinal, why)
                continue
            }
            let track = RTSPTrack(ordinal: ordinal, plan: plan, payloadType: medium.payloadType, context: context)
            let uri = ControlAddress.resolve(medium.control, base: bases.media, request: camera)
            switch try setUp(medium, uri, track, client, deadline: deadline) {
            case .done: break
            case .otherTransport(let transport): return .otherTransport(transport)
            case .refused(.failed(_, let why)) where isSettingUpSound: offer.leaveOut(ordinal, why)
            case .refused(let fault): throw fault
            }
        }
        isSettingUpSound = false
        let play = try client.success("PLAY", bases.stream, [("Range", "npt=0.000-")], deadline: deadline)
        noteZeros(play.first("rtp-info") ?? "", context)
        tellFacts()
        sink.dialed(offer.described(madeOrdinal: context.madeOrdinal).map { $0.hiding(secrets) })
        return .playing
    }

    /// Notes what is unusual in the answer to DESCRIBE.
    private func noteDescription(_ answer: RTSPMessage) {
        if answer.first("content-type") == nil { quirks.insert(.untypedDescription) }
        guard let base = answer.first("content-base")?.trimmingBlanks else { return }
        let isWhole = (base.lowercased().hasPrefix("rtsp://") || base.lowercased().hasPrefix("rtsps://"))
        if !isWhole { quirks.insert(.incompleteBase) }
        if base.contains("@") { quirks.insert(.loginInBase) }
        if isWhole, !base.hasSuffix("/"), !base.contains("?") { quirks.insert(.baseWithoutSlash) }
    }

    /// Sets one medium up.
    private func setUp(
        _ medium: SDP.Media, _ uri: String, _ track: RTSPTrack, _ client: RTSPClient, deadline: Int64
    ) throws(InputFault) -> SetUp {
        let peer = approach.transport == .udp ? client.connection.transport.peer : nil
        let pair = try peer.map { (peer) throws(InputFault) in try DatagramPair.open(peer: peer) }
        let first = UInt8(clamping: media.count * 2)
        let asked = RTSPMedium.Channels(packets: first, control: first + 1)
        let wanted =
            pair.map { "RTP/AVP;unicast;client_port=\($0.port)-\($0.port + 1)" }
            ?? "RTP/AVP/TCP;unicast;interleaved=\(asked.packets)-\(asked.control)"
        let answer: RTSPMessage
        do throws(InputFault) {
            answer = try client.answer("SETUP", uri, [("Transport", wanted)], deadline: deadline)
        } catch {
            if case .failed(.unauthorized, _) = error { return .refused(error) }
            throw error
        }
        let mayChange = approach.mayChangeTransport && media.isEmpty
        let other: RTPTransport = pair == nil ? .udp : .tcp
        if answer.status == 461, mayChange { return .otherTransport(other) }
        if let fault = RTSPClient.fault(answer, to: "SETUP") { return .refused(fault) }
        let given = TransportField(answer.first("transport") ?? "")
        if given.transport == other {
            guard approach.mayChangeTransport else {
                return .refused(.failed(.unsupported, "the camera answers each transport with the other one"))
            }
            return .otherTransport(other)
        }
        if let ports = given.serverPorts { pair?.openWay(packetPort: ports.0, controlPort: ports.1) }
        if pair == nil, given.channels == nil { quirks.insert(.unnamedChannels) }
        if let channels = given.channels, channels != asked { quirks.insert(.otherChannels) }
        var channels = [given.channels ?? asked]
        // Channels that another medium has already are believed, and so are those that were asked for.
        if channels[0] != asked, media.contains(where: { $0.channels.contains(channels[0]) }) { channels.append(asked) }
        if pair == nil {
            for used in channels.flatMap({ [$0.packets, $0.control] }) { client.connection.expect(channel: used) }
        }
        track.announce(given.sources)
        media.append(
            RTSPMedium(
                track: track, payloadType: medium.payloadType, address: uri, channels: pair == nil ? channels : [],
                pair: pair))
        return .done
    }

    /// `url=rtsp://…/track1;seq=7;rtptime=123,url=…`: stamps that mean the same moment, if each medium has one.
    private func noteZeros(_ field: String, _ context: DialContext) {
        var zeros: [(track: Int, stamp: Int64)] = []
        for entry in field.split(separator: ",") {
            let values = TransportField.values(entry)
            guard let url = values["url"], let stamp = values["rtptime"].flatMap({ UInt32($0, radix: 10) }) else {
                continue
            }
            let medium = media.first { $0.address == url } ?? media.first { $0.address.hasSuffix("/" + url) }
            if let medium { zeros.append((medium.track.ordinal, Int64(stamp))) }
        }
        guard zeros.count == media.count else { return }
        for zero in zeros { context.timeline.setZero(zero.stamp, track: zero.track) }
    }
}
