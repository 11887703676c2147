internal import CDatagrams
internal import Glibc

/// One viewer: its path, its DTLS, and the packets that it gets. Confined to the thread of `PeerHost`.
final class PeerConnection {
    /// What makes one.
    struct Setup: Sendable {
        let local: SessionAnswer.Local
        /// The payload types of the picture in each form in which it may be sent.
        let videoTypes: [VideoForm: UInt8]
        /// The form of the sound, if there is one: its payload type, its ticks a second, and whether a packet of it can be cut
        /// anywhere, because a byte of G.711 is a sample.
        let soundForm: (type: UInt8, rate: Int, isCut: Bool)?
        /// The sums of the viewer's certificate.
        let fingerprints: [Fingerprint]
        /// How what the viewer says may be coded, by payload types; empty where it is not heard.
        let codings: [UInt8: HeardPacket.Coding]
        let tell: @Sendable (PeerEvent) -> Void
        let hear: @Sendable (HeardPacket) -> Void

        /// Of what was negotiated only that is kept which is used: the rest may be large.
        init(
            local: SessionAnswer.Local, media: NegotiatedMedia, tell: @escaping @Sendable (PeerEvent) -> Void,
            hear: @escaping @Sendable (HeardPacket) -> Void
        ) {
            self.local = local
            videoTypes = media.video.types
            soundForm = media.sound.map { ($0.format.payloadType, $0.format.clockRate, $0.format.name != "OPUS") }
            fingerprints = media.transport.fingerprints
            codings = media.heard?.codings ?? [:]
            (self.tell, self.hear) = (tell, hear)
        }
    }

    let setup: Setup
    /// The key with which checks are signed.
    let key: [UInt8]
    private let socket: DatagramSocket
    private let identity: DTLSIdentity
    /// From where it was heard, by checks that it signed; the oldest first.
    private(set) var paths: [DatagramAddress] = []
    /// To where packets go, and from which address.
    private var selected: (to: vigil_endpoint, from: vigil_endpoint)?
    private var isNominated = false
    private var dtls: DTLSSession?
    private var srtp: SRTPSession?
    private var video: SentTrack
    private var sound: SentTrack?
    private let history = PacketHistory()
    /// How many of the last packets of the video have not gone yet; they are the last ones in the history.
    private var pending = 0
    private var pace = PacketPace()
    /// Who waits until all of a frame has gone.
    private var waiting: CheckedContinuation<Bool, Never>?
    private let packetizer = VideoPacketizer(payloadMax: PeerLimits.packetBytes - RTPHeader.bytes)
    private let bornMs: Int64
    private var heardMs: Int64
    private var requests = PictureRequests()
    private var network: NetworkStretch
    private var again = (sinceMs: Int64(0), count: 0)
    private var heard = (sinceMs: Int64(0), count: 0)
    /// Why it is over.
    private(set) var end: PeerEnd?

    init(_ setup: Setup, _ socket: DatagramSocket, _ identity: DTLSIdentity, nowMs: Int64) {
        (self.setup, self.socket, self.identity) = (setup, socket, identity)
        key = Array(setup.local.password.utf8)
        (bornMs, heardMs) = (nowMs, nowMs)
        video = SentTrack(source: setup.local.videoSource, payloadType: 0, rate: 90_000)
        network = NetworkStretch(at: nowMs, video)
        sound = setup.soundForm.map {
            SentTrack(source: setup.local.soundSource, payloadType: $0.type, rate: Int64($0.rate))
        }
    }

    // MARK: What comes

    /// A check that it has signed. Gives the path that is forgotten for it.
    func heard(
        _ message: STUNMessage, from remote: vigil_endpoint, to local: vigil_endpoint, nowMs: Int64
    ) -> DatagramAddress? {
        heardMs = nowMs
        if message.isNominating || !isNominated {
            selected = (remote, local)
            isNominated = isNominated || message.isNominating
        }
        let path = DatagramAddress(remote)
        if paths.contains(path) { return nil }
        paths.append(path)
        guard paths.count > PeerLimits.pathsMax else { return nil }
        let used = selected.map { DatagramAddress($0.to) }
        return paths.firstIndex { $0 != used }.map { paths.remove(at: $0) }
    }

