internal import Glibc

/// What can go wrong with the trace: operation, subject, cause, and what the operator can do.
public enum TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A machine's input, state or effects cannot be written as JSON.
    case notEncodable(subject: String, cause: String)
    /// A folder or file of the trace cannot be read.
    case unreadable(path: String, errno: Int32)
    /// A file of the trace cannot be written.
    case unwritable(operation: String, path: String, errno: Int32)
    /// The folder is not the one that was opened.
    case moved(path: String)

    /// Operation, subject, cause and, where there is one, the remedy, in one line.
    public var description: String {
        switch self {
        case .notEncodable(let subject, let cause): "write \(subject) as JSON: \(cause)"
        case .unreadable(let path, let errno):
            "read \(path): \(Self.text(errno))" + (errno == EACCES ? "; root and Vigil's own user may read it" : "")
        case .unwritable(let operation, let path, let errno): "\(operation) \(path): \(Self.text(errno))"
        case .moved(let path): "write into \(path): it is not the folder that it was at the start"
        }
    }

    private static func text(_ errno: Int32) -> String {
        guard let text = strerror(errno) else { return "error \(errno)" }
        return String(cString: text)
    }
}
