/// How the loader reaches files: the disk, or the disk with one text replaced (to try an edit before it is written).
public protocol FileReading: Sendable {
    /// What is at a path; follows links. Blocking.
    func kind(of path: String) -> FoundFile
    /// The bytes of a file, at most `limit + 1` of them, so that a longer one can be told. Blocking. Throws a
    /// ``FileProblem``.
    func read(_ path: String, limit: Int) throws(FileProblem) -> [UInt8]
    /// The bytes of a file that nobody but its owner may read or write; otherwise as `read`. Blocking. Throws a ``FileProblem``, for
    /// a file that others may read too.
    func readSecret(_ path: String, limit: Int) throws(FileProblem) -> [UInt8]
    /// The names in a folder, unsorted. Blocking. Throws a ``FileProblem``.
    func list(_ folder: String) throws(FileProblem) -> [String]
}

extension FileReading {
    /// For files without an owner.
    public func readSecret(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] { try read(path, limit: limit) }
}

/// What is at a path.
public enum FoundFile: Hashable, Sendable {
    /// Nothing, or it may not be looked at.
    case nothing
    /// A regular file.
    case file
    /// A folder.
    case folder
    /// A device, socket or pipe.
    case other
}
