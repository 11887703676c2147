import Glibc
import Machines

/// Two datagram sockets on neighbouring ports, for RTP and RTCP of one medium.
final class DatagramPair {
    let packets: Int32
    let control: Int32
    /// The even port; RTCP is on the next one.
    let port: UInt16
    private static let attemptsMax = 64
    private static let bufferBytes: Int32 = 1 << 20

    deinit {
        close(packets)
        close(control)
    }

    private init(packets: Int32, control: Int32, port: UInt16) {
        self.packets = packets
        self.control = control
        self.port = port
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
            return DatagramPair(packets: first, control: second, port: port)
        }
        throw .failed(.resources, "no pair of free ports for UDP")
    }

    /// Receives only from the camera's ports, and opens the way for its packets through a firewall in between.
    func connect(_ peer: SocketAddress, packetPort: UInt16, controlPort: UInt16) {
        for (socket, port) in [(packets, packetPort), (control, controlPort)] {
            _ = peer.with(port: port).withPointer { Glibc.connect(socket, $0, $1) }
            let opener: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            _ = Glibc.send(socket, opener, opener.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }

    /// Receives what has come on `socket`, `most` datagrams at most; what is empty counts, too. Gives how many came.
    @discardableResult
    func receive(
        _ socket: Int32, into buffer: UnsafeMutableRawBufferPointer, atMost most: Int,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Int {
        for number in 0..<most {
            let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { return number }
            if count > 0 { body(UnsafeRawBufferPointer(buffer).part(0..<count)) }
        }
        return most
    }

    func send(control bytes: [UInt8]) {
        _ = Glibc.send(control, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    private static func bound(_ address: SocketAddress) -> Int32? {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(Int32(address.storage.ss_family), kind, 0)
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
