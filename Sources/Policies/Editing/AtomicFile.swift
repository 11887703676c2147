import Foundation
internal import Hashing

/// Writes a file so that a reader, and the disk after a power cut, holds either the old text or the new one; and only where
/// what stands there is what the writer knows (H7).
public enum AtomicFile {
    /// Creates a file of mode 0644. Blocking (two fsyncs). Throws a ``FileProblem`` of kind `occupied` where anything is there
    /// already, a link that leads nowhere too.
    public static func create(_ path: String, text: String) throws(FileProblem) {
        try create(path, text: text, mode: 0o644)
    }

    /// The same with another mode.
    static func create(_ path: String, text: String, mode: mode_t) throws(FileProblem) {
        try place(Array(text.utf8), at: path, mode: nil, newMode: mode) { temporary throws(FileProblem) in
            // A link to a name that exists fails, whatever that is; a rename would replace it.
            guard link(temporary, path) == 0 else {
                throw errno == EEXIST ? occupied(path) : .fromErrno("create", path)
            }
            unlink(temporary)
        }
    }

    /// The text of a file that still holds what was read from it. Blocking. Throws a ``FileProblem``, of kind `changed` where it
    /// holds something else.
    ///
    /// - Parameter revision: The first 12 hexadecimal digits of the SHA-256 of what was read.
    public static func text(_ path: String, revision: String) throws(FileProblem) -> String {
        let bytes = try read(path)
        guard SHA256.revision(bytes) == revision else { throw changed(path) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text of a file, whatever it holds by now. Blocking. Throws a ``FileProblem``, of kind `absent` where there is no file.
    public static func text(_ path: String) throws(FileProblem) -> String {
        String(decoding: try read(path), as: UTF8.self)
    }

    private static func read(_ path: String) throws(FileProblem) -> [UInt8] {
        do { return try DiskFiles().read(path, limit: YAMLReader.maxBytes) } catch {
            throw error.kind == .absent ? absent(path) : error
        }
    }

    /// Replaces a file that still holds what was read from it, and calls `keep` with that before. Mode and owner stay; a link is
    /// not followed. Blocking (two fsyncs). Throws a ``FileProblem``, of kind `changed` where the file holds something else;
    /// the file is then untouched.
    ///
    /// - Parameter revision: The first 12 hexadecimal digits of the SHA-256 of what was read.
    public static func replace(
        _ path: String, revision: String, text: String, keep: ([UInt8]) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else {
            let code = errno
            guard code == ELOOP else {
                let problem = FileProblem.from(code, "open", path)
                throw problem.kind == .absent ? absent(path) : problem
            }
            throw FileProblem(
                operation: "write", path: path, cause: "it is a symbolic link",
                remedy: "change the file to which it leads, by hand; it is read again by itself", kind: .changed)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .fromErrno("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw absent(path) }
        let old = try DiskFiles.read(descriptor, path: path, limit: YAMLReader.maxBytes)
        guard SHA256.revision(old) == revision else { throw changed(path) }
        try keep(old)
        try place(Array(text.utf8), at: path, mode: status) { temporary throws(FileProblem) in
            var now = stat()
            // The same file by its inode, and not written since it was read.
            guard lstat(path, &now) == 0, now.st_dev == status.st_dev, now.st_ino == status.st_ino,
                now.st_size == status.st_size, now.st_mtim.tv_sec == status.st_mtim.tv_sec,
                now.st_mtim.tv_nsec == status.st_mtim.tv_nsec
            else { throw changed(path) }
            guard rename(temporary, path) == 0 else { throw FileProblem.fromErrno("replace", path) }
        }
    }

    /// Puts a file in place that nobody but its owner may read or write (mode 0600), whatever stands there; a link is replaced, not
    /// followed. Blocking (two fsyncs). For a file that Vigil alone writes.
    public static func put(_ path: String, bytes: [UInt8]) throws(FileProblem) {
        try place(bytes, at: path, mode: nil, newMode: 0o600) { temporary throws(FileProblem) in
            guard rename(temporary, path) == 0 else { throw FileProblem.fromErrno("replace", path) }
        }
    }

    /// That no file is at a path, and whether something else stands there.
    private static func absent(_ path: String) -> FileProblem {
        var status = stat()
        let isVacant = lstat(path, &status) != 0
        return FileProblem(
            operation: "use", path: path,
            cause: isVacant ? "the file is gone" : "something else than a file stands in its place",
            remedy: (isVacant ? "" : "move it away, then ")
                + "bring the file back; that of a policy comes back by `vigil policy revert`", kind: .absent)
    }

    private static func changed(_ path: String) -> FileProblem {
        FileProblem(
            operation: "write", path: path, cause: "it was changed on disk and does not hold what is in force",
            remedy: "look at it (`vigil check` says what is wrong with it), correct it by hand, and repeat the change",
            kind: .changed)
    }

    private static func occupied(_ path: String) -> FileProblem {
        FileProblem(
            operation: "create", path: path,
            cause: "something is there already, and no policy of this name is read from it",
            remedy: "move it away, or give the policy another name", kind: .occupied)
    }

    /// Writes a temporary file beside `path`, has `put` put it in place, and makes that durable.
    private static func place(
        _ bytes: [UInt8], at path: String, mode: stat?, newMode: mode_t = 0o644,
        _ put: (String) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let folder = FilePath.folder(of: path)
        removeLeftovers(of: path, in: folder)
        let temporary = "\(folder)/\(prefix(path))\(getpid()).\(UInt32.random(in: 0 ... .max)).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .fromErrno("write", temporary) }
        do throws(FileProblem) {
            defer { close(descriptor) }
            try takeOver(mode, newMode, to: descriptor, path)
            try writeAll(bytes, to: descriptor, path: temporary)
            guard fsync(descriptor) == 0 else { throw FileProblem.fromErrno("write", temporary) }
            try put(temporary)
        } catch {
            unlink(temporary)
            throw error
        }
        try syncFolder(folder)
    }

    /// How the names of temporary files for `path` begin.
    private static func prefix(_ path: String) -> String { ".\(FilePath.name(path))." }

    /// Removes the temporary files that a kill left behind: one process at a time writes a file.
    private static func removeLeftovers(of path: String, in folder: String) {
        let prefix = prefix(path)
        for name in (try? DiskFiles().list(folder)) ?? [] where name.hasPrefix(prefix) && name.hasSuffix(".tmp") {
            unlink("\(folder)/\(name)")
        }
    }

    private static func takeOver(
        _ status: stat?, _ newMode: mode_t, to descriptor: Int32, _ path: String
    ) throws(FileProblem) {
        guard let status else {
            guard fchmod(descriptor, newMode) == 0 else { throw .fromErrno("write", path) }
            return
        }
        // Owner before mode: changing the owner clears the set-id bits. Only root may give a file away, and a file that
        // would change hands is not written at all.
        if status.st_uid != geteuid() || status.st_gid != getegid() {
            guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else {
                throw .fromErrno("keep the owner of", path)
            }
        }
        guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw .fromErrno("keep the mode of", path) }
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
