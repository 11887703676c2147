internal import Glibc

/// What can go wrong with the trace: operation, subject, cause, and what the operator can do.
public enum TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A machine's input, state or effects cannot be written as JSON.
    case notEncodable(subject: String, cause: String)
    /// A folder or file of the trace cannot be read.
    case unreadable(path: String, errno: Int32)
    /// A link, pipe, socket, device or folder has the name of a file of the trace.
    case notPlain(path: String)
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
        case .notPlain(let path): "read \(path): it is no plain file; move it out of the folder"
        case .unwritable(let operation, let path, let errno): "\(operation) \(path): \(Self.text(errno))"
        case .moved(let path): "write into \(path): it is not the folder that it was at the start"
        }
    }

    /// Whether only this file is concerned: the others can be read.
    var isOfOneFile: Bool {
        switch self {
        case .notPlain: true
        case .unreadable(_, let errno): [EIO, EACCES, EPERM, ELOOP, ENXIO, EISDIR, ENOENT, EINVAL].contains(errno)
        case .notEncodable, .unwritable, .moved: false
        }
    }

    private static func text(_ errno: Int32) -> String {
        guard let text = strerror(errno) else { return "error \(errno)" }
        return String(cString: text)
    }
}
