internal import Glibc

extension SocketFile {
    /// What a connection attempt found.
    enum Knock: Hashable, Sendable {
        /// Somebody listens.
        case answered
        /// Nobody does.
        case silent
        /// It cannot be told, for this errno.
        case refused(Int32)
    }

    /// Tries to connect to the socket at `path`. A full queue means that somebody is there; the attempt does not wait.
    static func knock(_ path: String) throws(ListenError) -> Knock {
        let handle = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard handle >= 0 else { return .refused(errno) }
        defer { close(handle) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count <= pathBytesMax else { throw .pathTooLong(path: path, limit: pathBytesMax) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(handle, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
            }
        }
        switch code {
        case 0, EAGAIN, EINPROGRESS: return .answered
        case ECONNREFUSED, ENOENT: return .silent
        default: return .refused(code)
        }
    }
}
