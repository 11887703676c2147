/// Why an operation of the catalog failed: what was tried, on which path, why, and what the operator can do.
public struct CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried.
    public enum Operation: String, Hashable, Sendable {
        /// Open the storage root or its database.
        case open
        /// Insert the row of a new clip.
        case openClip
        /// Close a clip.
        case closeClip
        /// Mark clips as deleting.
        case markDeleting
        /// Remove a deleted clip's files and row.
        case deleteClip
        /// Protect or release clips.
        case protect
        /// Write another row.
        case write
        /// Ask the catalog.
        case read
        /// Finish what a crash left.
        case recover
        /// Check the storage.
        case check
        /// Make the catalog anew from the clip files.
        case rebuild
        /// Touch a file or folder under the root.
        case file
    }

    /// Why it failed.
    public enum Cause: Hashable, Sendable {
        /// Another daemon works on this root.
        case locked(pid: Int32?)
        /// The database is damaged; with SQLite's words.
        case corrupt(String)
        /// The database belongs to some other program.
        case notACatalog
        /// No room left on the device, or over the quota.
        case full
        /// The file system or the file may not be written.
        case readOnly
        /// The device failed; with the system's words.
        case io(String)
        /// The file or folder does not exist, or may not be reached; with the system's words.
        case unreachable(String)
        /// Another process held the database for longer than the busy timeout.
        case busy
        /// A newer Vigil has written the catalog; the migrations that this one does not know.
        case newerSchema([String])
        /// The path leads out of the root, over a symbolic link, or is no path of a clip file.
        case unsafePath
        /// A link, pipe, socket, device or folder stands where a file should be.
        case notPlain
        /// The request contradicts what the catalog holds; why, in words.
        case refused(String)
        /// An SQL error that none of the others names: a fault of Vigil.
        case sql(String)
    }

    /// What was tried.
    public let operation: Operation
    /// The file or folder.
    public let path: String
    /// Why it failed.
    public let cause: Cause

    /// An error.
    public init(_ operation: Operation, path: String, cause: Cause) {
        self.operation = operation
        self.path = path
        self.cause = cause
    }

    /// Whether the database itself is damaged, so that only a rebuild helps.
    public var isCorruption: Bool {
        if case .corrupt = cause { true } else { false }
    }

    /// One sentence and the remedy.
    public var description: String { "\(operation.rawValue) \(path): \(reason). \(hint)" }
}

extension CatalogError {
    /// Why, in words.
    public var reason: String {
        switch cause {
        case .locked(let pid?): "process \(pid) works on this storage root"
        case .locked(nil): "another process works on this storage root"
        case .corrupt(let words): "the catalog is damaged (\(words))"
        case .notACatalog: "the database is not a catalog of Vigil"
        case .full: "no room left on the device"
        case .readOnly: "the storage cannot be written"
        case .io(let words): "the storage failed (\(words))"
        case .unreachable(let words): "cannot be reached (\(words))"
        case .busy: "another process holds the catalog"
        case .newerSchema(let names): "a newer Vigil has written the catalog (\(names.joined(separator: ", ")))"
        case .unsafePath: "the path leads out of the storage root or is no clip file"
        case .notPlain: "it is no plain file"
        case .refused(let words): words
        case .sql(let words): "the database refused a statement (\(words))"
        }
    }

    /// What the operator can do.
    public var hint: String {
        switch cause {
        case .locked: "Stop that process, or give this one a root of its own."
        case .corrupt:
            "Stop the daemon and run `vigil fsck --rebuild`: the damaged database is kept beside the new one."
        case .notACatalog: "Give Vigil a storage root of its own."
        case .full: "Free room on the device, or lower maxSize in the retention rules."
        case .readOnly: "Mount the file system read-write and let the daemon's user own the root."
        case .io: "Look at the kernel log for the device, check its cable and its health, then run `vigil fsck`."
        case .unreachable: "Check that the storage is mounted and that the daemon's user may enter it."
        case .busy: "Close the program that has the catalog open; the operation is tried again."
        case .newerSchema: "Install the Vigil that wrote it, or a later one."
        case .unsafePath: "Run `vigil fsck`; look for symbolic links below the root."
        case .notPlain: "Move it out of the storage root."
        case .refused: "Ask for the present state and try again."
        case .sql: "Run `vigil fsck` and report the message."
        }
    }
}
