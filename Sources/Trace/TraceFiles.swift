internal import Glibc

/// The descriptors of a trace that is written: the folder and its newest file. Every call blocks.
///
/// Whatever fails, what is behind the last whole write is not there, or is taken away before the next one.
final class TraceFiles {
    /// The newest file.
    struct Current {
        let file: TraceFolder.File
        /// What was written whole, in bytes.
        var bytes: Int64
    }

    /// Which folder a path leads to.
    private struct Place: Equatable {
        let device: UInt64
        let inode: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    private let root: String
    private let folder: TraceFolder
    private let disk: any TraceDisk
    private let place: Place
    private var directory: Int32 = -1
    private var descriptor: Int32 = -1
    private(set) var current: Current?
    /// The number of the last file that was begun or found.
    var lastNumber: UInt64 = 0
    /// Something failed: the descriptors are got anew before the next write.
    private var isSuspect = false

    init(root: String, folder: TraceFolder, disk: any TraceDisk) throws(TraceError) {
        guard let place = Place(root) else { throw .unreadable(path: root, errno: errno) }
        self.root = root
        self.folder = folder
        self.disk = disk
        self.place = place
        try openFolder()
    }

    deinit {
        closeFile()
        if directory >= 0 { close(directory) }
    }

    /// Goes on behind the first `bytes` of a file, which is cut there.
    func adopt(_ file: TraceFolder.File, bytes: Int64) throws(TraceError) {
        try open(file, O_WRONLY | O_APPEND)
        current = Current(file: file, bytes: bytes)
        try truncate()
    }

    /// Begins the next file of the chain; it is empty.
    func begin(_ day: UTCDay) throws(TraceError) {
        // One that was begun in vain is begun again, so no number is left out.
        let number = current.map { $0.bytes == 0 } == true ? lastNumber : lastNumber &+ 1
        let file = TraceFolder.File(number: number, day: day)
        if let current, current.bytes == 0, current.file != file { try remove(current.file) }
        closeFile()
        try open(file, O_WRONLY | O_APPEND | O_CREAT | O_TRUNC)
        current = Current(file: file, bytes: 0)
        lastNumber = number
        guard fsync(directory) == 0 else { throw failure("sync the folder of", file) }
    }

    /// Appends; all or nothing.
    func write(_ bytes: [UInt8]) throws(TraceError) {
        guard let file = current?.file else { throw .moved(path: folder.path) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                disk.write(UnsafeRawBufferPointer(rebasing: $0[written...]), to: descriptor)
            }
            if count == -Int(EINTR) { continue }
            guard count > 0 else {
                isSuspect = true
                // At once where that is possible; if not, before the next write.
                try? truncate()
                throw .unwritable(
                    operation: "write", path: folder.path(of: file), errno: count < 0 ? Int32(clamping: -count) : EIO)
            }
            written += count
        }
        current?.bytes += Int64(bytes.count)
    }

    /// Makes what was written durable.
    func sync() throws(TraceError) {
        guard let file = current?.file else { return }
        let code = disk.sync(descriptor)
        guard code == 0 else {
            isSuspect = true
            throw .unwritable(operation: "sync", path: folder.path(of: file), errno: code)
        }
    }

    /// After a failure: opens folder and file again, and takes away what was not written whole. The root must be the one of
    /// the start: below another one nobody looks for the trace.
    func mend() throws(TraceError) {
        guard isSuspect else { return }
        guard Place(root) == place else { throw .moved(path: folder.path) }
        closeFile()
        try openFolder()
        if let file = current?.file {
            do {
                try open(file, O_WRONLY | O_APPEND)
                try truncate()
            } catch .unwritable(_, _, ENOENT) {
                // Somebody took it away; the chain goes on in the next.
                current = nil
            }
        }
        isSuspect = false
    }

    /// Deletes a file.
    func remove(_ file: TraceFolder.File) throws(TraceError) {
        guard unlinkat(directory, file.name, 0) == 0 || errno == ENOENT else { throw failure("delete", file) }
        guard fsync(directory) == 0 else { throw failure("sync the folder of", file) }
    }

    /// The size of a file; 0 where it cannot be had.
    func bytes(of file: TraceFolder.File) -> Int64 {
        var status = stat()
        return fstatat(directory, file.name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? Int64(status.st_size) : 0
    }

    private func openFolder() throws(TraceError) {
        if mkdir(folder.path, 0o750) != 0, errno != EEXIST {
            throw .unwritable(operation: "make the folder", path: folder.path, errno: errno)
        }
        let opened = Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { throw .unreadable(path: folder.path, errno: errno) }
        if directory >= 0 { close(directory) }
        directory = opened
    }

    private func open(_ file: TraceFolder.File, _ flags: Int32) throws(TraceError) {
        descriptor = openat(directory, file.name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o640)
        guard descriptor >= 0 else { throw failure("open", file) }
        // Tells readers that the end may be in the making; nothing depends on it here.
        flock(descriptor, LOCK_EX | LOCK_NB)
    }

    private func truncate() throws(TraceError) {
        guard let current else { return }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("look at", current.file) }
        // A file that has become shorter has lost records; the chain tells.
        guard Int64(status.st_size) > current.bytes else { return }
        guard ftruncate(descriptor, off_t(current.bytes)) == 0 else { throw failure("cut", current.file) }
    }

    private func closeFile() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func failure(_ operation: String, _ file: TraceFolder.File) -> TraceError {
        let code = errno
        isSuspect = true
        return .unwritable(operation: operation, path: folder.path(of: file), errno: code)
    }
}
