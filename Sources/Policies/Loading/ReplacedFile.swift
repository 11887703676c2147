/// Other files, with the text of one of them replaced.
public struct ReplacedFile: FileReading {
    private let base: any FileReading
    private let path: String
    private let bytes: [UInt8]

    /// `base`, with `text` in place of the contents of `path`, which is named as the loader names it.
    public init(_ path: String, text: String, in base: any FileReading) {
        self.base = base
        self.path = path
        bytes = Array(text.utf8)
    }

    /// What is at a path; follows links. Blocking.
    public func kind(of path: String) -> FoundFile { path == self.path ? .file : base.kind(of: path) }

    /// The bytes of a regular file, at most `limit + 1`. Blocking. Throws a ``FileProblem``.
    public func read(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
        path == self.path ? Array(bytes.prefix(limit + 1)) : try base.read(path, limit: limit)
    }

    /// The bytes of a regular file that nobody but its owner may read or write, at most `limit + 1`. Blocking. Throws a
    /// ``FileProblem``.
    public func readSecret(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
        path == self.path ? Array(bytes.prefix(limit + 1)) : try base.readSecret(path, limit: limit)
    }

    /// The names in a folder. Blocking. Throws a ``FileProblem``.
    public func list(_ folder: String) throws(FileProblem) -> [String] {
        let names = try base.list(folder)
        let name = FilePath.name(path)
        return FilePath.folder(of: path) == folder && !names.contains(name) ? names + [name] : names
    }
}
