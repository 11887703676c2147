import Foundation
import GRDB
import Glibc
import Machines
import Synchronization

/// The index of everything recorded under one storage root: SQLite in WAL mode with `synchronous = FULL`, so that a call
/// that returned has survived a power cut.
///
/// It owns `<root>/catalog.sqlite`, `<root>/lock` and the names below `<root>/clips`; it never looks inside a track file
/// (a scanner is handed in) and never decides what to delete (`RetentionPlan` does). Every function blocks on the disk,
/// for up to the busy timeout of 5 s: call it from an owned thread, never from the cooperative pool. All are safe to
/// call from several threads at once. The procedures and what they guarantee are in docs/design/durability.md.
public final class Catalog: Sendable {
    /// How the catalog is opened.
    public enum Mode: Hashable, Sendable {
        /// As the only daemon on the root: takes the lock, makes what is missing, migrates.
        case exclusive
        /// To ask only: takes no lock, changes nothing, works beside a daemon.
        case readOnly
    }

    /// Name of the database below the root.
    public static let fileName = "catalog.sqlite"

    /// The root as the operator named it.
    public var rootPath: String { root.path }

    let root: StorageRoot
    let pool: DatabasePool
    /// The highest id that an event has had, or was given.
    let lastEvent: Atomic<Int64>
    private let lock: RootLock?
    /// The file that was opened.
    private let opened: FileIdentity?

    /// Path of the database, for messages.
    let path: String

    /// Opens the catalog of a root.
    ///
    /// - Parameters:
    ///   - root: the storage root; made (one level) in exclusive mode if it is missing.
    ///   - mode: how.
    /// - Throws: `CatalogError` with cause `locked`, `corrupt`, `notACatalog`, `newerSchema`, `readOnly`, `full`, `io`,
    ///   `unreachable`, `busy`.
    public convenience init(root: String, mode: Mode = .exclusive) throws(CatalogError) {
        let folder = try StorageRoot(path: root, create: mode == .exclusive)
        let lock = mode == .exclusive ? try RootLock(root: root) : nil
        try self.init(folder: folder, lock: lock, mode: mode)
    }

    /// Opens the catalog of a root whose lock is held already (or, to ask only, is not needed).
    init(
        folder: StorageRoot, lock: RootLock?, mode: Mode, fileName: String = Catalog.fileName
    ) throws(CatalogError) {
        let path = folder.absolute(fileName)
        root = folder
        self.lock = lock
        self.path = path
        pool = try CatalogError.mapping(.open, path) {
            let pool = try DatabasePool(path: path, configuration: Self.configuration(mode))
            if mode == .exclusive {
                try pool.writeWithoutTransaction { db in
                    // The pool sets NORMAL, under which the last commits may be lost in a power cut.
                    try db.execute(sql: "PRAGMA synchronous = FULL")
                    try Schema.admit(db, path: path)
                }
                try Schema.migrator.migrate(pool)
                // The log may be what another process has left after a failed sync, which no later sync of it keeps. Its pages
                // are written anew, into the database. Where the disk refuses, or somebody reads, the next time will do.
                _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
                // The database's own name in the root must outlive a power cut as well.
                try folder.syncRoot()
            } else {
                try pool.read { db in
                    try Schema.admit(db, path: path)
                    guard try Schema.migrator.hasCompletedMigrations(db) else {
                        throw CatalogError(
                            .open, path: path,
                            cause: .refused("the catalog is older than this Vigil; start the daemon once"))
                    }
                }
            }
            return pool
        }
        opened = FileIdentity(path: path)
        lastEvent = Atomic(
            try CatalogError.mapping(.open, path) { [pool] in
                try pool.read { try Int64.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'event'") }
            } ?? 0)
    }

    /// Closes the database and gives the root free. Calls after this one throw.
    public func close() throws(CatalogError) {
        try CatalogError.mapping(.write, path) {
            // Readers are read-only: if the last to close were one of them, the log would stay behind.
            pool.releaseMemory()
            if !pool.configuration.readonly { _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
            try pool.close()
        }
        lock?.release()
    }

    /// Closes the connections that are not in use, when they are not, and gives up what the others keep of the database. Who reads
    /// next opens one anew, in a millisecond. Does not block.
    public func releaseMemory() { pool.releaseMemoryEventually() }

    private static func configuration(_ mode: Mode) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = mode == .readOnly
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.label = "catalog"
        return configuration
    }

    /// Size of the database and of its log, in bytes; 0 for what cannot be asked for. Blocking.
    public var fileBytes: Int64 {
        [path, path + "-wal"].reduce(0) { sum, path in
            var facts = stat()
            return stat(path, &facts) == 0 ? sum.addingClamped(Int64(facts.st_size)) : sum
        }
    }

    /// Whether the database's name still leads to the file that was opened. What is written into one that was replaced or removed
    /// is found by nobody who opens it next. Blocking.
    ///
    /// - Throws: `CatalogError` where that cannot be found out.
    public func isInPlace() throws(CatalogError) -> Bool {
        if let found = FileIdentity(path: path) { return found == opened }
        let code = errno
        if code == ENOENT { return false }
        throw CatalogError(.read, path: path, cause: .unreachable(String(cString: strerror(code))))
    }

    /// One transaction, durable when this returns.
    func write<T>(_ operation: CatalogError.Operation, _ body: (Database) throws -> T) throws(CatalogError) -> T {
        try CatalogError.mapping(operation, path) { try pool.write(body) }
    }

    /// One consistent view.
    func read<T>(_ body: (Database) throws -> T) throws(CatalogError) -> T {
        try CatalogError.mapping(.read, path) { try pool.read(body) }
    }

    /// Makes the folder of a track file, and those above it, each durable. Step 1 of opening a clip; blocking.
    public func makeFolder(of paths: ClipPaths) throws(CatalogError) { try root.makeFolder(paths.folder) }

    /// Makes the entries of a clip's folder durable. Step 3 of opening a clip, after its files are made; blocking.
    public func syncFolder(of paths: ClipPaths) throws(CatalogError) { try root.sync(paths.folder, folder: true) }

    /// Writes a track file's contents in their place again, so that the next sync keeps all of it; blocking.
    public func rewriteFile(_ relative: String) throws(CatalogError) { try root.rewrite(relative) }

    /// Makes a track file's contents durable; blocking.
    public func syncFile(_ relative: String) throws(CatalogError) { try root.sync(relative, folder: false) }

    /// The absolute path of a track file, for its writer and its readers.
    public func absolutePath(of relative: String) -> String { root.absolute(relative) }
}

/// Which file a path leads to.
private struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        (device, inode) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
    }
}
