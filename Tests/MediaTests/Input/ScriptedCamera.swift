import Foundation
import Glibc
import Synchronization

@testable import Media

/// A camera on the loopback that answers as a test says. One thread for each connection; everything it opens is closed
/// by `stop()` or the end of the process.
final class ScriptedCamera: Sendable {
    struct Request: Sendable {
        let method: String
        let uri: String
        let fields: [String: String]
    }

    /// What a connection does after an answer has been sent.
    struct Answer: Sendable {
        var text: String
        /// Raw bytes that follow the answer: interleaved packets, say.
        var bytes: [UInt8] = []
        /// What is sent after that, a part each 20 ms.
        var later: [[UInt8]] = []
        var closes = false
    }

    let port: UInt16
    private let listener: Int32
    private let seen = Mutex<[Request]>([])

    /// Every request so far.
    var requests: [Request] { seen.withLock { $0 } }

    /// Listens; `answer` gives the answer to each request, nil for silence.
    init(_ answer: @escaping @Sendable (Request, SocketAddress) -> Answer?) throws {
        let socket: Int32
        (socket, port) = try Loopback.listen()
        listener = socket
        Thread.detachNewThread { [weak self] in
            while true {
                var peer = SocketAddress(
                    storage: sockaddr_storage(), length: socklen_t(MemoryLayout<sockaddr_storage>.size))
                let connection = withUnsafeMutablePointer(to: &peer.storage) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(socket, $0, &peer.length) }
                }
                guard connection >= 0 else { return }
                let peerAddress = peer
                Thread.detachNewThread { [weak self] in
                    ScriptedCamera.serve(connection) { request in
                        self?.seen.withLock { $0.append(request) }
                        return answer(request, peerAddress)
                    }
                }
            }
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// False where the connection has ended.
    static func send(_ bytes: [UInt8], on connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let step = bytes.withUnsafeBytes { all in
                Glibc.send(connection, all.baseAddress.map { $0 + sent }, all.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard step > 0 else { return false }
            sent += step
        }
        return true
    }

    private static func serve(_ connection: Int32, _ answer: (Request) -> Answer?) {
        defer { close(connection) }
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            pending += buffer[..<count]
            while let request = take(&pending) {
                guard let answer = answer(request) else { continue }
                let number = request.fields["cseq"] ?? "0"
                let text = answer.text.replacingOccurrences(of: "\n", with: "\r\n")
                let bytes = Array(text.replacingOccurrences(of: "CSEQ", with: number).utf8) + answer.bytes
                guard send(bytes, on: connection) else { return }
                for part in answer.later {
                    usleep(20_000)
                    guard send(part, on: connection) else { return }
                }
                if answer.closes {
                    // Closed with something unread, the connection would be reset, and what was sent lost.
                    shutdown(connection, Int32(SHUT_WR))
                    while recv(connection, &buffer, buffer.count, 0) > 0 {}
                    return
                }
            }
        }
    }

    /// The next request in `bytes`; interleaved reports are passed over.
    private static func take(_ bytes: inout [UInt8]) -> Request? {
        while bytes.first == UInt8(ascii: "$") {
            guard bytes.count >= 4, bytes.count >= 4 + Int(bytes[2]) << 8 + Int(bytes[3]) else { return nil }
            bytes.removeFirst(4 + Int(bytes[2]) << 8 + Int(bytes[3]))
        }
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        bytes.removeFirst(end + 4)
        let words = lines[0].components(separatedBy: " ")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return Request(method: words[0], uri: words.count > 1 ? words[1] : "", fields: fields)
    }
}

/// Makes RTP packets of NAL units.
struct Packetizer {
    var sequence: UInt16 = 65_500
    private let pieceBytes = 1_200

    /// The packets of one access unit: small parameter sets aggregated, large units in pieces.
    mutating func packets(_ units: [[UInt8]], stamp: UInt32) -> [[UInt8]] {
        var payloads: [[UInt8]] = []
        for unit in units {
            if unit.count <= pieceBytes {
                payloads.append(unit)
                continue
            }
            let body = unit.dropFirst()
            for start in stride(from: body.startIndex, to: body.endIndex, by: pieceBytes) {
                let end = min(body.endIndex, start + pieceBytes)
                var fu = unit[0] & 0x1F
                if start == body.startIndex { fu |= 0x80 }
                if end == body.endIndex { fu |= 0x40 }
                payloads.append([unit[0] & 0xE0 | 28, fu] + body[start..<end])
            }
        }
        return payloads.enumerated().map { index, payload in
            defer { sequence &+= 1 }
            let mark: UInt8 = index == payloads.count - 1 ? 0x80 : 0
            var head: [UInt8] = [0x80, mark | 96, UInt8(sequence >> 8), UInt8(sequence & 255)]
            head += (0..<4).map { UInt8(truncatingIfNeeded: stamp >> UInt32(24 - 8 * $0)) } + [1, 2, 3, 4]
            return head + payload
        }
    }

    /// `packets` as they lie in an RTSP connection.
    static func interleaved(_ packets: [[UInt8]]) -> [UInt8] {
        packets.flatMap { packet -> [UInt8] in
            let head: [UInt8] = [UInt8(ascii: "$"), 0, UInt8(packet.count >> 8), UInt8(packet.count & 255)]
            return head + packet
        }
    }
}
