internal import CDatagrams
internal import Glibc

/// The one socket for the datagrams of all viewers. For one thread, but for what it says of itself.
final class DatagramSocket: @unchecked Sendable {
    // `number` and `local` are set once; everything else is the kernel's.
    /// What the kernel may hold in each direction, in bytes: some key frames.
    private static let bufferBytes: Int32 = 4 << 20

    let number: Int32
    /// Where it is bound.
    let local: vigil_endpoint

    /// Binds a numeric address (`::`: every one of this machine) and a port; 0 is one that is free.
    init(host: String, port: UInt16) throws(TransportProblem) {
        guard var local = vigil_endpoint(host: host, port: port) else {
            throw TransportProblem(description: "\(host) is not a numeric address")
        }
        let number = vigil_datagram_socket(&local, Self.bufferBytes)
        guard number >= 0 else { throw TransportProblem(description: String(cString: strerror(-number))) }
        (self.number, self.local) = (number, local)
    }

    deinit { close(number) }

    /// Numeric addresses under which viewers may reach it.
    var addresses: [String] {
        guard local.isAny else { return [local.host] }
        let only = local.isFour
        let most = 16
        let own = [vigil_endpoint](unsafeUninitializedCapacity: most) { buffer, count in
            count = max(0, Int(vigil_own_addresses(buffer.baseAddress, Int32(clamping: most))))
        }
        // IPv4 first: on most networks at home it is what works.
        return own.filter { !only || $0.isFour }.sorted { $0.isFour && !$1.isFour }.map(\.host)
    }

    /// Sends datagrams to one place; those that the network has no room for are lost, as on the way.
    func send(_ datagrams: [iovec], to endpoint: vigil_endpoint, from local: vigil_endpoint) {
        var (to, from, sent) = (endpoint, local, 0)
        datagrams.withUnsafeBufferPointer { all in
            var tries = 0
            while sent < all.count {
                let rest = UnsafeBufferPointer(rebasing: all[sent...])
                let result = vigil_datagrams_send(number, rest.baseAddress, UInt32(clamping: rest.count), &to, &from)
                if result > 0 { sent += Int(result) }
                if result > 0 || result == -EINTR { continue }
                tries += 1
                // The others do not wait long for this one.
                guard result == -EAGAIN || result == -ENOBUFS, tries <= 2 else { return }
                var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, 2)
            }
        }
    }

    /// Sends one datagram.
    func send(_ bytes: UnsafeRawBufferPointer, to endpoint: vigil_endpoint, from local: vigil_endpoint) {
        send([bytes.vector], to: endpoint, from: local)
    }
}

extension UnsafeRawBufferPointer {
    /// As the system takes it; it writes nothing there.
    var vector: iovec { iovec(iov_base: UnsafeMutableRawPointer(mutating: baseAddress), iov_len: count) }
}

extension vigil_endpoint {
    /// A numeric address.
    init?(host: String, port: UInt16) {
        var bytes = [UInt8](repeating: 0, count: 16)
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &four) == 1 {
            bytes.replaceSubrange(10..<12, with: [0xFF, 0xFF])
            withUnsafeBytes(of: &four) { bytes.replaceSubrange(12..<16, with: $0) }
        } else if inet_pton(AF_INET6, host, &six) == 1 {
            withUnsafeBytes(of: &six) { bytes = Array($0) }
        } else {
            return nil
        }
        let words = bytes.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(first: words.0, last: words.1, port: port)
    }

    /// The address in numbers.
    var host: String {
        let bytes = bytes
        if isFour { return bytes[12...].map(String.init).joined(separator: ".") }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether it stands for every address of this machine.
    var isAny: Bool { bytes.allSatisfy { $0 == 0 } || isFour && bytes[12...].allSatisfy { $0 == 0 } }
}
