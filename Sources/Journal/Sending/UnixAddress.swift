internal import Glibc

/// The address of a Unix socket in the file system.
struct UnixAddress: Sendable {
    private let bytes: [UInt8]

    /// Returns nil where the path is empty, holds a NUL, or is longer than the kernel takes (107 bytes).
    init?(path: String) {
        let capacity = MemoryLayout<sockaddr_un>.size - Self.pathOffset
        let utf8 = Array(path.utf8)
        guard !utf8.isEmpty, utf8.count < capacity, !utf8.contains(0) else { return nil }
        var bytes = withUnsafeBytes(of: sa_family_t(AF_UNIX)) { Array($0) }
        bytes.append(contentsOf: utf8)
        bytes.append(0)
        self.bytes = bytes
    }

    private static let pathOffset = MemoryLayout<sa_family_t>.size

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_un()
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes) }
        let length = socklen_t(bytes.count)
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
