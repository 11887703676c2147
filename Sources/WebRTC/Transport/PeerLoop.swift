internal import CDatagrams
internal import Glibc

/// The one thread of all viewers: datagrams, commands, and what time brings, in turn. A datagram that no viewer has signed finds
/// nothing, changes nothing, and is not answered.
final class PeerLoop {
    /// The characters of the name by which checks find their viewer: they are its number here.
    static let userBytes = 8

    private let socket: DatagramSocket
    private let identity: DTLSIdentity
    private var peers: [UInt64: PeerConnection] = [:]
    private var paths: [DatagramAddress: UInt64] = [:]
    private var tickedMs: Int64 = 0

    init(_ socket: DatagramSocket, _ identity: DTLSIdentity) { (self.socket, self.identity) = (socket, identity) }

    /// The number of a viewer by its name of `userBytes` characters.
    static func id(_ user: String) -> UInt64 { user.utf8.prefix(userBytes).reduce(0) { $0 << 8 | UInt64($1) } }

    /// Serves viewers until it is told to stop.
    func run(_ host: PeerHost) {
        vigil_name_thread("vigil.webrtc")
        while true {
            let now = PeerClock.nowMs()
            for command in host.take() {
                guard perform(command, now) else { return end(host) }
            }
            takeDatagrams(now)
            if now - tickedMs >= PeerLimits.tickMs {
                tickedMs = now
                let wallMs = PeerClock.wallMs()
                for peer in peers.values { peer.tick(nowMs: now, wallMs: wallMs) }
            }
            for peer in peers.values where peer.isPaced { peer.goOn(nowMs: now) }
            forget(host)
            let isPaced = peers.values.contains(where: \.isPaced)
            host.wait(peers.isEmpty ? -1 : Int32(clamping: isPaced ? PeerLimits.paceMs : PeerLimits.tickMs))
        }
    }

    private func end(_ host: PeerHost) {
        for command in host.take(ending: true) {
            if case .frame(_, _, let continuation) = command { continuation.resume(returning: false) }
            if case .add(let setup) = command { setup.tell(.ended(.closed)) }
        }
        let wallMs = PeerClock.wallMs()
        for peer in peers.values { peer.close(wallMs: wallMs) }
        forget(host)
    }

    /// Carries out a command; false where that is to stop.
    private func perform(_ command: PeerHost.Command, _ now: Int64) -> Bool {
        switch command {
        case .add(let setup):
            peers[Self.id(setup.local.user)] = PeerConnection(setup, socket, identity, nowMs: now)
        case .frame(let id, let frame, let continuation):
            guard let peer = peers[id] else {
                continuation.resume(returning: false)
                break
            }
            peer.send(frame, nowMs: now, continuation)
        case .close(let id): peers[id]?.close(wallMs: PeerClock.wallMs())
        case .stop: return false
        }
        return true
    }

    /// Lets go of those that are over.
    private func forget(_ host: PeerHost) {
        for (id, peer) in peers where peer.end != nil {
            for path in peer.paths where paths[path] == id { paths[path] = nil }
            peers[id] = nil
            host.left()
        }
    }

    // MARK: Datagrams

    private func takeDatagrams(_ now: Int64) {
        withUnsafeTemporaryAllocation(byteCount: PeerLimits.datagramBytes, alignment: 16) { room in
            var (from, to) = (vigil_endpoint(), vigil_endpoint())
            for _ in 0..<PeerLimits.datagramsOfTurn {
                let size = vigil_datagram_receive(socket.number, room.baseAddress, room.count, &from, &to)
                if size == -Int(EAGAIN) { return }
                // An error is that of a datagram before, or of one that is too long: the next one may be good.
                guard size > 0 else { continue }
                take(UnsafeMutableRawBufferPointer(rebasing: room[..<size]), from, to, now)
            }
        }
    }

    /// RFC 7983: what a datagram is, by its first byte.
    private func take(
        _ bytes: UnsafeMutableRawBufferPointer, _ from: vigil_endpoint, _ to: vigil_endpoint, _ now: Int64
    ) {
        switch bytes[0] {
        case 0...3: check(UnsafeRawBufferPointer(bytes), from, to, now)
        case 20...63:
            paths[DatagramAddress(from)].flatMap { peers[$0] }?.takeHandshake(UnsafeRawBufferPointer(bytes), nowMs: now)
        case 128...191: paths[DatagramAddress(from)].flatMap { peers[$0] }?.takeProtected(bytes, nowMs: now)
        default: break
        }
    }

    private func check(
        _ bytes: UnsafeRawBufferPointer, _ from: vigil_endpoint, _ to: vigil_endpoint, _ now: Int64
    ) {
        guard let message = STUNMessage(bytes), message.type == STUNMessage.bindingRequest,
            let name = message.username, name.count > Self.userBytes,
            bytes[name.lowerBound + Self.userBytes] == UInt8(ascii: ":")
        else { return }
        let user = bytes[name].prefix(Self.userBytes)
        let id = user.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let peer = peers[id], message.isSigned(peer.key, bytes) else { return }
        let answer: STUNAnswer.Kind
        if let unknown = message.unknown {
            answer = .unknown(unknown)
        } else if message.isControlled {
            answer = .roleConflict
        } else {
            answer = .success(from)
            if let forgotten = peer.heard(message, from: from, to: to, nowMs: now), paths[forgotten] == id {
                paths[forgotten] = nil
            }
            paths[DatagramAddress(from)] = id
        }
        withUnsafeTemporaryAllocation(byteCount: STUNAnswer.bytesMax, alignment: 8) { room in
            let count = STUNAnswer.write(answer, to: message, peer.key, into: room)
            socket.send(UnsafeRawBufferPointer(rebasing: room[..<count]), to: from, from: to)
        }
    }
}
