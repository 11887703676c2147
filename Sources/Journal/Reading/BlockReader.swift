internal import Glibc

/// Reads a descriptor in blocks and gives lines and counted stretches of it. Blocking.
final class BlockReader {
    /// The longest line or value that is read, bytes; more is an error, not an allocation without limit.
    static let pieceBytesMax = 64 << 20
    private static let blockBytes = 64 << 10

    /// The number of the line that was read last, from 1.
    private(set) var line = 0
    /// How much was taken, in bytes.
    private(set) var offset: Int64 = 0
    /// The line that was read last has no newline: the file ends in it.
    private(set) var isCut = false
    /// The file; `-` is standard input.
    let path: String
    private let descriptor: Int32
    private let isOwned: Bool
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// Opens a file; `-` is standard input.
    init(path: String) throws {
        self.path = path
        isOwned = path != "-"
        descriptor = isOwned ? open(path, O_RDONLY | O_CLOEXEC) : 0
        guard descriptor >= 0 else { throw JournalError.unreadable(path: path, errno: errno) }
    }

    deinit { if isOwned { close(descriptor) } }

    /// The next byte, without taking it.
    func peek() throws -> UInt8? {
        while position == buffer.count {
            guard try fill() else { return nil }
        }
        return buffer[position]
    }

    /// The next line without its newline; nil at the end.
    func nextLine() throws -> [UInt8]? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                line += 1
                offset += Int64(end + 1 - position)
                defer { position = end + 1 }
                return Array(buffer[position..<end])
            }
            guard buffer.count - position <= Self.pieceBytesMax else {
                throw JournalError.malformed(line: line + 1, cause: "longer than \(Self.pieceBytesMax) bytes")
            }
            let pending = buffer.count - position
            if try fill() {
                searched = position + pending
                continue
            }
            guard pending > 0 else { return nil }
            line += 1
            offset += Int64(pending)
            isCut = true
            defer { position = buffer.count }
            return Array(buffer[position...])
        }
    }

    /// Exactly `count` bytes; nil where the file ends before, which takes what is left. Newlines among them count as lines.
    func take(_ count: Int) throws -> [UInt8]? {
        guard count >= 0, count <= Self.pieceBytesMax else {
            throw JournalError.malformed(line: line, cause: "a value of \(count) bytes; at most \(Self.pieceBytesMax)")
        }
        while buffer.count - position < count {
            guard try fill() else {
                offset += Int64(buffer.count - position)
                position = buffer.count
                return nil
            }
        }
        offset += Int64(count)
        let piece = Array(buffer[position..<(position + count)])
        position += count
        line += piece.count { $0 == UInt8(ascii: "\n") }
        return piece
    }

    /// Reads one block more; false at the end. Bytes that were taken are dropped first.
    private func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        if position > 0 {
            buffer.removeFirst(position)
            position = 0
        }
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw JournalError.unreadable(path: path, errno: errno) }
            isAtEnd = count == 0
            buffer.append(contentsOf: block[..<count])
            return count > 0
        }
    }
}
