public import Foundation

/// Files that can be made again, below a folder of the root: strips of small pictures, what was read from the cloud. None is
/// synced, claimed or counted. A path here is `FOLDER/NAME` below that folder. All functions block.
public struct DerivedFiles: Sendable {
    /// A file.
    public struct File: Sendable {
        /// Its path.
        public let path: String
        /// Its size.
        public let bytes: Int64
        /// When it was written, UTC epoch milliseconds.
        public let changedMs: Int64
    }

    private let root: StorageRoot
    private let folder: String

    /// Those below `folder` of a catalog's root.
    public init(catalog: Catalog, folder: String) {
        root = catalog.root
        self.folder = folder
    }

    /// What a file holds; nil where there is none, or one of more than `most` bytes.
    public func read(_ path: String, most: Int) -> Data? {
        guard let found = (try? root.enter(parentOf: "\(folder)/\(path)")) ?? nil else { return nil }
        defer { Glibc.close(found.folder) }
        let file = openat(found.folder, found.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= most else { return nil }
        return try? handle.readToEnd()
    }

    /// Keeps a file. What stood there is replaced as a whole.
    ///
    /// - Throws: `CatalogError` where it cannot be written; nothing is left then.
    public func keep(_ data: Data, _ path: String) throws(CatalogError) {
        let whole = "\(folder)/\(path)"
        try root.makeFolder(String(whole[..<(whole.lastIndex(of: "/") ?? whole.startIndex)]))
        guard let (parent, name) = try root.enter(parentOf: whole) else { return }
        defer { Glibc.close(parent) }
        let temporary = ".\(name).new"
        let file = openat(parent, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard file >= 0 else { throw .system(.file, root.absolute(whole), errno: errno) }
        var written = 0
        while written < data.count {
            let count = data.withUnsafeBytes {
                write(file, $0.baseAddress?.advanced(by: written), data.count - written)
            }
            guard count > 0 else { break }
            written += count
        }
        let code = errno
        Glibc.close(file)
        guard written == data.count, renameat(parent, temporary, parent, name) == 0 else {
            let failed = written == data.count ? errno : code
            unlinkat(parent, temporary, 0)
            throw .system(.file, root.absolute(whole), errno: failed)
        }
    }

    /// Makes a folder of this name for files that somebody writes by their paths, if there is none. Gives its path from the root of
    /// the file system.
    public func makeFolder(_ name: String) throws(CatalogError) -> String {
        try root.makeFolder("\(folder)/\(name)")
        return root.absolute("\(folder)/\(name)")
    }

    /// Removes a folder of this name with its files.
    public func dropFolder(_ name: String) {
        for entry in (try? root.list("\(folder)/\(name)")) ?? [] {
            if let file = entry.name { drop("\(name)/\(file)") }
        }
        _ = try? root.removeIfEmpty("\(folder)/\(name)")
    }

    /// Removes all of it.
    public func dropAll() {
        for entry in (try? root.list(folder)) ?? [] { if let name = entry.name { dropFolder(name) } }
    }

    /// Removes a file; false where there is none.
    @discardableResult
    public func drop(_ path: String) -> Bool { (try? root.unlink("\(folder)/\(path)")) == true }

    /// All files.
    public func list() -> [File] {
        var files: [File] = []
        for parent in (try? root.list(folder)) ?? [] where parent.status?.isFolder == true {
            guard let name = parent.name else { continue }
            for entry in (try? root.list("\(folder)/\(name)")) ?? [] {
                guard let file = entry.name, let status = entry.status, status.isFile else { continue }
                files.append(File(path: "\(name)/\(file)", bytes: status.bytes, changedMs: status.changedMs))
            }
        }
        return files
    }
}
