internal import Foundation
internal import Journal
public import Trace

/// Where a trace is read from.
public enum TraceSource: Sendable, Hashable, CustomStringConvertible {
    /// A folder with the files of a trace, such as `trace/` under a storage root.
    case folder(TraceFolder)
    /// The journal of this machine.
    case journal
    /// The journal files in a folder.
    case journalFolder(String)
    /// A file of a trace, or what journalctl wrote with `-o export` or `-o json --all`; `-` is standard input.
    case file(String)

    /// The source that a path names: a folder that holds a trace, or whose folder `trace` does; another folder is one of
    /// journal files; else a file. Blocking.
    public init(path: String) {
        var isFolder: ObjCBool = false
        guard path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
        else {
            self = .file(path)
            return
        }
        let folders = [TraceFolder(path: path), TraceFolder(root: path)]
        self = folders.first(where: \.holdsTrace).map(TraceSource.folder) ?? .journalFolder(path)
    }

    /// What to call it.
    public var description: String {
        switch self {
        case .folder(let folder): folder.path
        case .journal: "the journal"
        case .journalFolder(let path), .file(let path): path
        }
    }

    /// It is one of a journal, which tells more than steps.
    public var isJournal: Bool {
        switch self {
        case .folder: false
        case .journal, .journalFolder: true
        case .file(let path): path == "-" || !FolderRecords.isTrace(path)
        }
    }

    /// A daemon may be writing it.
    public var isGrowing: Bool {
        switch self {
        case .folder, .journal, .journalFolder: true
        case .file: false
        }
    }

    /// It can be read again from another moment on.
    public var isRepeatable: Bool {
        switch self {
        case .folder, .journal, .journalFolder: true
        case .file: false
        }
    }

    /// A reader of what the query asks for. Of a trace that is being written it gives what is there by now. Blocking.
    ///
    /// - Throws: `TraceError` or `JournalError`, where it cannot be opened.
    public func reader(_ query: TraceQuery) throws -> TraceReader {
        switch self {
        case .folder(let folder): TraceReader(try FolderRecords(folder, only: query), only: query)
        case .journal: try TraceReader(journal: query)
        case .journalFolder(let path): try TraceReader(journal: query, directory: path)
        case .file(let path):
            path != "-" && FolderRecords.isTrace(path)
                ? TraceReader(try FolderRecords(file: path), only: query) : try TraceReader(path: path, only: query)
        }
    }
}
