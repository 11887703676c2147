internal import CSystemd
internal import Foundation
internal import Policies
internal import Synchronization

/// Files, with what each was marked by before it was first looked at: what changes while it is read differs from its mark.
final class MarkedFiles: FileReading {
    private let base: any FileReading
    private let marks = Mutex<[String: FileMark]>([:])

    /// The files of `base`.
    init(_ base: any FileReading) { self.base = base }

    /// The mark of a path before it was first looked at; of one that was not looked at, the mark that it has now. Blocking.
    func mark(of path: String) -> FileMark {
        marks.withLock { marks in
            if let mark = marks[path] { return mark }
            let mark = FileMark(path)
            marks[path] = mark
            return mark
        }
    }

    func kind(of path: String) -> FoundFile {
        _ = mark(of: path)
        return base.kind(of: path)
    }

    func readSecret(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
        _ = mark(of: path)
        return try base.readSecret(path, limit: limit)
    }

    func read(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
        _ = mark(of: path)
        return try base.read(path, limit: limit)
    }

    func list(_ folder: String) throws(FileProblem) -> [String] {
        _ = mark(of: folder)
        return try base.list(folder)
    }
}

/// What tells one state of a file from another without reading it.
struct FileMark: Hashable, Sendable {
    private var device: UInt64 = 0
    private var inode: UInt64 = 0
    private var size: Int64 = -1
    private var changedSeconds: Int64 = 0
    private var changedNanoseconds: Int64 = 0

    /// The mark of what is at a path now. Blocking.
    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        changedSeconds = Int64(status.st_ctim.tv_sec)
        changedNanoseconds = Int64(status.st_ctim.tv_nsec)
    }
}
