import CDatagrams
import Glibc
import Media
import Synchronization
import Testing

@testable import WebRTC

/// A host at a free port of this machine, spoken to over a socket.
@Suite struct PeerHostTests {
    private let host: PeerHost
    private let socket: DatagramSocket

    init() throws {
        host = try Self.host("127.0.0.1")
        try host.start()
        socket = try DatagramSocket(host: "127.0.0.1", port: 0)
    }

    @Test("a check that is signed is answered with where it came from, and no other one")
    func checks() throws {
        defer { host.stop() }
        let opened = try host.open(try SessionOffer(Samples.offer()), SentMedia(.h264(profile: 0x42))) { _ in }
        let user = try #require(Self.value("a=ice-ufrag:", opened.answer))
        let key = Array(try #require(Self.value("a=ice-pwd:", opened.answer)).utf8)
        #expect(opened.answer.contains("a=candidate:1 1 udp 2130706431 127.0.0.1 \(host.port) typ host\r\n"))
        // What is not signed by this viewer comes first, so that an answer to it would be seen.
        send(Self.request("\(user):them", Array("another".utf8), 1))
        send(Self.request("xxxxxxxx:them", key, 2))
        send(Array(repeating: 22, count: 100))
        send(Array(repeating: 0x80, count: 100))
        send(Self.request("\(user):them", key, 3))
        let answer = try #require(receive())
        try answer.withUnsafeBytes { bytes in
            let message = try #require(STUNMessage(bytes))
            #expect(message.type == 0x0101 && message.isSigned(key, bytes) && message.transaction.last == 3)
        }
        let port = socket.local.port ^ 0x2112
        #expect(answer[20..<28] == [0, 0x20, 0, 8, 0, 1, UInt8(port >> 8), UInt8(port & 0xFF)])
    }

    @Test("a viewer that closes is told of, and gives its place back")
    func places() async throws {
        defer { host.stop() }
        let offer = try SessionOffer(Samples.offer())
        var taken: [PeerHost.Opened] = []
        let (ends, tell) = AsyncStream.makeStream(of: PeerEvent.self)
        for _ in 0..<PeerLimits.peersMax {
            taken.append(try host.open(offer, SentMedia(.h264(profile: 0x42))) { tell.yield($0) })
        }
        let full = #expect(throws: PeerHost.Refusal.self) {
            try host.open(offer, SentMedia(.h264(profile: 0x42))) { _ in }
        }
        #expect(full == .full)
        taken[0].peer.close()
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == .ended(.closed))
        let frame = OutgoingFrame(.sound, stamp: 0, wallMs: nil, bytes: NoBytes())
        // Answered in turn: by then the place is free.
        #expect(await !taken[0].peer.send(frame))
        #expect(throws: Never.self) { taken[0] = try host.open(offer, SentMedia(.h264(profile: 0x42))) { _ in } }
    }

    @Test("of the network of a viewer that is not yet connected nothing is told")
    func unconnected() throws {
        defer { host.stop() }
        let media = try NegotiatedMedia(try SessionOffer(Samples.offer()), SentMedia(.h264(profile: 0x42)))
        let identity = try DTLSIdentity(certificate: Self.own.certificate, key: Self.own.key)
        let local = SessionAnswer.Local(
            user: "12345678", password: "secret", fingerprint: identity.fingerprint, addresses: ["127.0.0.1"], port: 9,
            videoSource: 1, soundSource: 2, name: "camera", session: 3)
        let told = Mutex<[PeerEvent]>([])
        let setup = PeerConnection.Setup(
            local: local, media: media, tell: { event in told.withLock { $0.append(event) } }
        ) { _ in }
        let peer = PeerConnection(setup, socket, identity, nowMs: 5_000)
        for nowMs in stride(from: Int64(5_000), through: 19_900, by: 100) {
            peer.tick(nowMs: nowMs, wallMs: nowMs)
        }
        #expect(told.withLock { $0 } == [])
        peer.tick(nowMs: 20_000, wallMs: 20_000)
        #expect(told.withLock { $0 } == [.ended(.failed("no check came within 15 s"))])
    }

    @Test("a stop ends all viewers, and none is taken afterwards")
    func stop() async throws {
        let offer = try SessionOffer(Samples.offer())
        let (ends, tell) = AsyncStream.makeStream(of: PeerEvent.self)
        let opened = try host.open(offer, SentMedia(.h264(profile: 0x42))) { tell.yield($0) }
        host.stop()
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == .ended(.closed))
        #expect(await !opened.peer.send(OutgoingFrame(.sound, stamp: 0, wallMs: nil, bytes: NoBytes())))
        let refusal = #expect(throws: PeerHost.Refusal.self) {
            try host.open(offer, SentMedia(.h264(profile: 0x42))) { _ in }
        }
        #expect(refusal == .stopped)
    }

    @Test(
        "what comes behind a stop is answered: no viewer waits for ever, and the thread ends",
        .timeLimit(.minutes(15)))
    func behindAStop() async throws {
        defer { host.stop() }
        // Its thread finds viewer, stop and frame in one turn.
        let late = try Self.host("127.0.0.1")
        let (ends, tell) = AsyncStream.makeStream(of: PeerEvent.self)
        let opened = try late.open(try SessionOffer(Samples.offer()), SentMedia(.h264(profile: 0x42))) {
            tell.yield($0)
        }
        late.stop()
        let sent = Task { await opened.peer.send(OutgoingFrame(.sound, stamp: 0, wallMs: nil, bytes: NoBytes())) }
        #expect(await !sent.value)
        try late.start()
        late.join()
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == .ended(.closed))
    }

    @Test("an offer that cannot be taken is refused before anything is begun for it")
    func check() throws {
        defer { host.stop() }
        #expect(throws: Never.self) { try host.check(try SessionOffer(Samples.offer())) }
        let other = try SessionOffer(Samples.offer().replacing("H264/90000", with: "VP8/90000"))
        #expect(throws: PeerHost.Refusal.self) { try host.check(other) }
    }

    @Test("an address that is none, or of another machine, is told")
    func noAddress() {
        #expect(throws: TransportProblem(description: "example is not a numeric address")) {
            try Self.host("example")
        }
        #expect(throws: TransportProblem(description: "Cannot assign requested address")) {
            try Self.host("192.0.2.77")
        }
        #expect(throws: TransportProblem.self) { try Self.host("127.0.0.1", (Self.own.certificate, [1, 2, 3])) }
    }

    /// A certificate and its key.
    private static let own: (certificate: [UInt8], key: [UInt8]) = {
        let made = try? SelfSignedCertificate(name: "webrtc", addresses: [], from: 1_700_000_000, to: 2_700_000_000)
        return (made?.certificate ?? [], made?.key ?? [])
    }()

    private static func host(
        _ address: String, _ own: (certificate: [UInt8], key: [UInt8]) = own
    ) throws(TransportProblem) -> PeerHost {
        try PeerHost(host: address, port: 0, certificate: own.certificate, key: own.key)
    }

    private struct NoBytes: FrameBytes {
        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    private static func value(_ name: String, _ text: String) -> String? {
        text.split(separator: "\r\n").first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
    }

    /// A signed request for a binding.
    private static func request(_ name: String, _ key: [UInt8], _ number: UInt8) -> [UInt8] {
        let name = Array(name.utf8)
        let filled = name + [UInt8](repeating: 0, count: (4 - name.count % 4) % 4)
        var message: [UInt8] = [0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42] + [UInt8](repeating: 0, count: 11) + [number]
        message += [0, 6, 0, UInt8(name.count)] + filled
        message[3] = UInt8(message.count - 20 + 24)
        let sum = message.withUnsafeBytes { MessageIntegrity.sum($0, key) }
        return message + [0, 8, 0, 20] + withUnsafeBytes(of: sum) { Array($0.prefix(20)) }
    }

    private func send(_ bytes: [UInt8]) {
        guard var to = vigil_endpoint(host: "127.0.0.1", port: host.port) else { return }
        to.port = host.port
        bytes.withUnsafeBytes { socket.send($0, to: to, from: vigil_endpoint()) }
    }

    /// The next datagram; nil where none comes within some seconds.
    private func receive() -> [UInt8]? {
        var waiting = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 20_000) == 1 else { return nil }
        var (from, to) = (vigil_endpoint(), vigil_endpoint())
        var bytes = [UInt8](repeating: 0, count: 2_048)
        let count = vigil_datagram_receive(socket.number, &bytes, bytes.count, &from, &to)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
