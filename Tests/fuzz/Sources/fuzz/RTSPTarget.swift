import Dispatch
import Glibc
import Machines

@testable import Media

/// A camera that says the input, all of it at once, and then closes: a whole session over the loopback, from the login to
/// the interleaved packets. The input's first byte says in how large pieces it comes.
enum RTSPTarget {
    private static let pool = SlabPool(slabBytes: 64 << 10, idleMax: 8)
    private nonisolated(unsafe) static var runs: UInt32 = 0

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        let pieces = feed.byte()
        // Another address each time, because the system keeps the ports of ended connections.
        runs &+= 1
        let host = "127.\(runs >> 16 & 0xFF).\(runs >> 8 & 0xFF).\(max(1, runs & 0xFF))"
        let (listener, port) = listen(on: host)
        defer { close(listener) }
        guard let address = try? RTSPAddress("rtsp://\(host):\(port)/live?channel=1") else {
            return hold(false, "the address is right")
        }
        let sink = EndWaiter()
        var limits = InputLimits()
        (limits.dialMs, limits.silenceMs, limits.restMs) = (1_000, 1_000, 0)
        limits.frameBytesMax = 1 << 20
        let input = Input(
            name: "fuzz",
            source: .rtsp(address, credential: CameraCredential(user: "user", password: "se:cret", allowsBasic: true)),
            limits: limits,
            pool: pool, sink: sink)
        input.start()
        // The fuzzer's own alarm interrupts calls.
        var camera: Int32
        repeat { camera = accept(listener, nil, nil) } while camera < 0 && errno == EINTR
        hold(camera >= 0, "the input connects")
        send(feed.rest(), to: camera, pieces: pieces)
        shutdown(camera, Int32(SHUT_WR))
        let end = sink.wait()
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(camera, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        close(camera)
        guard case .failed(_, let detail)? = end else { return hold(false, "nobody stopped the input") }
        hold(!detail.contains("se:cret"), "no secret in a report")
        hold(
            detail.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F },
            "no control character in a report")
    }

    private static func listen(on host: String) -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 1) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        hold(isBound, "the loopback can be listened on")
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private static func send(_ bytes: UnsafeRawBufferPointer, to camera: Int32, pieces: UInt8) {
        let size = pieces & 0x80 == 0 ? bytes.count : max(1, bytes.count / (1 + Int(pieces & 7)))
        var sent = 0
        while sent < bytes.count {
            let part = UnsafeRawBufferPointer(rebasing: bytes[sent..<min(sent + size, bytes.count)])
            let count = Glibc.send(camera, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            sent += count
        }
    }
}

/// Waits for the end of an input.
private final class EndWaiter: InputSink {
    private let checker = FrameChecker()
    private let over = DispatchSemaphore(value: 0)

    func wait() -> InputEnd? {
        over.wait()
        return checker.seen.end
    }

    func dialed(_ streams: [StreamDescription]) { checker.dialed(streams) }
    func frame(_ frame: Frame) { checker.frame(frame) }
    func repaired(_ report: RepairReport) {}
    func ended(_ end: InputEnd, counts: InputCounts) {
        checker.ended(end, counts: counts)
        over.signal()
    }
}
