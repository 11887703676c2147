import Glibc
import Machines

/// A connection to a camera that RTSP runs over. Used by one thread; every call is bounded by its deadline (CLOCK_BOOTTIME
/// milliseconds) and by the stop signal.
protocol ByteTransport: AnyObject {
    /// Reads what there is, waiting for it until `deadline`. nil: nothing came. The connection's end is a fault. What is
    /// there already is read also after the deadline: a loop that must end by then looks at the clock itself.
    func read(into buffer: UnsafeMutableRawBufferPointer, deadline: Int64) throws(InputFault) -> Int?
    /// Lets what comes gather, and reads nothing: until `bytes` are there, the connection has ended, or `deadline`.
    func gather(bytes: Int32, deadline: Int64) throws(InputFault)
    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8], deadline: Int64) throws(InputFault)
    /// The camera's address as the socket has it, to open datagram sockets to; nil when there is no socket.
    var peer: SocketAddress? { get }
    /// Whether the last read may have left something behind that is there already.
    var mayHaveMore: Bool { get }
    /// Keeps at most so many bytes that the camera has not taken, and ends the connection when it takes none of them for so many
    /// milliseconds. The kernel keeps twice as much for its own purposes (socket(7)).
    func boundUnsent(bytes: Int32, ms: Int32)
}

/// An address of a socket.
struct SocketAddress {
    var storage = sockaddr_storage()
    var length: socklen_t = 0

    /// The same host with another port.
    func with(port: UInt16) -> SocketAddress {
        var copy = self
        withUnsafeMutableBytes(of: &copy.storage) { bytes in
            // The port stands at the same place in both families.
            bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
        }
        return copy
    }

    /// The wildcard address of the same family with port 0.
    var wildcard: SocketAddress {
        var any = SocketAddress(storage: sockaddr_storage(), length: length)
        any.storage.ss_family = storage.ss_family
        return any
    }

    var port: UInt16 {
        // Its bytes are turned round, nothing more.
        withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    }

    /// Whether both name one host, whatever the ports.
    func hasHost(of other: SocketAddress) -> Bool {
        guard storage.ss_family == other.storage.ss_family else { return false }
        // Where the host stands in an address of each family, in bytes.
        let place = storage.ss_family == sa_family_t(AF_INET6) ? 8..<24 : 4..<8
        return withUnsafeBytes(of: storage) { mine in
            withUnsafeBytes(of: other.storage) { theirs in mine[place].elementsEqual(theirs[place]) }
        }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

/// TCP without anything around it.
final class TCPTransport: ByteTransport {
    let descriptor: Int32
    private let stop: StopSignal
    let peer: SocketAddress?
    private(set) var mayHaveMore = false
    /// How many bytes must have come for the socket to count as readable.
    private var lowWater: Int32 = 1

    deinit { close(descriptor) }

    private init(descriptor: Int32, stop: StopSignal, peer: SocketAddress) {
        self.descriptor = descriptor
        self.stop = stop
        self.peer = peer
    }

    func boundUnsent(bytes: Int32, ms: Int32) {
        var (bytes, ms) = (bytes, ms)
        let size = socklen_t(MemoryLayout<Int32>.size)
        // Where the kernel refuses, what it does by itself holds: later, and more.
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, size)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &ms, size)
    }

    /// Connects to the first address of `host` that answers. Resolving a name is bounded by the resolver's own
    /// configuration, not by `deadline`.
    static func connect(host: String, port: UInt16, deadline: Int64, stop: StopSignal) throws(InputFault)
        -> TCPTransport
    {
        var fault = InputFault.failed(.unreachable, "the name does not resolve")
        for address in try resolve(host: host, port: port) {
            if stop.isRaised { throw .stopped }
            do {
                return try connect(address, deadline: deadline, stop: stop)
            } catch {
                fault = error
                if case .stopped = error { throw error }
            }
        }
        throw fault
    }

