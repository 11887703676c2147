import Foundation

/// Why a file could not be read or written.
public struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a caller may want to tell apart.
    public enum Kind: Hashable, Sendable {
        /// The system refused.
        case system
        /// No file is there: nothing, or something that is none.
        case absent
        /// The file holds something else than was read from it.
        case changed
        /// Something is where a new file was to be.
        case occupied
    }

    /// What was tried, such as "read".
    let operation: String
    /// The path.
    public let path: String
    /// The system's words for the cause.
    public let cause: String
    /// What the operator can do.
    public let remedy: String
    /// What kind of problem it is.
    public let kind: Kind

    init(operation: String, path: String, cause: String, remedy: String, kind: Kind = .system) {
        self.operation = operation
        self.path = path
        self.cause = cause
        self.remedy = remedy
        self.kind = kind
    }

    /// A new policy has no place.
    public static let noFolderOfPolicies = FileProblem(
        operation: "create", path: "a policy", cause: "no folder of policies is configured",
        remedy: "write policies: [ policies/ ] in the configuration, and make that folder", kind: .occupied)

    /// There is no vigil.yaml.
    public static let noConfigurationFile = FileProblem(
        operation: "write", path: "the configuration", cause: "it was not read from a file",
        remedy: "run Vigil with --config", kind: .occupied)

    /// One sentence.
    public var description: String { "cannot \(operation) \(path): \(cause); \(remedy)" }

    /// The problem that `errno` tells about right after a call.
    static func fromErrno(_ operation: String, _ path: String) -> FileProblem { from(errno, operation, path) }

    /// The problem that an errno tells about.
    static func from(_ code: Int32, _ operation: String, _ path: String) -> FileProblem {
        let remedy =
            switch code {
            case ENOENT, ENOTDIR: "check the path"
            case EACCES, EPERM:
                "let the user of the daemon read it (owner, group or mode), and enter the folders above it"
            case ENOSPC, EDQUOT: "free some space"
            case EROFS:
                "mount it for writing, or let the service write there (ReadWritePaths= in `systemctl edit vigil`)"
            default: "check the disk"
            }
        let kind: Kind = [ENOENT, ENOTDIR, EISDIR, ENXIO, ELOOP].contains(code) ? .absent : .system
        return FileProblem(
            operation: operation, path: path, cause: String(cString: strerror(code)), remedy: remedy, kind: kind)
    }
}
