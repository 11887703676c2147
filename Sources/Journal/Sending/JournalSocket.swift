internal import Glibc

/// journald's datagram socket.
///
/// The socket is not connected: each record names the address, so a journald that was restarted is found again by the
/// next record. A record that is too long for a datagram goes in a sealed memfd, of which only the descriptor is sent.
final class JournalSocket: Outlet {
    /// Where journald listens (systemd.journal-fields(7)).
    static let standardPath = "/run/systemd/journal/socket"
    /// The send buffer that is asked for, bytes; the kernel may grant less.
    static let sendBufferBytes: Int32 = 8 << 20

    /// Longer records go in a memory file without a try as a datagram: below the kernel's default limit, so that a daemon
    /// without privilege and root go the same way.
    static let datagramBytesMax = 128 << 10

    private let descriptor: Int32
    private let address: UnixAddress

    /// Whether somebody listens at `path` now. The file alone says nothing: it outlives a journald that was not started by
    /// systemd.
    static func listens(at path: String) -> Bool {
        guard let probe = JournalSocket(path: path) else { return false }
        return withExtendedLifetime(probe) {
            probe.address.withPointer { connect(probe.descriptor, $0, $1) } == 0
        }
    }

    /// A socket that sends to `path`. Returns nil where the path is too long for an address or no socket can be made.
    init?(path: String) {
        guard let address = UnixAddress(path: path) else { return nil }
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return nil }
        self.address = address
        self.descriptor = descriptor
        var size = Self.sendBufferBytes
        let length = socklen_t(MemoryLayout<Int32>.size)
        // Beyond the system's limit only with privilege; what is granted decides how many records a slow journald may owe.
        if setsockopt(descriptor, SOL_SOCKET, SO_SNDBUFFORCE, &size, length) < 0 {
            _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, length)
        }
        // Bounds the waiting of `deliver`.
        var wait = timeval(tv_sec: 0, tv_usec: suseconds_t(OutletWait.busyMs * 1_000))
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func offer(_ record: [UInt8]) -> Delivery {
        record.count > Self.datagramBytesMax ? .needsThread : send(record, flags: Int32(MSG_DONTWAIT))
    }

    func deliver(_ record: [UInt8]) -> Delivery {
        if record.count <= Self.datagramBytesMax {
            let delivery = send(record, flags: 0)
            guard delivery == .needsThread else { return delivery }
        }
        switch MemoryFile.sealed(holding: record) {
        case .success(let file):
            defer { close(file) }
            let result = SocketMessage.send(descriptor: file, over: descriptor, to: address)
            return result == .needsThread ? .refused(errno: EMSGSIZE) : result
        case .failure(let error):
            return .refused(errno: error.errno)
        }
    }

    private func send(_ record: [UInt8], flags: Int32) -> Delivery {
        let sent = address.withPointer { pointer, length in
            sendto(descriptor, record, record.count, flags | Int32(MSG_NOSIGNAL), pointer, length)
        }
        return sent < 0 ? Delivery(sendErrno: errno) : .delivered
    }
}

extension Delivery {
    /// What the error of a send means. A large record fails with EMSGSIZE, or with ENOBUFS for lack of contiguous memory.
    init(sendErrno code: Int32) {
        switch code {
        case EAGAIN, EINTR, ENOMEM: self = .busy
        case EMSGSIZE, ENOBUFS: self = .needsThread
        case ENOENT, ECONNREFUSED, ENOTDIR, ECONNRESET, ENOTCONN, EPIPE: self = .gone
        default: self = .refused(errno: code)
        }
    }
}
