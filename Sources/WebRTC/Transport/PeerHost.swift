internal import CDatagrams
internal import Glibc
internal import Synchronization

/// Takes the viewers of WebRTC: one socket, and one thread that serves them all. Whoever calls is never held up.
public final class PeerHost: Sendable {
    /// Why a viewer is not taken.
    public enum Refusal: Error, Hashable, Sendable {
        /// Its offer.
        case offer(OfferFault)
        /// There are `PeerLimits.peersMax` already.
        case full
        /// There is no address that it could be told.
        case noAddress
        /// This end is being stopped.
        case stopped
    }

    /// A viewer that was taken.
    public struct Opened: Sendable {
        /// What it is spoken to with.
        public let peer: Peer
        /// The session description that answers its offer. It holds a secret: the password of the checks.
        public let answer: String
        /// In which forms the picture can be sent.
        public let forms: Set<VideoForm>
        /// Whether sound is sent.
        public let hasSound: Bool
        /// Whether sound of the viewer's own is taken.
        public let isHeard: Bool
    }

    enum Command: Sendable {
        case add(PeerConnection.Setup)
        case frame(UInt64, OutgoingFrame, CheckedContinuation<Bool, Never>)
        case close(UInt64)
        case stop
    }

    private struct State {
        var commands: [Command] = []
        var peers = 0
        var isOver = false
        /// The thread, until somebody waits for its end.
        var thread: pthread_t?
    }

    private let state = Mutex(State())
    private let socket: DatagramSocket
    private let identity: DTLSIdentity
    private let advertised: [String]
    private let wake: Int32

    /// Binds a numeric address and a port. The certificate and its key are in PEM, and known to no file: viewers compare its sum
    /// with the answer to their offer, so it need not be signed by anybody. Viewers are told `advertised`, or where that is empty the addresses of
    /// this machine. `start` has to be called once.
    public init(
        host: String, port: UInt16, certificate: [UInt8], key: [UInt8], advertised: [String] = []
    ) throws(TransportProblem) {
        socket = try DatagramSocket(host: host, port: port)
        identity = try DTLSIdentity(certificate: certificate, key: key)
        self.advertised = advertised
        wake = vigil_wake_make()
        guard wake >= 0 else { throw TransportProblem(description: String(cString: strerror(-wake))) }
    }

    deinit {
        close(wake)
        if let thread = state.withLock({ $0.thread }) { pthread_detach(thread) }
    }

    /// The port for datagrams.
    public var port: UInt16 { socket.local.port }

