import Glibc

/// An open file descriptor, with loops over the calls that may do less than asked. Blocking.
final class RawFile: TrackBytes {
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

    /// Opens the file at `relative` below the folder `root` for reading: through no symbolic link, without waiting for a named
    /// pipe, and only when it is a regular file. So nothing outside of the root is read, whatever a path says.
    init(below root: String, _ relative: String) throws(TrackFileError) {
        path = root + "/" + relative
        let names = relative.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= Self.depthMax,
            !names.contains(where: { ["", ".", ".."].contains($0) || $0.contains("\0") })
        else { throw TrackFileError(.open, path, .malformed("a path that no clip has")) }
        var folder = Self.retry { open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        for name in names.dropLast() where folder >= 0 {
            let next = Self.retry { openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
            let code = errno
            _ = Glibc.close(folder)
            (folder, errno) = (next, code)
        }
        if folder < 0 { throw .system(.open, path) }
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let opened = Self.retry { openat(folder, names[names.count - 1], flags) }
        let code = errno
        _ = Glibc.close(folder)
        descriptor = opened
        if descriptor < 0 { throw .system(.open, path, code) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(.open, path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TrackFileError(.open, path, .malformed("not a regular file"))
        }
    }

    /// The most components of a path below the root.
    private static let depthMax = 16

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

    /// Reads into `buffer` from `offset` on; gives how many bytes, fewer only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(TrackFileError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let place = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let (position, overflow) = Int(clamping: offset).addingReportingOverflow(filled)
            guard !overflow else { break }
            let got = Self.retry { pread(descriptor, place.baseAddress, place.count, position) }
            if got < 0 { throw .system(.read, path) }
            if got == 0 { break }
            filled += got
        }
        return filled
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
            let batch = Int32(clamping: min(vectors.count - first, 1024))
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
