import Foundation
import Glibc
import Testing

@testable import Journal

/// A datagram socket in a folder of its own that stands where journald's would: it takes what is really sent, descriptors
/// too.
final class Receiver {
    struct Timeout: Error {}
    struct NoSocket: Error { let errno: Int32 }

    let path: String
    private var descriptor: Int32 = -1

    init(path: String? = nil) throws {
        self.path = try path ?? (Scratch.folder() + "/socket")
        try open()
    }

    deinit { shut() }

    /// Binds again, as a restarted journald does.
    func open() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let address = try #require(UnixAddress(path: path))
        let bound = address.withPointer { bind(descriptor, $0, $1) }
        guard descriptor >= 0, bound == 0 else { throw NoSocket(errno: errno) }
    }

    func shut() {
        hangUp()
        unlink(path)
    }

    /// Closes and leaves the socket's file, as a journald that died does.
    func hangUp() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// One record's bytes, waiting at most `seconds`.
    func bytes(seconds: Int32 = 20) throws -> [UInt8] {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, seconds * 1_000) > 0 else { throw Timeout() }
        let size = recv(descriptor, nil, 0, Int32(MSG_PEEK) | Int32(MSG_TRUNC))
        var buffer = [UInt8](repeating: 0, count: max(size, 1))
        var control = [UInt64](repeating: 0, count: 8)
        var file: Int32?
        let count = buffer.withUnsafeMutableBytes { data -> Int in
            control.withUnsafeMutableBytes { extra -> Int in
                var piece = iovec(iov_base: data.baseAddress, iov_len: data.count)
                return withUnsafeMutablePointer(to: &piece) { pieces -> Int in
                    var message = msghdr()
                    message.msg_iov = pieces
                    message.msg_iovlen = 1
                    message.msg_control = extra.baseAddress
                    message.msg_controllen = extra.count
                    let count = recvmsg(descriptor, &message, 0)
                    if message.msg_controllen > 0 { file = extra.load(fromByteOffset: 16, as: Int32.self) }
                    return count
                }
            }
        }
        guard let file else { return Array(buffer.prefix(count)) }
        defer { close(file) }
        seals = fcntl(file, 1_034)
        var facts = stat()
        fstat(file, &facts)
        var content = [UInt8](repeating: 0, count: Int(facts.st_size))
        let read = pread(file, &content, content.count, 0)
        return Array(content.prefix(read))
    }

    /// The seals of the last file that came.
    private(set) var seals: Int32 = 0

    /// One record's fields.
    func record(seconds: Int32 = 20) throws -> [String: String] {
        let entry = try #require(try Self.parse(bytes(seconds: seconds)))
        return entry
    }

    /// An independent reading of the native protocol: the rules of the specification, not the encoder's code.
    static func parse(_ bytes: [UInt8]) throws -> [String: String]? {
        var fields: [String: String] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = try #require(rest.firstIndex(of: 10))
            let line = rest[..<end]
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                fields[String(decoding: line[..<equals], as: UTF8.self)] =
                    String(decoding: line[(equals + 1)...], as: UTF8.self)
                rest = rest[(end + 1)...]
            } else {
                guard rest.endIndex >= end + 9 else { return nil }
                let length = rest[(end + 1)..<(end + 9)].reversed().reduce(0) { $0 << 8 | Int($1) }
                guard length >= 0, rest.endIndex >= end + 10 + length else { return nil }
                let value = rest[(end + 9)..<(end + 9 + length)]
                fields[String(decoding: line, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
                guard rest[end + 9 + length] == 10 else { return nil }
                rest = rest[(end + 10 + length)...]
            }
        }
        return fields
    }
}
