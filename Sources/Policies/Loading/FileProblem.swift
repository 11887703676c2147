import Foundation

/// Why a file could not be read or written.
public struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, such as "read".
    public let operation: String
    /// The path.
    public let path: String
    /// The system's words for the cause.
    public let cause: String
    /// What the operator can do.
    public let remedy: String

    /// One sentence.
    public var description: String { "cannot \(operation) \(path): \(cause); \(remedy)" }

    /// The problem that `errno` tells about right after a call.
    static func fromErrno(_ operation: String, _ path: String) -> FileProblem {
        let code = errno
        let remedy =
            switch code {
            case ENOENT, ENOTDIR: "check the path"
            case EACCES, EPERM:
                "let the user of the daemon read it (owner, group or mode), and enter the folders above it"
            case ENOSPC, EDQUOT: "free some space"
            case EROFS: "mount the file system for writing"
            default: "check the disk"
            }
        return FileProblem(operation: operation, path: path, cause: String(cString: strerror(code)), remedy: remedy)
    }
}