    private static func resolve(host: String, port: UInt16) throws(InputFault) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            let reason = gai_strerror(code).map { String(cString: $0) } ?? "code \(code)"
            throw .failed(.unreachable, "the name does not resolve: \(reason)")
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next?.pointee, addresses.count < 8 {
            if let from = info.ai_addr, Int(info.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size {
                var address = SocketAddress(storage: sockaddr_storage(), length: info.ai_addrlen)
                withUnsafeMutableBytes(of: &address.storage) {
                    $0.copyMemory(from: UnsafeRawBufferPointer(start: from, count: Int(info.ai_addrlen)))
                }
                addresses.append(address)
            }
            next = info.ai_next
        }
        return addresses
    }

    private static func connect(
        _ address: SocketAddress, deadline: Int64, stop: StopSignal
    ) throws(InputFault) -> TCPTransport {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(Int32(clamping: address.storage.ss_family), kind, 0)
        guard descriptor >= 0 else { throw SocketFault.fault(errno, "cannot open a socket") }
        let transport = TCPTransport(descriptor: descriptor, stop: stop, peer: address)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // A camera that vanished without a word is noticed by silence; keep-alive covers an idle control connection.
        setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, socklen_t(MemoryLayout<Int32>.size))
        let code = address.withPointer { Glibc.connect(descriptor, $0, $1) }
        if code == 0 { return transport }
        guard errno == EINPROGRESS else { throw SocketFault.fault(errno, "cannot connect") }
        guard try transport.wait(Int16(POLLOUT), deadline: deadline) else {
            throw .failed(.timeout, "no answer to the connection request")
        }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
        guard error == 0 else { throw SocketFault.fault(error, "cannot connect") }
        return transport
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, deadline: Int64) throws(InputFault) -> Int? {
        while true {
            if stop.isRaised { throw .stopped }
            let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            mayHaveMore = count == buffer.count
            if count > 0 { return count }
            if count == 0 { throw .failed(.closed, "the camera closed the connection") }
            let code = errno
            if code == EINTR { continue }
            guard code == EAGAIN else { throw SocketFault.fault(code, "the connection broke") }
            guard try awaitBytes(1, deadline: deadline) else { return nil }
        }
    }

    func gather(bytes: Int32, deadline: Int64) throws(InputFault) { _ = try awaitBytes(bytes, deadline: deadline) }

    /// Waits until `count` bytes can be read, or fewer where the connection has ended or the camera may send no more until some are
    /// read; false at the deadline. The thread is not woken before (SO_RCVLOWAT, socket(7)).
    func awaitBytes(_ count: Int32, deadline: Int64) throws(InputFault) -> Bool {
        if lowWater != count {
            var count = count
            setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &count, socklen_t(MemoryLayout<Int32>.size))
            lowWater = count
        }
        return try wait(Int16(POLLIN), deadline: deadline)
    }

    func write(_ bytes: [UInt8], deadline: Int64) throws(InputFault) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                let rest = all.part(from: sent)
                return send(
                    descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
                continue
            }
            let code = errno
            if code == EINTR { continue }
            guard code == EAGAIN else { throw SocketFault.fault(code, "the connection broke") }
            guard try wait(Int16(POLLOUT), deadline: deadline) else {
                throw .failed(.timeout, "the camera takes no data")
            }
        }
    }

    /// Waits for the socket; false at the deadline.
    func wait(_ events: Int16, deadline: Int64) throws(InputFault) -> Bool {
        while true {
            if stop.isRaised { throw .stopped }
            let left = deadline - BootClock.nowMs()
            guard left > 0 else { return false }
            var descriptors = (
                pollfd(fd: descriptor, events: events, revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
            )
            let slice = Int32(clamping: min(left, stop.descriptor < 0 ? 50 : 60_000))
            let count = withUnsafeMutablePointer(to: &descriptors) { pointer in
                pointer.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, slice) }
            }
            if count > 0, descriptors.0.revents != 0 { return true }
        }
    }
}

/// Maps the system's error numbers, once.
enum SocketFault {
    static func fault(_ code: Int32, _ operation: String) -> InputFault {
        let failure: LinkFailure =
            switch code {
            case ECONNREFUSED: .refused
            case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT, EACCES, EPERM:
                .unreachable
            case ETIMEDOUT: .timeout
            case EMFILE, ENFILE, ENOMEM, ENOBUFS, EADDRINUSE: .resources
            // A reset, a broken pipe and whatever else befalls an open connection.
            default: .closed
            }
        return .failed(failure, "\(operation): \(String(cString: strerror(code)))")
    }
}