    /// Begins to serve viewers, on a thread of its own, until `stop`. Throws where there can be no thread.
    public func start() throws(TransportProblem) {
        var thread = pthread_t()
        // The thread keeps the host; it gives it back when it ends.
        let host = Unmanaged.passRetained(self)
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
            guard let pointer else { return nil }
            let host = Unmanaged<PeerHost>.fromOpaque(pointer).takeRetainedValue()
            PeerLoop(host.socket, host.identity).run(host)
            return nil
        }
        let code = pthread_create(&thread, nil, body, host.toOpaque())
        guard code == 0 else {
            host.release()
            _ = take(ending: true)
            throw TransportProblem(description: "there is no thread for it: " + String(cString: strerror(code)))
        }
        state.withLock { [thread] in $0.thread = thread }
    }

    /// Ends all viewers, and takes none any more. Does not wait for it.
    public func stop() { post(.stop) }

    /// Waits until viewers were told of the stop and the thread has ended, some milliseconds after `stop`. Blocks.
    public func join() {
        let thread = state.withLock { state in
            defer { state.thread = nil }
            return state.thread
        }
        if let thread { pthread_join(thread, nil) }
    }

    /// Throws what `open` would throw whatever is sent, so that nothing is begun for an offer that cannot be taken.
    public func check(_ offer: SessionOffer) throws(Refusal) {
        do throws(OfferFault) { _ = try NegotiatedMedia(offer, SentMedia(nil)) } catch { throw .offer(error) }
        let refusal: Refusal? = state.withLock { state in
            state.isOver ? .stopped : state.peers >= PeerLimits.peersMax ? .full : nil
        }
        if let refusal { throw refusal }
    }

    /// Takes a viewer for its offer. `tell` is told what becomes of it, in order, and `hear` what it says, both on the thread of the
    /// host: they must not block.
    public func open(
        _ offer: SessionOffer, _ sent: SentMedia, hear: @escaping @Sendable (HeardPacket) -> Void = { _ in },
        tell: @escaping @Sendable (PeerEvent) -> Void
    ) throws(Refusal) -> Opened {
        let media: NegotiatedMedia
        do throws(OfferFault) { media = try NegotiatedMedia(offer, sent) } catch { throw .offer(error) }
        let addresses = advertised.isEmpty ? socket.addresses : advertised
        guard !addresses.isEmpty else { throw .noAddress }
        let taken: Refusal? = state.withLock { state in
            if state.isOver { return .stopped }
            if state.peers >= PeerLimits.peersMax { return .full }
            state.peers += 1
            return nil
        }
        if let taken { throw taken }
        let local = SessionAnswer.Local(
            user: Self.secret(PeerLoop.userBytes), password: Self.secret(24), fingerprint: identity.fingerprint,
            addresses: addresses, port: port, videoSource: .random(in: 1 ... .max),
            soundSource: .random(in: 1 ... .max),
            name: Self.secret(16), session: .random(in: 0 ... .max))
        let answer = SessionAnswer(offer: offer, media: media, local: local).text
        post(.add(PeerConnection.Setup(local: local, media: media, tell: tell, hear: hear)))
        return Opened(
            peer: Peer(self, PeerLoop.id(local.user)), answer: answer, forms: Set(media.video.types.keys),
            hasSound: media.sound != nil,
            isHeard: media.heard != nil)
    }

    /// Characters at random of those that RFC 8839, 5.4 allows; 6 bits each.
    private static func secret(_ count: Int) -> String {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return String((0..<count).map { _ in characters[Int.random(in: 0..<64)] })
    }

    // MARK: Between the threads

    /// Sends a frame; false where the viewer is over.
    func send(_ frame: OutgoingFrame, to peer: UInt64) async -> Bool {
        await withCheckedContinuation { post(.frame(peer, frame, $0)) }
    }

    func post(_ command: Command) {
        let isTaken = state.withLock { state in
            guard !state.isOver else { return false }
            // Nothing stands behind a stop: what comes later is answered here.
            if case .stop = command { state.isOver = true }
            state.commands.append(command)
            return true
        }
        guard isTaken else {
            if case .frame(_, _, let continuation) = command { continuation.resume(returning: false) }
            if case .add(let setup) = command { setup.tell(.ended(.closed)) }
            return
        }
        vigil_wake_tell(wake)
    }

    /// What is to be done; with `ending` nothing is taken any more.
    func take(ending: Bool = false) -> [Command] {
        state.withLock { state in
            if ending { state.isOver = true }
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// A viewer is over.
    func left() { state.withLock { $0.peers -= 1 } }

    /// Waits until a datagram or a command is there, for so many milliseconds at most; negative: without end.
    func wait(_ timeoutMs: Int32) {
        var waiting = [
            pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        poll(&waiting, 2, timeoutMs)
        if waiting[1].revents != 0 { vigil_wake_take(wake) }
    }
}

/// One viewer of a host. Who lets go of it has closed it.
public final class Peer: Sendable {
    private let host: PeerHost
    private let id: UInt64

    init(_ host: PeerHost, _ id: UInt64) { (self.host, self.id) = (host, id) }

    /// Sends a frame, and waits until the system has it; false where the viewer is over, or not yet connected.
    public func send(_ frame: OutgoingFrame) async -> Bool { await host.send(frame, to: id) }

    /// Ends it; `ended(.closed)` is told.
    public func close() { host.post(.close(id)) }

    deinit { close() }
}

/// The clocks of this machine.
enum PeerClock {
    /// Milliseconds that only go forward.
    static func nowMs() -> Int64 { ms(CLOCK_BOOTTIME) }
    /// Milliseconds since 1970.
    static func wallMs() -> Int64 { ms(CLOCK_REALTIME) }

    private static func ms(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
