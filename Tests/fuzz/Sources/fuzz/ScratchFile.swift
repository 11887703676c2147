import Glibc

/// A file of the target's own folder, overwritten for each input.
enum ScratchFile {
    /// The folder, in memory where the machine has such a place.
    static let folder: String = {
        guard let path = getenv("VIGIL_FUZZ_FOLDER").map({ String(cString: $0) }) else {
            complain("fuzz: VIGIL_FUZZ_FOLDER is not set: name an empty folder\n")
            exit(2)
        }
        return path
    }()

    static func path(_ name: String) -> String { folder + "/" + name }

    /// Writes the whole file and gives its path.
    @discardableResult
    static func write(_ name: String, _ bytes: UnsafeRawBufferPointer) -> String {
        let path = path(name)
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, 0o600)
        hold(file >= 0, "\(path) cannot be written")
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(file, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            hold(count > 0, "\(path) cannot be written")
            written += count
        }
        return path
    }

    static func remove(_ name: String) { unlink(path(name)) }
}
