import Foundation

/// Writes a file so that a reader, and the disk after a power cut, holds either the old text or the new one.
public enum AtomicFile {
    /// Replaces the contents of a file, or creates it with mode 0644. Mode and owner of an old file are kept; a link is
    /// followed, so that it stays one. Blocking (two fsyncs). Throws a ``FileProblem``; the old file is then untouched.
    public static func write(_ text: String, to path: String) throws(FileProblem) {
        let target = resolved(path)
        let folder = FilePath.folder(of: target)
        let temporary = "\(folder)/.\(FilePath.name(target)).\(getpid()).\(UInt32.random(in: 0 ... .max)).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .fromErrno("write", temporary) }
        do throws(FileProblem) {
            defer { close(descriptor) }
            try takeOver(from: target, to: descriptor)
            try writeAll(Array(text.utf8), to: descriptor, path: temporary)
            guard fsync(descriptor) == 0 else { throw FileProblem.fromErrno("write", temporary) }
            guard rename(temporary, target) == 0 else { throw FileProblem.fromErrno("replace", target) }
        } catch {
            unlink(temporary)
            throw error
        }
        try syncFolder(folder)
    }

    /// Where a chain of links ends; the path itself when nothing is there yet.
    private static func resolved(_ path: String) -> String {
        guard let pointer = realpath(path, nil) else { return path }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    private static func takeOver(from target: String, to descriptor: Int32) throws(FileProblem) {
        var status = stat()
        guard stat(target, &status) == 0 else {
            guard fchmod(descriptor, 0o644) == 0 else { throw .fromErrno("write", target) }
            return
        }
        // Owner before mode: changing the owner clears the set-id bits. Only root may give a file away, and a file that
        // would change hands is not written at all.
        if status.st_uid != geteuid() || status.st_gid != getegid() {
            guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else {
                throw .fromErrno("keep the owner of", target)
            }
        }
        guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw .fromErrno("keep the mode of", target) }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileProblem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .fromErrno("write", path)
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func syncFolder(_ folder: String) throws(FileProblem) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .fromErrno("sync", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .fromErrno("sync", folder) }
    }
}
