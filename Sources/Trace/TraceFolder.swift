internal import Glibc

/// A folder with the files of a trace.
public struct TraceFolder: Sendable, Hashable {
    /// The name of the folder under the storage root.
    public static let name = "trace"
    /// How the name of each file ends.
    static let ending = ".trace"

    /// One file.
    struct File: Hashable, Sendable {
        /// Its name: `00000017-2026-11-22.trace`.
        let name: String
        /// Its number; the files follow each other in the order of their numbers.
        let number: UInt64
        /// The day on which it was begun.
        let day: UTCDay

        init(number: UInt64, day: UTCDay) {
            self.number = number
            self.day = day
            let digits = String(number)
            name = String(repeating: "0", count: max(0, 8 - digits.count)) + digits + "-\(day)" + TraceFolder.ending
        }

        /// Reads a name; nil for one of another file.
        init?(name: String) {
            guard name.hasSuffix(TraceFolder.ending) else { return nil }
            let pieces = name.dropLast(TraceFolder.ending.count).split(
                separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.count == 2, let number = UInt64(pieces[0]), let day = UTCDay(pieces[1]) else { return nil }
            self.init(number: number, day: day)
            guard self.name == name else { return nil }
        }
    }

    /// Where it is.
    public let path: String

    /// The folder at `path`.
    public init(path: String) { self.path = path }

    /// The folder of a storage root.
    public init(root: String) { path = root + "/" + Self.name }

    /// Whether there is such a folder, and whoever asks may know it.
    public var exists: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a file of a trace is in it. Blocking.
    public var holdsTrace: Bool { (try? files().isEmpty) == false }

    /// Its files in their order. Blocking.
    func files() throws(TraceError) -> [File] {
        guard let folder = opendir(path) else { throw .unreadable(path: path, errno: errno) }
        defer { closedir(folder) }
        var files: [File] = []
        errno = 0
        while let entry = readdir(folder) {
            let name: String? = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if let file = name.flatMap(File.init(name:)) { files.append(file) }
            errno = 0
        }
        guard errno == 0 else { throw .unreadable(path: path, errno: errno) }
        return files.sorted { $0.number < $1.number }
    }

    func path(of file: File) -> String { path + "/" + file.name }
}
