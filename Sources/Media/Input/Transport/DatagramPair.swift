import Glibc
import Machines

/// Two datagram sockets on neighbouring ports, for RTP and RTCP of one medium. They take what the camera's host sends from any
/// port, because cameras name other ports than they use, or none; what other hosts send is passed over.
final class DatagramPair {
    let packets: Int32
    let control: Int32
    /// The even port; RTCP is on the next one.
    let port: UInt16
    private let peer: SocketAddress
    /// The camera's port for RTCP: as it says, else where its reports come from.
    private var controlPort: UInt16 = 0
    private static let attemptsMax = 64
    private static let bufferBytes: Int32 = 1 << 20

    deinit {
        close(packets)
        close(control)
    }

    private init(packets: Int32, control: Int32, port: UInt16, peer: SocketAddress) {
        self.packets = packets
        self.control = control
        self.port = port
        self.peer = peer
    }

    /// A pair for packets of `peer`.
    static func open(peer: SocketAddress) throws(InputFault) -> DatagramPair {
        for _ in 0..<attemptsMax {
            guard let first = bound(peer.wildcard) else { continue }
            let port = localPort(first)
            guard port % 2 == 0, port < .max, let second = bound(peer.wildcard.with(port: port + 1)) else {
                close(first)
                continue
            }
            return DatagramPair(packets: first, control: second, port: port, peer: peer)
        }
        throw .failed(.resources, "no pair of free ports for UDP")
    }

    /// Opens the way for packets from the ports that the camera names through a firewall in between.
    func openWay(packetPort: UInt16, controlPort: UInt16) {
        // A camera that knows no port of its own says 0 or 1.
        self.controlPort = controlPort > 1 ? controlPort : 0
        for (socket, port) in [(packets, packetPort), (control, controlPort)] where port > 1 {
            send(socket, [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], to: port)
        }
    }

    /// Receives what has come on `socket`, `most` datagrams at most; what is empty or comes from another host counts, too. Gives
    /// how many came.
    @discardableResult
    func receive(
        _ socket: Int32, into buffer: UnsafeMutableRawBufferPointer, atMost most: Int,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Int {
        var from = SocketAddress()
        for number in 0..<most {
            from.length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let count = withUnsafeMutablePointer(to: &from.storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT), $0, &from.length)
                }
            }
            guard count >= 0 else { return number }
            guard count > 0, from.hasHost(of: peer) else { continue }
            if socket == control, controlPort == 0 { controlPort = from.port }
            body(UnsafeRawBufferPointer(buffer).part(0..<count))
        }
        return most
    }

    func send(control bytes: [UInt8]) { if controlPort > 0 { send(control, bytes, to: controlPort) } }

    private func send(_ socket: Int32, _ bytes: [UInt8], to port: UInt16) {
        _ = peer.with(port: port).withPointer {
            sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0, $1)
        }
    }

    private static func bound(_ address: SocketAddress) -> Int32? {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(Int32(clamping: address.storage.ss_family), kind, 0)
        guard descriptor >= 0 else { return nil }
        var bytes = bufferBytes
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func localPort(_ descriptor: Int32) -> UInt16 {
        var address = SocketAddress(storage: sockaddr_storage(), length: socklen_t(MemoryLayout<sockaddr_storage>.size))
        withUnsafeMutablePointer(to: &address.storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &address.length)
            }
        }
        return address.port
    }
}
