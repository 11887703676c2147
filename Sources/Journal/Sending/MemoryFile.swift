internal import Glibc

/// An anonymous file in memory, sealed: journald reads it in place, and needs to know that nobody changes it meanwhile.
enum MemoryFile {
    struct Failure: Error, Hashable, Sendable { let errno: Int32 }

    // The headers hide these from a program that does not ask for GNU names; the numbers are the kernel's interface.
    private static let closeOnExec: UInt32 = 1
    private static let allowSealing: UInt32 = 2
    private static let addSeals: Int32 = 1_033
    /// No more seals, no shrinking, no growing, no writing.
    private static let seals: Int32 = 1 | 2 | 4 | 8

    private typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32

    /// A descriptor of a sealed file holding `bytes`; the caller closes it.
    static func sealed(holding bytes: [UInt8]) -> Result<Int32, Failure> {
        guard let symbol = dlsym(nil, "memfd_create") else { return .failure(Failure(errno: ENOSYS)) }
        let create = unsafeBitCast(symbol, to: Create.self)
        let file = create("vigil-journal", closeOnExec | allowSealing)
        guard file >= 0 else { return .failure(Failure(errno: errno)) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return fail(file) }
            written += count
        }
        guard fcntl(file, addSeals, seals) == 0 else { return fail(file) }
        return .success(file)
    }

    private static func fail(_ file: Int32) -> Result<Int32, Failure> {
        let code = errno
        close(file)
        return .failure(Failure(errno: code))
    }
}
