import Glibc

/// A file operation of a track, an index or an export that failed.
public struct TrackFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried.
    public enum Operation: String, Hashable, Sendable {
        case create, append, sync, close, open, read, truncate
        case syncDirectory = "sync the directory of"
    }

    /// Why it failed.
    public enum Cause: Hashable, Sendable {
        /// The system refused, with this `errno`.
        case system(Int32)
        /// The file's contents break the format, as said.
        case malformed(String)
        /// The caller's data cannot be written, as said. Nothing was written.
        case refused(String)
        /// The clips hold no media in the range that was asked for.
        case nothingInRange
        /// The range is longer than one movie may be.
        case tooLong
        /// It lies elsewhere and cannot be had from there now, as said.
        case elsewhere(String)
        /// The clip's pictures are turned otherwise than those before it, and a movie turns all of them alike.
        case turned
    }

    /// What the failure means for the storage as a whole.
    public enum Storage: Hashable, Sendable {
        /// No room (`ENOSPC`, `EDQUOT`).
        case full
        /// Mounted or remounted read-only (`EROFS`).
        case readOnly
        /// The folder, disk or mount is gone or fails (`ENOENT`, `EIO`, `ENODEV`, `ENXIO`, `ESTALE`, `ENOTCONN`).
        case gone
        /// Not a matter of the storage.
        case unaffected
    }

    /// What was tried.
    public let operation: Operation
    /// On which file.
    public let path: String
    /// Why it failed.
    public let cause: Cause

    init(_ operation: Operation, _ path: String, _ cause: Cause) {
        self.operation = operation
        self.path = path
        self.cause = cause
    }

    /// What lies elsewhere cannot be had now.
    public static func elsewhere(_ path: String, _ why: String) -> TrackFileError {
        TrackFileError(.read, path, .elsewhere(why))
    }

    /// A failed system call; `errno` is read now unless given.
    static func system(_ operation: Operation, _ path: String, _ code: Int32 = errno) -> TrackFileError {
        TrackFileError(operation, path, .system(code))
    }

    /// What the failure says about the storage.
    public var storage: Storage {
        guard case .system(let code) = cause else { return .unaffected }
        return switch code {
        case ENOSPC, EDQUOT: .full
        case EROFS: .readOnly
        case ENOENT, EIO, ENODEV, ENXIO, ESTALE, ENOTCONN, ENOTDIR: .gone
        default: .unaffected
        }
    }

    /// What the operator can do.
    public var hint: String {
        switch (cause, storage) {
        case (.malformed, _): "The file is damaged or no track file; run a check of the storage."
        case (.refused, _): "This is a fault in the recorder; please report it."
        case (.nothingInRange, _): "Choose a range in which something is recorded."
        case (.tooLong, _): "Choose a shorter range."
        case (.elsewhere, _): "Ask again; `vigil cloud status` says whether the store answers."
        case (.turned, _): "Ask for a range of its own, or for play.m3u8."
        case (_, .full): "Free room on the disk, or lower the retention."
        case (_, .readOnly): "Remount the disk writable; look for disk errors in the kernel log."
        case (_, .gone): "Check that the disk is present, mounted and healthy."
        case (.system(EACCES), _), (.system(EPERM), _): "Give the recorder's user the right to write there."
        case (.system(EEXIST), _): "Move the existing file away, or choose another name."
        case (.system(EMFILE), _), (.system(ENFILE), _): "Raise the limit of open files."
        case (.system(EFBIG), _): "The file system or a limit does not allow a file of this size."
        case (.system, _): "Look into the system's log for the cause."
        }
    }

    /// One line: operation, path, cause, remedy.
    public var description: String {
        let why =
            switch cause {
            case .system(let code): String(cString: strerror(code))
            case .malformed(let what): what
            case .refused(let what): what
            case .nothingInRange: "nothing is recorded in this range"
            case .tooLong: "the range is longer than one movie may be"
            case .elsewhere(let why): why
            case .turned: "its pictures are turned otherwise than those of the clips before it (`rotation`)"
            }
        return "cannot \(operation.rawValue) \(path): \(why). \(hint)"
    }
}
