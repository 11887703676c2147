import CSharedMemory
import Foundation
import VigilKit

/// A client that asks for frames in shared memory at a daemon's socket, as a program in another language would.
final class SharedReader: @unchecked Sendable {
    // One thread at a time uses it.

    /// What comes, a head with what follows it.
    struct Item {
        let head: FrameHead
        let content: [UInt8]
        /// Numbers of which each has the most significant byte first.
        var numbers: [Int] {
            stride(from: 0, to: content.count - 3, by: 4).map { content[$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) } }
        }
        /// The JSON of a word.
        var word: String { String(decoding: content, as: UTF8.self) }
    }

    /// That nothing came for a minute.
    struct Silence: Error {}

    let socket: Int32
    /// The memory of which the last head `memory` has told.
    private(set) var descriptor: Int32 = -1
    /// What has come and belongs to heads that were not looked at yet.
    private var waiting: [Int32] = []
    private(set) var layout: [Int] = []
    private var bytes: [UInt8] = []

    /// Connects and asks; `fields` stand in the head of the request.
    init(_ path: String, _ query: String, fields: String = "Connection: Upgrade\r\nUpgrade: vigil-frames\r\n") throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var time = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { throw Silence() }
        say(Array("GET /v1/cameras/\(query) HTTP/1.1\r\nHost: vigil\r\n\(fields)\r\n".utf8))
    }

    deinit {
        close(socket)
        for left in [descriptor] + waiting where left >= 0 { close(left) }
    }

    /// Sends bytes; false where the daemon takes none any more.
    @discardableResult
    func say(_ bytes: [UInt8]) -> Bool { send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count }

    /// Takes what has come; false where the connection is over.
    private func take() throws -> Bool {
        var part = [UInt8](repeating: 0, count: 65_536)
        var taken: Int32 = -1
        let count = vigil_descriptor_receive(socket, &part, part.count, &taken)
        if taken >= 0 { waiting.append(taken) }
        if count == Int(-EAGAIN) { throw Silence() }
        guard count > 0 else { return false }
        bytes += part.prefix(count)
        return true
    }

    /// The head of the answer.
    func answer() throws -> String {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let place = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) {
                let head = String(decoding: bytes[..<place], as: UTF8.self)
                bytes.removeFirst(place + end.count)
                return head
            }
            guard try take() else { return String(decoding: bytes, as: UTF8.self) }
        }
    }

    /// What came behind the head of the answer, at least so many bytes.
    func rest(bytes count: Int) throws -> [UInt8] {
        while bytes.count < count, try take() {}
        return bytes
    }

    /// The next item; nil where the connection is over.
    func item() throws -> Item? {
        while true {
            if let head = FrameHead(bytes), bytes.count >= FrameHead.length + head.count {
                let content = Array(bytes[FrameHead.length..<FrameHead.length + head.count])
                bytes.removeFirst(FrameHead.length + head.count)
                let item = Item(head: head, content: content)
                if head.content == .memory { change(item) }
                return item
            }
            guard try take() else { return nil }
        }
    }

    /// Slots are those of other memory from now on.
    private func change(_ item: Item) {
        if descriptor >= 0 { close(descriptor) }
        descriptor = waiting.isEmpty ? -1 : waiting.removeFirst()
        layout = item.numbers
    }

    /// The next frame in a slot, with its number; nil where the frames are over.
    func frame() throws -> (head: FrameHead, slot: UInt8, pixels: [UInt8])? {
        while let item = try item() {
            guard item.head.content == .slot else { continue }
            let (slot, count) = (item.numbers[0], item.numbers[1])
            var pixels = [UInt8](repeating: 0, count: count)
            let place = ((slot - layout[2] + 256) % 256) * layout[1]
            guard pread(descriptor, &pixels, count, off_t(place)) == count else { return nil }
            return (item.head, UInt8(slot), pixels)
        }
        return nil
    }

    /// The last word; nil where the connection ends without one.
    func lastWord() throws -> String? {
        var last: String?
        while let item = try item() { if item.head.content == .word { last = item.word } }
        return last
    }
}
