import Foundation
import Glibc
import Synchronization

@testable import Media

/// A peer on the loopback that sends what it likes to whoever connects. One thread for each connection; everything it
/// opens is closed by `stop()` or the end of the process.
final class HostilePeer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let count = Mutex(0)

    /// How many connections there have been.
    var connections: Int { count.withLock { $0 } }

    /// Listens; `serve` has each connection, which is closed after it.
    init(_ serve: @escaping @Sendable (Line) -> Void) throws {
        let socket: Int32
        (socket, port) = try Loopback.listen()
        listener = socket
        Thread.detachNewThread { [weak self] in
            while case let connection = accept(socket, nil, nil), connection >= 0 {
                self?.count.withLock { $0 += 1 }
                Thread.detachNewThread {
                    serve(Line(descriptor: connection))
                    close(connection)
                }
            }
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// One connection.
    struct Line: Sendable {
        let descriptor: Int32

        /// Sends all of `bytes`; false once the peer is gone.
        func send(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let step = bytes.withUnsafeBytes { all in
                    Glibc.send(descriptor, all.baseAddress.map { $0 + sent }, all.count - sent, Int32(MSG_NOSIGNAL))
                }
                guard step > 0 else { return false }
                sent += step
            }
            return true
        }

        /// The next request as its method and number; nil once the peer is gone.
        func request() -> (method: String, number: String)? {
            var text: [UInt8] = []
            var byte: UInt8 = 0
            while !text.suffix(4).elementsEqual([13, 10, 13, 10]) {
                guard text.count < 65_536, recv(descriptor, &byte, 1, 0) == 1 else { return nil }
                text.append(byte)
            }
            let lines = String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n")
            let number = lines.first { $0.hasPrefix("CSeq: ") }?.dropFirst(6)
            return (lines[0].components(separatedBy: " ")[0], String(number ?? "0"))
        }

        /// Answers as a camera with one video track does, up to PLAY; false once the peer is gone.
        func play() -> Bool {
            while let (method, number) = request() {
                var answer = "RTSP/1.0 200 OK\r\nCSeq: \(number)\r\n"
                switch method {
                case "DESCRIBE":
                    let sdp = RTSPInputTests.sdp
                    answer += "Content-Length: \(sdp.utf8.count)\r\n\r\n\(sdp)"
                case "SETUP": answer += "Session: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n\r\n"
                default: answer += "\r\n"
                }
                guard send(Array(answer.utf8)) else { return false }
                if method == "PLAY" { return true }
            }
            return false
        }
    }
}
