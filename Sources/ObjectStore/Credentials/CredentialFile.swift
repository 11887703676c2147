internal import Glibc

/// A small file with a secret in it.
struct CredentialFile {
    /// What a file of credentials never exceeds, in bytes.
    static let bytesMax = 64 << 10

    /// What stands in it.
    let text: String
    /// What is wrong with who may read it; nil where its owner alone may.
    let warning: String?

    /// Reads the file; blocks. Its errors name the path and nothing of the content.
    init(_ path: String) throws(CredentialDefect) {
        // Nobody waits for a pipe that nobody writes to.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw CredentialDefect("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw CredentialDefect("\(path) is no file")
        }
        var bytes: [UInt8] = []
        while bytes.count <= Self.bytesMax {
            let piece = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                count = max(0, Glibc.read(descriptor, buffer.baseAddress, 4096))
            }
            if piece.isEmpty { break }
            bytes += piece
        }
        guard bytes.count <= Self.bytesMax else { throw CredentialDefect("\(path) has more than 64 KiB") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw CredentialDefect("\(path) is no text") }
        self.text = text
        let mode = facts.st_mode & 0o777
        warning =
            mode & 0o077 == 0
            ? nil
            : "\(path) holds a secret and others may \(mode & 0o044 != 0 ? "read" : "use") it (mode "
                + "\(String(mode, radix: 8))): chmod 600 \(path)"
    }
}
