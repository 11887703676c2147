internal import Glibc

/// The file of an export: written beside its place and moved there when it is whole. Blocking, on local files.
struct ExportFile {
    private let path: String
    private let replace: Bool
    private var handle: Int32

    /// The name while it is not whole.
    private var partial: String { path + ".part" }
    private var isStandardOutput: Bool { path == "-" }

    init(_ path: String, replace: Bool) throws(Failure) {
        self.path = path
        self.replace = replace
        handle = STDOUT_FILENO
        if isStandardOutput { return }
        if !replace, access(path, F_OK) == 0 { throw Failure("\(path) exists; name another file or give --force") }
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG {
            throw Failure("\(path) is no plain file and is not replaced; name a file, or - for standard output")
        }
        handle = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard handle >= 0 else { throw Self.failure("create", partial) }
    }

    func write(_ bytes: [UInt8]) throws {
        try Output.write(bytes, to: handle, named: isStandardOutput ? "standard output" : partial)
    }

    /// Gives the file its name. The data is on disk before the name is, and no file that came meanwhile is replaced
    /// unasked.
    mutating func finish() throws(Failure) {
        guard !isStandardOutput else { return }
        let synced = fsync(handle)
        let closed = close(handle)
        handle = -1
        guard synced == 0, closed == 0 else { throw Self.failure("write", partial) }
        if replace {
            guard rename(partial, path) == 0 else { throw Self.failure("rename", partial) }
        } else {
            guard link(partial, path) == 0 else { throw Self.failure("name", path) }
            unlink(partial)
        }
    }

    /// Removes what is not whole.
    mutating func abandon() {
        guard !isStandardOutput else { return }
        if handle >= 0 { close(handle) }
        handle = -1
        unlink(partial)
    }

    private static func failure(_ operation: String, _ path: String) -> Failure {
        Failure("cannot \(operation) \(path): \(String(cString: strerror(errno)))")
    }
}
