import Foundation
internal import Hashing

/// The texts that a policy had before it was changed by command, in `.versions/NAME` beside its file. The loader does not read
/// them: their folder's name begins with a dot.
public struct PolicyVersions: Sendable {
    /// How many are kept of each policy; the oldest go.
    public static let most = 20

    /// One text.
    public struct Version: Hashable, Sendable {
        /// Its revision.
        public let revision: String
        /// When it was replaced, UTC epoch milliseconds.
        public let replacedWallMs: Int64
        /// The text.
        public let text: String
    }

    private let folder: String

    /// Those of the policy `name`, whose file is `file`.
    public init(policy name: String, file: String) { folder = "\(FilePath.folder(of: file))/.versions/\(name)" }

    /// Those of vigil.yaml at `file`; no policy has that name, for names have no dot.
    public init(configuration file: String) { self.init(policy: FilePath.name(file), file: file) }

    /// All that are kept, the oldest first; one that cannot be read is left out. Blocking.
    public func all() -> [Version] {
        entries().compactMap { entry in
            let path = "\(folder)/\(entry.name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                let bytes = try? DiskFiles().read(path, limit: YAMLReader.maxBytes), bytes.count <= YAMLReader.maxBytes
            else { return nil }
            let ms = Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
            return Version(
                revision: SHA256.revision(bytes), replacedWallMs: ms, text: String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Keeps a text that is about to be replaced, durably, unless it is the newest one already. Blocking. Throws a
    /// ``FileProblem``.
    public func keep(_ bytes: [UInt8]) throws(FileProblem) {
        let revision = SHA256.revision(bytes)
        let entries = entries()
        if let last = entries.last, last.name.hasSuffix("-\(revision).yaml"),
            (try? DiskFiles().read("\(folder)/\(last.name)", limit: YAMLReader.maxBytes)) == bytes
        {
            return
        }
        try make(FilePath.folder(of: folder))
        try make(folder)
        let number = (entries.last?.number ?? 0) + 1
        let digits = String(number)
        let name = String(repeating: "0", count: max(0, 6 - digits.count)) + digits + "-\(revision).yaml"
        try AtomicFile.create("\(folder)/\(name)", text: String(decoding: bytes, as: UTF8.self))
        for old in entries.dropLast(Self.most - 1) { unlink("\(folder)/\(old.name)") }
    }

    /// Makes a folder that is no link.
    private func make(_ path: String) throws(FileProblem) {
        guard mkdir(path, 0o750) != 0 else { return }
        guard errno == EEXIST else { throw .fromErrno("make the folder", path) }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw FileProblem(
                operation: "use", path: path, cause: "it is not a folder",
                remedy: "move it away: old versions are kept there")
        }
    }

    /// The files, by number.
    private func entries() -> [(number: Int, name: String)] {
        ((try? DiskFiles().list(folder)) ?? []).compactMap { name in
            guard !name.hasPrefix("."), name.hasSuffix(".yaml"), let dash = name.firstIndex(of: "-"),
                let number = Int(name[..<dash]), (0..<1_000_000_000).contains(number)
            else { return nil }
            return (number, name)
        }.sorted { $0.number < $1.number }
    }
}
