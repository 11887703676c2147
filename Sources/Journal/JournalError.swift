internal import Glibc

/// What can go wrong at the border to systemd: operation, subject, cause, and what the operator can do.
public enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The boot id cannot be read.
    case bootIDUnreadable(errno: Int32)
    /// The service manager could not be told.
    case notifyFailed(errno: Int32)
    /// A trace file cannot be opened or read.
    case unreadable(path: String, errno: Int32)
    /// A line or entry of a trace is malformed. `line` counts from 1; an entry of the journal itself has its number.
    case malformed(line: Int, cause: String)
    /// The journal cannot be opened, searched or read.
    case journalUnreadable(operation: String, errno: Int32)

    /// Operation, subject, cause and, where there is one, the remedy, in one line.
    public var description: String {
        switch self {
        case .bootIDUnreadable(let errno):
            "read the boot id: \(Self.text(errno)); mount /proc and do not hide /proc/sys (ProcSubset=all)"
        case .notifyFailed(let errno):
            "notify the service manager: \(Self.text(errno)); is the unit's NotifyAccess= at least main?"
        case .unreadable(let path, let errno):
            "read \(path): \(Self.text(errno))"
        case .malformed(let line, let cause):
            "read the trace, line \(line): \(cause)"
        case .journalUnreadable(let operation, let errno):
            "\(operation): \(Self.text(errno)); members of the groups adm and systemd-journal may read the journal"
        }
    }

    static func text(_ errno: Int32) -> String {
        guard let text = strerror(errno) else { return "error \(errno)" }
        return String(cString: text)
    }
}