    /// A datagram of DTLS, from one of its paths.
    func takeHandshake(_ bytes: UnsafeRawBufferPointer, nowMs: Int64) {
        if dtls == nil {
            do throws(TransportProblem) {
                dtls = try DTLSSession(identity, expecting: setup.fingerprints) { [unowned self] in
                    guard let selected else { return }
                    socket.send($0, to: selected.to, from: selected.from)
                }
            } catch {
                return finish(.failed(error.description))
            }
        }
        dtls?.take(bytes)
        look(nowMs: nowMs)
    }

    private func look(nowMs: Int64) {
        switch dtls?.state {
        case .open(let keys) where srtp == nil:
            srtp = SRTPSession(keys)
            network = NetworkStretch(at: nowMs, video)
            if srtp == nil { finish(.failed("SRTP takes no such keys")) } else { setup.tell(.connected) }
        case .over(let why): finish(srtp == nil ? .failed(why) : .left)
        case .open, .shaking, nil: break
        }
    }

    /// A packet of SRTP or SRTCP, from one of its paths. Opened in place.
    func takeProtected(_ bytes: UnsafeMutableRawBufferPointer, nowMs: Int64) {
        // RFC 5761, 4: which of both it is.
        guard let srtp, bytes.count >= 8 else { return }
        guard (192...223).contains(bytes[1]) else { return hear(bytes, srtp, nowMs: nowMs) }
        guard let count = srtp.openControl(bytes) else { return }
        let packet = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count])
        guard let feedback = ControlFeedback(packet, video: video.source) else { return }
        if feedback.isBye { return finish(.left) }
        network.take(feedback, of: video.source)
        if feedback.wantsPicture, requests.take(nowMs) { setup.tell(.pictureWanted) }
        if !feedback.lost.isEmpty { repeatPackets(feedback.lost, nowMs) }
    }

    /// A packet of what the viewer says.
    private func hear(_ bytes: UnsafeMutableRawBufferPointer, _ srtp: SRTPSession, nowMs: Int64) {
        guard !setup.codings.isEmpty else { return }
        if nowMs - heard.sinceMs >= 1_000 { heard = (nowMs, 0) }
        heard.count += 1
        guard heard.count <= PeerLimits.heardMax, let count = srtp.open(bytes) else { return }
        let opened = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count])
        if let packet = HeardPacket(opened, setup.codings) { setup.hear(packet) }
    }

    private func repeatPackets(_ lost: [UInt16], _ nowMs: Int64) {
        guard let selected else { return }
        if nowMs - again.sinceMs >= 1_000 { again = (nowMs, 0) }
        var datagrams: [iovec] = []
        // What is lost because the network is full must not fill it.
        let most = min(PeerLimits.againMax, max(PeerLimits.againMin, network.packetsBefore / 2))
        for sequence in lost where again.count < most {
            guard let packet = history.again(sequence, nowMs: nowMs) else { continue }
            again.count += 1
            datagrams.append(packet.vector)
        }
        socket.send(datagrams, to: selected.to, from: selected.from)
    }

    // MARK: What goes

    /// Sends a frame, and tells `continuation` when all of it has gone; false where nothing can be sent.
    func send(_ frame: OutgoingFrame, nowMs: Int64, _ continuation: CheckedContinuation<Bool, Never>) {
        guard let srtp, end == nil else { return continuation.resume(returning: false) }
        switch frame.kind {
        case .video(let form, let isKey, let sets):
            guard let type = setup.videoTypes[form] else { return continuation.resume(returning: false) }
            video.payloadType = type
            sendVideo(frame, form, isKey: isKey, sets, srtp)
            // A viewer has one frame on its way.
            waiting?.resume(returning: false)
            waiting = continuation
            goOn(nowMs: nowMs)
        case .sound:
            sendSound(frame, srtp)
            continuation.resume(returning: true)
        }
    }

    /// Whether packets wait until they may go.
    var isPaced: Bool { pending > 0 }

    /// Sends what may go by now.
    func goOn(nowMs: Int64) {
        if pending > 0 { release(pace.take(pending, nowMs: nowMs)) }
        guard pending == 0, let waiting else { return }
        self.waiting = nil
        waiting.resume(returning: true)
    }

    /// Sends the first of the packets that have not gone.
    private func release(_ count: Int) {
        guard let selected, count > 0 else { return }
        let first = video.sequence &- UInt16(clamping: pending)
        let datagrams = (0..<UInt16(clamping: count)).map { history[first &+ $0].vector }
        pending -= count
        socket.send(datagrams, to: selected.to, from: selected.from)
    }

    private func sendVideo(
        _ frame: OutgoingFrame, _ form: VideoForm, isKey: Bool, _ sets: [[UInt8]], _ srtp: SRTPSession
    ) {
        frame.bytes.withBytes { bytes in
            packetizer.cut(bytes, form, isKey: isKey, parameterSets: sets) { payload, isLast in
                let sequence = video.sequence
                let room = history.room(for: sequence)
                let head = video.next(stamp: frame.stamp, isLast: isLast, payloadBytes: payload.count)
                let count = write(payload, head, room)
                guard let size = srtp.protect(room, count: count) else { return }
                history.keep(sequence, count: size)
                pending += 1
                // Of a picture that is larger than the history, what would be overwritten goes at once.
                if pending == PacketHistory.packetsMax { release(64) }
            }
        }
        if let wallMs = frame.wallMs { video.moment = (frame.stamp, wallMs) }
    }

    private func sendSound(_ frame: OutgoingFrame, _ srtp: SRTPSession) {
        guard let selected, let form = setup.soundForm else { return }
        let most = PeerLimits.packetBytes - RTPHeader.bytes
        frame.bytes.withBytes { bytes in
            // A packet of Opus goes whole (RFC 7587, 4.2) or not at all. One of 20 ms is too long at more than 470 kbit/s, one of
            // 120 ms at more than 79.
            guard form.isCut || bytes.count <= most else { return }
            withUnsafeTemporaryAllocation(byteCount: PacketHistory.packetBytes, alignment: 16) { room in
                var place = 0
                while place < bytes.count {
                    let payload = UnsafeRawBufferPointer(rebasing: bytes[place..<min(place + most, bytes.count)])
                    let stamp = frame.stamp &+ UInt32(truncatingIfNeeded: place)
                    place += payload.count
                    guard let head = sound?.next(stamp: stamp, isLast: false, payloadBytes: payload.count),
                        let size = srtp.protect(room, count: write(payload, head, room))
                    else { return }
                    socket.send(UnsafeRawBufferPointer(rebasing: room[..<size]), to: selected.to, from: selected.from)
                }
            }
        }
        if let wallMs = frame.wallMs { sound?.moment = (frame.stamp, wallMs) }
    }

    private func write(
        _ payload: UnsafeRawBufferPointer, _ head: RTPHeader, _ room: UnsafeMutableRawBufferPointer
    ) -> Int {
        let end = RTPHeader.bytes + payload.count
        head.write(into: room)
        UnsafeMutableRawBufferPointer(rebasing: room[RTPHeader.bytes..<end]).copyMemory(from: payload)
        return end
    }

    private func report(wallMs: Int64, isBye: Bool = false) {
        guard let srtp, let selected else { return }
        for track in [video, sound].compactMap({ $0 }) {
            guard let report = track.report(wallMs: wallMs, name: setup.local.name) else { continue }
            withUnsafeTemporaryAllocation(byteCount: SenderReport.bytesMax + SRTPSession.trailerBytes, alignment: 16) {
                let count = report.write(into: $0, isBye: isBye)
                guard let size = srtp.protectControl($0, count: count) else { return }
                socket.send(UnsafeRawBufferPointer(rebasing: $0[..<size]), to: selected.to, from: selected.from)
            }
        }
    }

    // MARK: Time, and the end

    /// Does what time has brought.
    func tick(nowMs: Int64, wallMs: Int64) {
        if let timeout = dtls?.timeoutMs, timeout == 0 {
            dtls?.goOn()
            look(nowMs: nowMs)
        }
        if srtp == nil, nowMs - bornMs >= PeerLimits.connectMsMax {
            let what = paths.isEmpty ? "no check came" : "the handshake was not finished"
            finish(.failed("\(what) within \(PeerLimits.connectMsMax / 1_000) s"))
        }
        if nowMs - heardMs >= PeerLimits.consentMsMax { finish(.silent) }
        // Before it is connected there is nothing to tell it, and nothing that could have been sent.
        if end == nil, srtp != nil, nowMs - network.sinceMs >= PeerLimits.reportMs {
            report(wallMs: wallMs)
            let (told, next) = network.end(at: nowMs, video)
            network = next
            if let told { setup.tell(.network(told)) }
        }
    }

    /// Ends it from here, and tells the viewer.
    func close(wallMs: Int64) {
        report(wallMs: wallMs, isBye: true)
        dtls?.close()
        finish(.closed)
    }

    private func finish(_ why: PeerEnd) {
        guard end == nil else { return }
        end = why
        waiting?.resume(returning: false)
        waiting = nil
        setup.tell(.ended(why))
    }
}
