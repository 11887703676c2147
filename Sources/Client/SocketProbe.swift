internal import Foundation
internal import Glibc
internal import VigilKit

/// Tries the socket before a request is made: the kernel says at once and precisely why it cannot be reached, where the
/// HTTP library would try again until its time is up. Blocks for one local connection attempt at most.
enum SocketProbe {
    /// Throws where nobody can be spoken to at `socket`.
    static func check(_ socket: String) throws(VigilError) {
        switch attempt(socket) {
        case 0, EAGAIN, EINPROGRESS: return
        case ENOENT, ECONNREFUSED, ENOTDIR: throw .noDaemon(address: socket)
        case EACCES, EPERM: throw .notPermitted(address: socket, group: group(of: socket))
        case let code: throw .cannotConnect(address: socket, reason: String(cString: strerror(code)))
        }
    }

    /// 0 where a connection was made, else the errno.
    private static func attempt(_ path: String) -> Int32 {
        var address = sockaddr_un()
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
            return ENAMETOOLONG
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let handle = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard handle >= 0 else { return errno }
        defer { close(handle) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(handle, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
            }
        }
    }

    /// The group that may connect: the socket's, if its mode lets the group write. The usual one where the folder hides
    /// it.
    private static func group(of path: String) -> String? {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
            let mode = facts[.posixPermissions] as? NSNumber
        else { return "vigil" }
        guard mode.intValue & 0o020 != 0 else { return nil }
        return facts[.groupOwnerAccountName] as? String
    }
}
