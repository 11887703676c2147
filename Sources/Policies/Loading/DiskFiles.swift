import Foundation

/// The files of this machine.
public struct DiskFiles: FileReading {
    /// The files of this machine.
    public init() {}

    /// What is at a path; follows links. Blocking.
    public func kind(of path: String) -> FoundFile {
        var status = stat()
        guard stat(path, &status) == 0 else { return .nothing }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// The bytes of a regular file, at most `limit + 1`. Blocking. Throws a ``FileProblem``.
    public func read(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
        try read(path, limit: limit, isSecret: false)
    }

    /// The bytes of a regular file that nobody but its owner may read or write, at most `limit + 1`. Blocking. Throws a
    /// ``FileProblem``.
    public func readSecret(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
        try read(path, limit: limit, isSecret: true)
    }

    private func read(_ path: String, limit: Int, isSecret: Bool) throws(FileProblem) -> [UInt8] {
        // A pipe would block for ever and a device has no end; O_NONBLOCK lets the open of a pipe return.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .fromErrno("read", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .fromErrno("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileProblem(
                operation: "read", path: path, cause: "it is not a regular file", remedy: "name a file", kind: .absent)
        }
        // The open file is asked, not the path, so that it cannot be exchanged in between.
        guard !isSecret || status.st_mode & 0o077 == 0 else {
            throw FileProblem(
                operation: "read", path: path, cause: "others than its owner may read or write it",
                remedy: "chmod 600 it")
        }
        return try Self.read(descriptor, path: path, limit: limit)
    }

    /// At most `limit + 1` bytes from where the descriptor stands.
    static func read(_ descriptor: Int32, path: String, limit: Int) throws(FileProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &buffer, min(buffer.count, limit + 1 - bytes.count))
            if count < 0 {
                if errno == EINTR { continue }
                throw .fromErrno("read", path)
            }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// The names in a folder. Blocking. Throws a ``FileProblem``.
    public func list(_ folder: String) throws(FileProblem) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            let cause = kind(of: folder) == .folder ? "permission denied" : "no such folder"
            throw FileProblem(
                operation: "list", path: folder, cause: cause,
                remedy: "check the path, and that the user of the daemon may read it")
        }
    }
}
