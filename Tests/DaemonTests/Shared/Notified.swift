import Foundation
import Glibc
import Synchronization

/// What a daemon tells the service manager (sd_notify(3)), with the time of each message.
final class Notified: Sendable {
    let path: String
    private let handle: Int32
    private let told = Mutex<[(text: String, at: ContinuousClock.Instant)]>([])

    init(in folder: String) throws {
        path = folder + "/notify"
        handle = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(handle, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 4 << 10)
            while case let count = recv(handle, &buffer, buffer.count, 0), count > 0 {
                let text = String(decoding: buffer.prefix(count), as: UTF8.self)
                told.withLock { $0.append((text, .now)) }
            }
            close(handle)
        }
    }

    /// What was told, in order.
    var messages: [String] { told.withLock { $0.map(\.text) } }

    /// When the watchdog was fed.
    var times: [ContinuousClock.Instant] {
        told.withLock { $0.filter { $0.text.contains("WATCHDOG=1") }.map(\.at) }
    }

    func end() { shutdown(handle, Int32(SHUT_RDWR)) }
}
