import Foundation
import Glibc
import Synchronization

/// A device on the loopback that answers as a test says: each connection gets its own thread, one request and one answer. It ends with
/// the process.
final class ScriptedDevice: Sendable {
    /// What is answered to an operation.
    enum Answer: Sendable {
        /// The body of an envelope.
        case body(String)
        /// All that is sent.
        case head(String)
        /// A begin, and then this again and again until nobody takes it.
        case endless(String, String)
        /// Nothing.
        case silence
    }

    let port: UInt16
    private let sent = Mutex(0)

    /// How many bytes of endless answers were taken.
    var bytesSent: Int { sent.withLock { $0 } }

    /// It listens; `answer` is given the operation and the port.
    init(_ answer: @escaping @Sendable (String, UInt16) -> Answer) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        let port = UInt16(bigEndian: address.sin_port)
        self.port = port
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { [weak self] in
                    self?.serve(connection) { answer($0, port) }
                    close(connection)
                }
            }
        }
    }

    private func serve(_ connection: Int32, _ answer: (String) -> Answer) {
        var (text, buffer) = ("", [UInt8](repeating: 0, count: 65_536))
        while !text.contains("Envelope>") {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        let operation = text.firstMatch(of: /Body>\s*<(?:\w+:)?(\w+)/).map { String($0.1) } ?? ""
        switch answer(operation) {
        case .silence: while recv(connection, &buffer, buffer.count, 0) > 0 {}
        case .head(let text): _ = give(text, connection)
        case .body(let body):
            let space = "http://www.w3.org/2003/05/soap-envelope"
            let xml = "<s:Envelope xmlns:s=\"\(space)\"><s:Body>\(body)</s:Body></s:Envelope>"
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/soap+xml\r\nContent-Length: \(xml.utf8.count)\r\n\r\n"
            _ = give(head + xml, connection)
        case .endless(let begin, let part):
            guard give(begin, connection) else { return }
            let many = String(repeating: part, count: max(1, 65_536 / part.utf8.count))
            while give(many, connection) { sent.withLock { $0 += many.utf8.count } }
        }
    }

    private func give(_ text: String, _ connection: Int32) -> Bool {
        let bytes = Array(text.utf8)
        var at = 0
        while at < bytes.count {
            let step = bytes.withUnsafeBytes { all in
                send(connection, all.baseAddress.map { $0 + at }, all.count - at, Int32(MSG_NOSIGNAL))
            }
            guard step > 0 else { return false }
            at += step
        }
        return true
    }
}
