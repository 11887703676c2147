internal import Glibc

/// The file of the control socket. All functions block briefly (local file calls).
struct SocketFile: Sendable {
    /// What was done to let people in.
    enum Access: Hashable, Sendable {
        /// Mode 0660, owned by the group.
        case group
        /// Mode 0600, since there is no such group or the daemon may not give the file to it.
        case ownerOnly
    }

    /// Which file it is, so that only our own is removed.
    struct Identity: Hashable, Sendable {
        var device: UInt64
        var inode: UInt64
    }

    /// `sun_path` less its closing zero.
    static let pathBytesMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    let path: String

    /// Makes room: removes a socket that nobody answers at, refuses anything else that is in the way.
    func claim() throws(ListenError) {
        guard path.utf8.count <= Self.pathBytesMax, !path.isEmpty, !path.utf8.contains(0) else {
            throw .pathTooLong(path: path, limit: Self.pathBytesMax)
        }
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            let code = errno
            if code == ENOENT { return try requireFolder() }
            throw failure("stat", code)
        }
        guard facts.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        switch try Self.knock(path) {
        case .answered: throw .inUse(place: path)
        case .silent: break
        case .refused(let code): throw failure("connect", code)
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("unlink", errno) }
    }

    /// Lets `group` in, or nobody but the owner where there is none.
    func open(to group: SocketGroup?) throws(ListenError) -> Access {
        var facts = stat()
        let owner = lstat(path, &facts) == 0 ? facts.st_gid : nil
        // Where the file has the group already, as a daemon's own group, no right to change it is needed.
        if let group, owner == group.id || chown(path, uid_t.max, group.id) == 0 {
            guard chmod(path, 0o660) == 0 else { throw failure("chmod", errno) }
            return .group
        }
        guard chmod(path, 0o600) == 0 else { throw failure("chmod", errno) }
        return .ownerOnly
    }

    /// Which file is there now; nil where none is.
    func identity() -> Identity? {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        return Identity(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino))
    }

    /// Removes the file if it still is `own`.
    func remove(_ own: Identity) {
        guard identity() == own else { return }
        unlink(path)
    }

    private func requireFolder() throws(ListenError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var facts = stat()
        guard stat(folder.isEmpty ? "/" : folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
            throw .noFolder(path: path)
        }
    }

    private func failure(_ operation: String, _ code: Int32) -> ListenError {
        .system(place: path, operation: operation, reason: String(cString: strerror(code)))
    }
}
