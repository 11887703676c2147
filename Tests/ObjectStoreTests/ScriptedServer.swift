import Foundation
import Synchronization

/// A server on the loopback that answers as the test says, one connection for each request.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        let method: String
        let target: String
        let headers: [String: String]
        let body: [UInt8]
    }

    enum Answer: Sendable {
        case send(status: Int, headers: [String: String] = [:], body: String = "")
        /// Without a length of our own; the headers have one.
        case raw(String)
        /// Not a byte, and the connection stays open until the server ends.
        case silence
    }

    let port: UInt16
    private let listener: Int32
    private let taken = Mutex<[Request]>([])
    private let quiet = Mutex<[Int32]>([])
    private let answer: @Sendable (Request, Int) -> Answer

    /// A server; `answer` is given each request and its number, from 0.
    init(_ answer: @escaping @Sendable (Request, Int) -> Answer) {
        self.answer = answer
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = listen(listener, 64)
                _ = getsockname(listener, $0, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    var endpoint: String { "http://127.0.0.1:\(port)" }
    /// What was asked so far.
    var requests: [Request] { taken.withLock { $0 } }

    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        for connection in quiet.withLock({ $0 }) { close(connection) }
    }

    private func serve(_ connection: Int32) {
        guard let request = read(connection) else {
            close(connection)
            return
        }
        let number = taken.withLock { taken in
            taken.append(request)
            return taken.count - 1
        }
        let text: String
        switch answer(request, number) {
        case .silence: return quiet.withLock { $0.append(connection) }
        case .raw(let raw): text = raw
        case .send(let status, let headers, let body):
            var lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
            if headers["Content-Length"] == nil { lines += "Content-Length: \(body.utf8.count)\r\n" }
            text = "HTTP/1.1 \(status) X\r\nConnection: close\r\n\(lines)\r\n\(body)"
        }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { break }
            rest = rest.dropFirst(sent)
        }
        close(connection)
    }

    private func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        func more() -> Bool {
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = recv(connection, &piece, piece.count, 0)
            bytes += piece.prefix(max(0, count))
            return count > 0
        }
        var end: Int?
        while end == nil {
            guard more() else { return nil }
            end = Data(bytes).range(of: Data("\r\n\r\n".utf8))?.lowerBound
        }
        guard let end else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        let headers = Dictionary(
            lines.dropFirst().map { line in
                let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return (halves[0].lowercased(), halves.count > 1 ? halves[1].trimmingCharacters(in: .whitespaces) : "")
            }, uniquingKeysWith: { $1 })
        let length = headers["content-length"].flatMap(Int.init) ?? 0
        while bytes.count < end + 4 + length { guard more() else { return nil } }
        return Request(method: words[0], target: words[1], headers: headers, body: Array(bytes[(end + 4)...]))
    }
}
