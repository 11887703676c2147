import Foundation
import GRDB

extension CatalogError {
    /// Runs `body` and turns every SQLite error into a `CatalogError`, here and nowhere else.
    static func mapping<T>(_ operation: Operation, _ path: String, _ body: () throws -> T) throws(CatalogError) -> T {
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

    /// An error from a failed system call.
    static func system(_ operation: Operation, _ path: String, errno code: Int32) -> CatalogError {
        CatalogError(operation, path: path, cause: cause(errno: code))
    }

    /// The cause behind an errno.
    static func cause(errno code: Int32) -> Cause {
        let words = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT: return .full
        case EROFS, EACCES, EPERM: return .readOnly
        case ELOOP, ENOTDIR: return .unsafePath
        case ENOENT, ENAMETOOLONG, ENXIO, ENODEV: return .unreachable(words)
        default: return .io(words)
        }
    }
}
