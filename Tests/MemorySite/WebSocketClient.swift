internal import Foundation
internal import Glibc
internal import Synchronization

/// A client for WebSockets that says what it likes: a Unix socket without any library.
public final class WebSocketClient: Sendable {
    /// What came.
    public enum Event: Hashable, Sendable {
        /// The answer to the opening: its status, and its body where it is a refusal.
        case opened(status: Int, head: String, body: String)
        case text(String)
        case binary([UInt8])
        case ping([UInt8])
        case pong([UInt8])
        case close(code: Int, reason: String)
        /// Something that a server may not send.
        case broken(String)
    }

    /// There is no connection to be had.
    public struct NoConnection: Error {}

    /// What comes, in order; ends with the connection, or when nothing comes for a minute.
    public let events: AsyncStream<Event>
    private let handle: Int32

    /// The key of RFC 6455, 1.3.
    public static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    /// What is answered to it.
    public static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    /// The fields that open a WebSocket.
    public static let opening = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key,
    ]

    /// Connects to the socket at `path` and asks for `uri`. `change` adds and replaces fields of the opening; an empty one is left
    /// out. Without `reads` nothing is taken from the socket.
    public init(_ path: String, _ uri: String, _ change: [String: String] = [:], reads: Bool = true) throws {
        let handle = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.handle = handle
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(handle, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let fields = Self.opening.merging(change) { $1 }.filter { !$0.value.isEmpty }
        let head = fields.reduce(into: "GET \(uri) HTTP/1.1\r\nHost: vigil\r\n") {
            $0 += "\($1.key): \($1.value)\r\n"
        }
        let (events, send) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        guard status == 0 else {
            close(handle)
            throw NoConnection()
        }
        say(Array((head + "\r\n").utf8))
        guard reads else { return }
        let (copy, reader) = (dup(handle), EventReader(send))
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while case let count = read(copy, &buffer, buffer.count), count > 0, reader.take(buffer.prefix(count)) {}
            send.finish()
            close(copy)
        }
    }

    deinit {
        shutdown(handle, Int32(SHUT_RDWR))
        close(handle)
    }

    /// Sends bytes as they are; false where the other end is gone.
    @discardableResult
    public func say(_ bytes: [UInt8]) -> Bool {
        Glibc.send(handle, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Sends a frame.
    @discardableResult
    public func say(_ firstByte: UInt8, _ data: [UInt8] = [], masked: Bool = true) -> Bool {
        let mask: [UInt8] = masked ? [1, 2, 3, 4] : []
        let bit: UInt8 = masked ? 0x80 : 0
        let long: [UInt8] = [bit | 126, UInt8(data.count >> 8), UInt8(data.count & 0xFF)]
        let length = data.count < 126 ? [bit | UInt8(data.count)] : long
        let sent = masked ? data.enumerated().map { $1 ^ mask[$0 % 4] } : data
        return say([firstByte] + length + mask + sent)
    }

    /// Says that it has no more to say.
    public func finish() { shutdown(handle, Int32(SHUT_WR)) }
}

/// Reads the answer to the opening, and then frames, on one thread.
private final class EventReader: @unchecked Sendable {
    // Used by the reading thread alone.
    private let send: AsyncStream<WebSocketClient.Event>.Continuation
    private var bytes: [UInt8] = []
    private var isOpen = false

    init(_ send: AsyncStream<WebSocketClient.Event>.Continuation) { self.send = send }

    /// Takes what came; false when nothing of use can follow.
    func take(_ part: ArraySlice<UInt8>) -> Bool {
        bytes += part
        if !isOpen {
            let text = String(decoding: bytes, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { return true }
            let head = String(text[..<end.lowerBound])
            let status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
            isOpen = status == 101
            if !isOpen {
                let length = head.lowercased().split(separator: "content-length: ").dropFirst().first
                    .flatMap { Int($0.prefix { $0.isNumber }) }
                let body = String(text[end.upperBound...])
                guard body.utf8.count >= length ?? 0 else { return true }
                send.yield(.opened(status: status, head: head, body: body))
                return false
            }
            send.yield(.opened(status: status, head: head, body: ""))
            bytes.removeFirst(head.utf8.count + 4)
        }
        while let (first, data) = frame() { send.yield(Self.event(first, data)) }
        return true
    }

    /// The next whole frame.
    private func frame() -> (first: UInt8, data: [UInt8])? {
        guard bytes.count >= 2 else { return nil }
        let more = bytes[1] == 126 ? 2 : bytes[1] == 127 ? 8 : 0
        guard bytes.count >= 2 + more else { return nil }
        let length = more == 0 ? Int(bytes[1]) : bytes[2..<2 + more].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= 2 + more + length else { return nil }
        let data = Array(bytes[(2 + more)..<(2 + more + length)])
        let first = bytes[0]
        bytes.removeFirst(2 + more + length)
        return (first, data)
    }

    private static func event(_ first: UInt8, _ data: [UInt8]) -> WebSocketClient.Event {
        switch first {
        case 0x81: return .text(String(decoding: data, as: UTF8.self))
        case 0x82: return .binary(data)
        case 0x88:
            guard data.count >= 2 else { return .close(code: 1_005, reason: "") }
            return .close(
                code: Int(data[0]) << 8 | Int(data[1]), reason: String(decoding: data.dropFirst(2), as: UTF8.self))
        case 0x89: return .ping(data)
        case 0x8A: return .pong(data)
        default: return .broken("first byte \(first)")
        }
    }
}
