internal import Glibc

/// Bytes that can be read again and again: what is sent is read once for its sums and once for the store.
public protocol ByteSource: Sendable {
    /// How many bytes there are.
    var bytes: UInt64 { get }
    /// Reads `count` bytes from `offset`, or fewer where it ends. It may block: it is called on threads that are there for it.
    /// Throws what kept it from reading.
    func read(at offset: UInt64, count: Int) throws -> [UInt8]
    /// Reads from `offset` what `buffer` has room for, or less where it ends; otherwise as above. Returns how many bytes it read.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ByteSource {
    /// Reads, and copies.
    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let bytes = try read(at: offset, count: buffer.count)
        buffer.copyBytes(from: bytes)
        return bytes.count
    }
}

/// A range of an open file. It has a descriptor of its own, so the caller may close its.
public final class FileRange: ByteSource {
    /// Why a file cannot be sent, in words.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// What failed and why.
        public let description: String
    }

    /// How many bytes there are.
    public let bytes: UInt64
    private let offset: UInt64
    private let descriptor: Int32

    /// The bytes of `range` of the file that `descriptor` is open on. Throws where the descriptor cannot be doubled, or the range
    /// does not lie in what a file can have.
    public init(descriptor: Int32, range: Range<UInt64>) throws {
        guard range.upperBound <= UInt64(Int64.max) else { throw Failure(description: "no file has such a range") }
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw Failure(description: "the descriptor cannot be doubled: \(Self.reason(errno))") }
        self.descriptor = own
        offset = range.lowerBound
        bytes = UInt64(range.count)
    }

    /// The first `bytes` bytes of the file at `path`, which stay readable when its name is gone. Throws where it cannot be opened, or
    /// has fewer. Blocks as long as the disk does.
    public convenience init(path: String, bytes: UInt64) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(description: "\(path) cannot be opened: \(Self.reason(errno))") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, UInt64(max(status.st_size, 0)) >= bytes else {
            throw Failure(description: "\(path) has fewer than \(bytes) bytes")
        }
        try self.init(descriptor: file, range: 0..<bytes)
    }

    /// A part of this range, which shares nothing with it but the file; `range` counts from its begin. Throws where it does not lie in
    /// this range, or the descriptor cannot be doubled.
    public func part(_ range: Range<UInt64>) throws -> FileRange {
        guard range.upperBound <= bytes else { throw Failure(description: "there are no such bytes in it") }
        return try FileRange(descriptor: descriptor, range: offset + range.lowerBound..<offset + range.upperBound)
    }

    deinit { close(descriptor) }

    /// Reads; blocks as long as the disk does.
    public func read(at place: UInt64, count: Int) throws -> [UInt8] {
        guard place < bytes, count > 0 else { return [] }
        let wanted = Int(min(UInt64(count), bytes - place))
        return try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled = try read(at: place, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Reads; blocks as long as the disk does.
    public func read(at place: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard place < bytes else { return 0 }
        let wanted = Int(min(UInt64(buffer.count), bytes - place))
        // Fits: the range's end does.
        let begin = off_t(truncatingIfNeeded: offset + place)
        var filled = 0
        while filled < wanted {
            let free = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let got = pread(descriptor, free.baseAddress, wanted - filled, begin + off_t(filled))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw Failure(description: "it cannot be read: \(Self.reason(errno))") }
            guard got > 0 else { break }
            filled += got
        }
        return filled
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// Bytes in memory.
public struct MemorySource: ByteSource {
    private let content: [UInt8]
    /// How many bytes there are.
    public var bytes: UInt64 { UInt64(content.count) }

    /// A source of `content`.
    public init(_ content: [UInt8]) { self.content = content }

    /// Reads.
    public func read(at offset: UInt64, count: Int) throws -> [UInt8] {
        guard offset < bytes, count > 0 else { return [] }
        let start = Int(offset)
        return Array(content[start..<min(start + min(count, content.count), content.count)])
    }
}

/// A part of another source.
struct SourceSlice: ByteSource {
    let base: any ByteSource
    let range: Range<UInt64>
    var bytes: UInt64 { UInt64(range.count) }

    func read(at offset: UInt64, count: Int) throws -> [UInt8] {
        guard offset < bytes, count > 0 else { return [] }
        return try base.read(at: range.lowerBound + offset, count: Int(min(UInt64(count), bytes - offset)))
    }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset < bytes else { return 0 }
        let wanted = Int(min(UInt64(buffer.count), bytes - offset))
        return try base.read(
            at: range.lowerBound + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
    }
}
