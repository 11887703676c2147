internal import Glibc

/// Reads a file of the trace line by line, in blocks; never keeps more than the longest line and a block. Blocking.
final class FileLines {
    /// What comes next.
    enum Piece {
        /// A line without its newline.
        case line(ArraySlice<UInt8>)
        /// A line that is longer than any record.
        case tooLong
        /// The file ends behind so many bytes without a newline.
        case torn(Int64)
    }

    private static let blockBytes = 256 << 10

    /// How much was read, up to the end of the last piece, in bytes.
    private(set) var offset: Int64 = 0
    private let path: String
    private let file: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// Opens the file at `path`.
    init(path: String) throws(TraceError) {
        self.path = path
        // Not blocking, so that a named pipe in its place is not waited for.
        file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            throw errno == ELOOP || errno == ENXIO ? .notPlain(path: path) : .unreadable(path: path, errno: errno)
        }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(path: path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain(path: path) }
    }

    deinit { close(file) }

    /// Whether somebody writes the file at present.
    var isBeingWritten: Bool {
        guard flock(file, LOCK_SH | LOCK_NB) != 0 else {
            flock(file, LOCK_UN)
            return false
        }
        return errno == EWOULDBLOCK
    }

    /// The next line; nil at the end of the file.
    func next() throws(TraceError) -> Piece? {
        var searched = position
        var dropped: Int64 = 0
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[position..<end]
                position = end + 1
                offset += dropped + Int64(line.count) + 1
                return dropped > 0 || line.count > RecordLine.bytesMax ? .tooLong : .line(line)
            }
            var pending = buffer.count - position
            if pending > RecordLine.bytesMax {
                dropped += Int64(pending)
                position = buffer.count
                pending = 0
            }
            if try fill() {
                searched = position + pending
                continue
            }
            guard pending > 0 || dropped > 0 else { return nil }
            offset += dropped + Int64(pending)
            position = buffer.count
            return .torn(dropped + Int64(pending))
        }
    }

    /// Another block; false at the end.
    private func fill() throws(TraceError) -> Bool {
        guard !isAtEnd else { return false }
        if position > 0 {
            buffer.removeSubrange(..<position)
            position = 0
        }
        var (result, code) = (0, Int32(0))
        let block = [UInt8](unsafeUninitializedCapacity: Self.blockBytes) { bytes, count in
            repeat { result = read(file, bytes.baseAddress, Self.blockBytes) } while result < 0 && errno == EINTR
            code = errno
            count = max(0, result)
        }
        guard result >= 0 else { throw .unreadable(path: path, errno: code) }
        buffer += block
        isAtEnd = block.isEmpty
        return !isAtEnd
    }
}
