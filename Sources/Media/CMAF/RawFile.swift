import Glibc

/// An open file descriptor, with loops over the calls that may do less than asked. Blocking.
final class RawFile {
    let path: String
    private let descriptor: Int32
    private var isClosed = false

    /// Opens `path` with the flags of open(2) and close-on-exec.
    init(_ path: String, flags: Int32, mode: mode_t = 0, as operation: TrackFileError.Operation) throws(TrackFileError)
    {
        self.path = path
        descriptor = Self.retry { open(path, flags | O_CLOEXEC, mode) }
        if descriptor < 0 { throw .system(operation, path) }
    }

    deinit { if !isClosed { _ = Glibc.close(descriptor) } }

    var number: Int32 { descriptor }

    /// Bytes of the file.
    func size() throws(TrackFileError) -> UInt64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(.read, path) }
        guard status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFCHR else {
            throw TrackFileError(.read, path, .malformed("not a regular file"))
        }
        return UInt64(clamping: status.st_size)
    }

    /// Reads up to `count` bytes at `offset`; fewer only at the end of the file.
    func read(_ count: Int, at offset: UInt64) throws(TrackFileError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let place = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let got = Self.retry { pread(descriptor, place.baseAddress, place.count, Int(offset) + filled) }
                if got < 0 { failure = errno }
                if got <= 0 { break }
                filled += got
            }
        }
        if failure != 0 { throw .system(.read, path, failure) }
        return bytes
    }

    /// Writes all buffers at `offset`, in as few calls as the system takes. On failure an unknown part is written.
    func write(
        _ buffers: [UnsafeRawBufferPointer], at offset: UInt64, as operation: TrackFileError.Operation
    ) throws(TrackFileError) {
        var vectors = buffers.filter { !$0.isEmpty }.map {
            iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
        }
        var first = 0
        var position = Int(offset)
        while first < vectors.count {
            let batch = Int32(min(vectors.count - first, 1024))
            var written = vectors.withUnsafeBufferPointer { list in
                Self.retry { pwritev(descriptor, list.baseAddress?.advanced(by: first), batch, position) }
            }
            if written < 0 { throw .system(operation, path) }
            if written == 0 { throw .system(operation, path, ENOSPC) }
            position += written
            while first < vectors.count, written >= vectors[first].iov_len {
                written -= vectors[first].iov_len
                first += 1
            }
            if written > 0 {
                vectors[first].iov_base = vectors[first].iov_base?.advanced(by: written)
                vectors[first].iov_len -= written
            }
        }
    }

    /// Cuts the file to `bytes`.
    func truncate(to bytes: UInt64) throws(TrackFileError) {
        guard Self.retry({ ftruncate(descriptor, Int(bytes)) }) == 0 else { throw .system(.truncate, path) }
    }

    /// Makes the data, and the size needed to read it, durable.
    func sync() throws(TrackFileError) {
        guard Self.retry({ fdatasync(descriptor) }) == 0 else { throw .system(.sync, path) }
    }

    /// Closes, and reports what close(2) reports (NFS and quotas fail here). Never retried: the descriptor is gone.
    func close() throws(TrackFileError) {
        guard !isClosed else { return }
        isClosed = true
        guard Glibc.close(descriptor) == 0 || errno == EINTR else { throw .system(.close, path) }
    }

    /// Repeats a call that a signal interrupted.
    static func retry<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
