import Foundation
import GRDB

extension CatalogError {
    /// Runs `body` and turns every SQLite error into a `CatalogError`, here and nowhere else.
    static func mapping<T>(_ operation: Operation, _ path: String, _ body: () throws -> T) throws(CatalogError) -> T {
        // Before anything is opened: SQLite would tell the operator of the disk, and may take away what stands there.
        if operation == .open, let name = strangeNames(beside: path).first {
            throw CatalogError(operation, path: name, cause: .notPlain)
        }
        do {
            return try body()
        } catch let error as CatalogError {
            throw error
        } catch let error as DatabaseError {
            throw CatalogError(operation, path: path, cause: cause(of: error))
        } catch let error as RowDecodingError {
            // A value that its column cannot have.
            throw CatalogError(operation, path: path, cause: .corrupt(String(describing: error)))
        } catch {
            throw CatalogError(operation, path: path, cause: .io(String(describing: error)))
        }
    }

    /// The cause behind an SQLite result code.
    static func cause(of error: DatabaseError) -> Cause {
        let words = error.message ?? "SQLite error \(error.resultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT: return .corrupt(words)
        case .SQLITE_FULL: return .full
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: return .readOnly
        case .SQLITE_IOERR: return .io(words)
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: return .busy
        case .SQLITE_CANTOPEN: return .unreachable(words)
        case .SQLITE_CONSTRAINT: return .refused(words)
        default: return .sql(words)
        }
    }

    /// What stands in the place of a database, or of the files that SQLite keeps beside it, and is no plain file. The database
    /// itself may be a link to one: SQLite follows it, and then keeps its other files there.
    static func strangeNames(beside path: String) -> [String] {
        ["", "-wal", "-shm", "-journal"].filter { suffix in
            var found = stat()
            let isThere = suffix.isEmpty ? stat(path, &found) == 0 : lstat(path + suffix, &found) == 0
            return isThere && found.st_mode & S_IFMT != S_IFREG
        }.map { path + $0 }
    }

    /// An error from a failed system call.
    static func system(_ operation: Operation, _ path: String, errno code: Int32) -> CatalogError {
        // What is opened is named by the operator, or is the lock: no path of a clip file.
        let isLink = operation == .open && code == ELOOP
        return CatalogError(operation, path: path, cause: isLink ? .notPlain : cause(errno: code))
    }

    /// The cause behind an errno.
    static func cause(errno code: Int32) -> Cause {
        let words = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT: return .full
        case EROFS, EACCES, EPERM: return .readOnly
        case ELOOP, ENOTDIR: return .unsafePath
        case EISDIR: return .notPlain
        case ENOENT, ENAMETOOLONG, ENXIO, ENODEV: return .unreachable(words)
        default: return .io(words)
        }
    }
}
