internal import Foundation
internal import Glibc
internal import Testing

/// A client that says what it likes: a Unix socket without any HTTP library.
final class RawClient: Sendable {
    private let handle: Int32

    /// Connects to `path`.
    init(_ path: String) throws {
        handle = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(handle, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
    }

    deinit { close(handle) }

    /// Says `text`; false where the other end is gone.
    @discardableResult
    func say(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable {
            Glibc.send(handle, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
            == text.utf8.count
    }

    /// Everything that comes until the other end closes, on a thread of its own; nil where it does not close in time.
    func hear(within seconds: Double = 120) async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [handle] in
                let deadline = Date().addingTimeInterval(seconds)
                var (heard, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
                while true {
                    var poll = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
                    let left = Int32(clamping: Int(deadline.timeIntervalSinceNow * 1_000))
                    guard left > 0, Glibc.poll(&poll, 1, left) == 1 else { return continuation.resume(returning: nil) }
                    let count = read(handle, &buffer, buffer.count)
                    guard count > 0 else { break }
                    heard += buffer.prefix(count)
                }
                continuation.resume(returning: String(decoding: heard, as: UTF8.self))
            }
        }
    }

    /// What comes until `words` are among it, on a thread of its own; nil where they do not come in time.
    func hear(until words: String, within seconds: Double = 120) async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [handle] in
                let deadline = Date().addingTimeInterval(seconds)
                var (heard, buffer) = ("", [UInt8](repeating: 0, count: 64 << 10))
                while !heard.contains(words) {
                    var poll = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
                    let left = Int32(clamping: Int(deadline.timeIntervalSinceNow * 1_000))
                    guard left > 0, Glibc.poll(&poll, 1, left) == 1 else { return continuation.resume(returning: nil) }
                    let count = read(handle, &buffer, buffer.count)
                    guard count > 0 else { return continuation.resume(returning: nil) }
                    heard += String(decoding: buffer.prefix(count), as: UTF8.self)
                }
                continuation.resume(returning: heard)
            }
        }
    }

    /// Waits until the other end has closed, reading nothing; false where it does not in time.
    func isHungUp() async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [handle] in
                var poll = pollfd(fd: handle, events: 0, revents: 0)
                let patience: Int32 = 180_000
                continuation.resume(
                    returning: Glibc.poll(&poll, 1, patience) == 1 && poll.revents & Int16(POLLHUP) != 0)
            }
        }
    }

    /// The status of the answer to one question over a connection of its own; nil where none came in time.
    static func status(_ question: String, at path: String, within seconds: Double = 120) async throws -> Int? {
        let client = try RawClient(path)
        client.say("\(question) HTTP/1.1\r\nHost: vigil\r\nConnection: close\r\n\r\n")
        return await client.hear(within: seconds).flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") }
    }
}
