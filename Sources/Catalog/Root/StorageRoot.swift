import Foundation

/// The storage root, opened once as a folder. Every path is relative to it and walked component by component without
/// following a symbolic link, so nothing outside the root can be touched, whatever the catalog says. All calls block.
final class StorageRoot: Sendable {
    /// The root as the operator named it.
    let path: String
    private let descriptor: Int32

    /// Opens the root; `create` makes it (one level) if it does not exist.
    init(path: String, create: Bool) throws(CatalogError) {
        self.path = path
        if create, mkdir(path, 0o750) != 0, errno != EEXIST {
            throw .system(.open, path, errno: errno)
        }
        descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(.open, path, errno: errno) }
    }

    deinit { Glibc.close(descriptor) }

    /// The absolute path of a file below the root, for those who only read names (the scanner, messages).
    func absolute(_ relative: String) -> String { path + "/" + relative }

    /// What is known of a file.
    struct Status: Hashable {
        let bytes: Int64
        let isFile: Bool
        /// When its contents were changed last, in milliseconds since 1970.
        let changedMs: Int64
        let isFolder: Bool
    }

    /// One name in a folder.
    struct Entry {
        /// The name; nil if it is not UTF-8.
        let name: String?
        /// Its status; nil if it cannot be had.
        let status: Status?
    }

    /// The status of a file or folder (links are not followed); nil if it does not exist.
    func status(_ relative: String) throws(CatalogError) -> Status? {
        guard let (folder, name) = try enter(parentOf: relative) else { return nil }
        defer { Glibc.close(folder) }
        if let status = Self.status(of: name, in: folder) { return status }
        if errno == ENOENT { return nil }
        throw .system(.file, absolute(relative), errno: errno)
    }

    /// Removes a file, or the link, pipe or socket in its place; false if there is none. Never removes a folder: what stands in
    /// a file's place and is one is not the file.
    func unlink(_ relative: String) throws(CatalogError) -> Bool {
        guard let (folder, name) = try enter(parentOf: relative) else { return false }
        defer { Glibc.close(folder) }
        guard unlinkat(folder, name, 0) == 0 else {
            if errno == ENOENT || errno == EISDIR { return false }
            throw .system(.file, absolute(relative), errno: errno)
        }
        return true
    }

    /// Makes a file's contents, or a folder's entries, durable. A folder that does not exist has nothing to lose. What is no
    /// file, or no folder, is refused; a pipe in its place is not waited for.
    func sync(_ relative: String, folder isFolder: Bool) throws(CatalogError) {
        guard let file = try openInPlace(relative, O_RDONLY, isFolder: isFolder) else { return }
        defer { Glibc.close(file) }
        guard fsync(file) == 0 else { throw .system(.file, absolute(relative), errno: errno) }
    }

    /// Opens a plain file, or a folder, without following a link or waiting for a pipe; nil if there is none. The caller closes it.
    func openInPlace(_ relative: String, _ flags: Int32, isFolder: Bool) throws(CatalogError) -> Int32? {
        guard let (parent, name) = try enter(parentOf: relative) else { return nil }
        defer { Glibc.close(parent) }
        let file = openat(
            parent, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (isFolder ? O_DIRECTORY : 0))
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(.file, absolute(relative), errno: errno)
        }
        var found = stat()
        let isKnown = fstat(file, &found) == 0
        let code = errno
        if isKnown, found.st_mode & S_IFMT == (isFolder ? S_IFDIR : S_IFREG) { return file }
        Glibc.close(file)
        if isKnown { throw CatalogError(.file, path: absolute(relative), cause: .notPlain) }
        throw .system(.file, absolute(relative), errno: code)
    }

    /// Makes the root's own entries durable.
    func syncRoot() throws(CatalogError) {
        guard fsync(descriptor) == 0 else { throw .system(.file, path, errno: errno) }
    }

    /// Makes a folder and those above it, each entry durable before the next is made.
    func makeFolder(_ relative: String) throws(CatalogError) {
        var current = dup(descriptor)
        guard current >= 0 else { throw .system(.file, path, errno: errno) }
        defer { Glibc.close(current) }
        for name in try components(relative) {
            if mkdirat(current, name, 0o750) == 0 {
                guard fsync(current) == 0 else { throw .system(.file, absolute(relative), errno: errno) }
            } else if errno != EEXIST {
                throw .system(.file, absolute(relative), errno: errno)
            }
            let next = openat(current, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else { throw .system(.file, absolute(relative), errno: errno) }
            Glibc.close(current)
            current = next
        }
    }

    /// Moves a file to another path below the root, whose folder exists; refuses to replace one.
    func move(_ from: String, to target: String) throws(CatalogError) {
        guard let (source, oldName) = try enter(parentOf: from), let (folder, newName) = try enter(parentOf: target)
        else { throw .system(.file, absolute(from), errno: ENOENT) }
        defer {
            Glibc.close(source)
            Glibc.close(folder)
        }
        // Only the holder of the root's lock moves files, so nothing can appear between the look and the rename.
        var found = stat()
        guard fstatat(folder, newName, &found, AT_SYMLINK_NOFOLLOW) != 0 else {
            throw .system(.file, absolute(target), errno: EEXIST)
        }
        guard renameat(source, oldName, folder, newName) == 0 else {
            throw .system(.file, absolute(from), errno: errno)
        }
    }

    /// What a folder holds, by name; empty if it does not exist.
    func list(_ relative: String) throws(CatalogError) -> [Entry] {
        guard let (parent, name) = try enter(parentOf: relative) else { return [] }
        defer { Glibc.close(parent) }
        let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else {
            if errno == ENOENT { return [] }
            throw .system(.file, absolute(relative), errno: errno)
        }
        guard let stream = fdopendir(folder) else {
            let code = errno
            Glibc.close(folder)
            throw .system(.file, absolute(relative), errno: code)
        }
        defer { closedir(stream) }
        var entries: [Entry] = []
        errno = 0
        while let next = readdir(stream) {
            let name: String? = withUnsafePointer(to: &next.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if name != "." && name != ".." {
                entries.append(Entry(name: name, status: name.flatMap { Self.status(of: $0, in: dirfd(stream)) }))
            }
            errno = 0
        }
        guard errno == 0 else { throw .system(.file, absolute(relative), errno: errno) }
        return entries.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    /// Removes a folder if it is empty; false if it is not, or cannot be removed.
    func removeIfEmpty(_ relative: String) throws(CatalogError) -> Bool {
        guard let (parent, name) = try enter(parentOf: relative) else { return false }
        defer { Glibc.close(parent) }
        return unlinkat(parent, name, AT_REMOVEDIR) == 0
    }

    private static func status(of name: String, in folder: Int32) -> Status? {
        var found = stat()
        guard fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        let kind = found.st_mode & S_IFMT
        let changed = Int64(found.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000).partialValue
        return Status(
            bytes: Int64(found.st_size), isFile: kind == S_IFREG,
            changedMs: changed &+ Int64(found.st_mtim.tv_nsec) / 1_000_000, isFolder: kind == S_IFDIR)
    }

    /// The folder that holds `relative`, opened, and the last component; nil if that folder does not exist.
    func enter(parentOf relative: String) throws(CatalogError) -> (folder: Int32, name: String)? {
        var names = try components(relative)
        let last = names.removeLast()
        var current = dup(descriptor)
        guard current >= 0 else { throw .system(.file, path, errno: errno) }
        for name in names {
            let next = openat(current, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            let code = errno
            Glibc.close(current)
            if next < 0 {
                if code == ENOENT { return nil }
                throw .system(.file, absolute(relative), errno: code)
            }
            current = next
        }
        return (current, last)
    }

    /// The components of a relative path; refuses empty ones, dots, and NUL. At least one.
    private func components(_ relative: String) throws(CatalogError) -> [String] {
        let names = relative.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." || $0.utf8.contains(0) }) else {
            throw CatalogError(.file, path: absolute(relative), cause: .unsafePath)
        }
        return names
    }
}
