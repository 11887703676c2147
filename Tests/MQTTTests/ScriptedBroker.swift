import Foundation
import Synchronization

/// A port of the loopback that answers whoever connects by a script: brokers that a real one does not play.
final class ScriptedBroker: Sendable {
    /// What it does with a connection.
    enum Step: Sendable {
        /// Waits until so many bytes have come.
        case read(Int)
        case write([UInt8])
        /// Writes these bytes again and again, until the other side closes.
        case flood([UInt8])
        /// Writes these bytes twice a second, until the other side closes.
        case repeatSlowly([UInt8])
        /// Reads until the other side closes.
        case stay
    }

    let port: Int
    private let listener: Int32
    private let heard = Mutex<[UInt8]>([])

    /// Listens, and plays `script` for the first connection, then closes it.
    init(_ script: [Step]) {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = listener
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(socket, $0, length)
                _ = listen(socket, 1)
                _ = getsockname(socket, $0, &length)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { self.play(script) }
    }

    /// What came of the client.
    var bytes: [UInt8] { heard.withLock { $0 } }

    private func play(_ script: [Step]) {
        let client = accept(listener, nil, nil)
        defer {
            close(client)
            close(listener)
        }
        for step in script {
            switch step {
            case .read(let count): while bytes.count < count, read(client) {}
            case .stay: while read(client) {}
            case .write(let bytes): _ = write(client, bytes)
            case .flood(let bytes): while write(client, bytes) {}
            case .repeatSlowly(let bytes): while write(client, bytes) { usleep(500_000) }
            }
        }
    }

    private func read(_ client: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(client, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        heard.withLock { $0 += bytes.prefix(count) }
        return true
    }

    private func write(_ client: Int32, _ bytes: [UInt8]) -> Bool {
        send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}
