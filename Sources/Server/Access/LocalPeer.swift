internal import Glibc
internal import NIOCore

/// The process at the other end of a connection, with all its groups.
struct LocalPeer: Hashable, Sendable {
    var caller: Caller
    /// Its supplementary groups at the time it connected.
    var groups: [UInt32]
}

extension LocalPeer {
    /// Layout of `struct ucred` (unix(7)), which the C library shows to GNU sources only.
    private struct Credentials {
        var pid: Int32 = 0
        var uid: UInt32 = .max
        var gid: UInt32 = .max
    }

    /// SO_PEERGROUPS of asm-generic/socket.h; the C library's headers do not name it.
    private static let peerGroups: Int32 = 59
    /// NGROUPS_MAX of Linux.
    private static let groupsMax = 65_536

    /// Asks the kernel who is at the other end of `channel`. Nil where the channel is not a connected Unix socket.
    static func of(_ channel: any Channel) async throws -> LocalPeer? {
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (handle: NIOBSDSocket.Handle) in
                LocalPeer.of(handle)
            }
        }.get() ?? nil
    }

    /// Asks the kernel who is at the other end of the socket `handle`.
    static func of(_ handle: Int32) -> LocalPeer? {
        var credentials = Credentials()
        var length = socklen_t(MemoryLayout<Credentials>.size)
        guard getsockopt(handle, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0,
            length == MemoryLayout<Credentials>.size, credentials.uid != .max
        else { return nil }
        let caller = Caller(uid: credentials.uid, gid: credentials.gid, pid: credentials.pid)
        return LocalPeer(caller: caller, groups: groups(of: handle))
    }

    /// The kernel refuses with ERANGE where the room is too small and says how much it needs; an empty answer is safe,
    /// since it admits nobody.
    private static func groups(of handle: Int32) -> [UInt32] {
        var room = 64
        while room <= groupsMax {
            var groups = [UInt32](repeating: .max, count: room)
            var length = socklen_t(room * MemoryLayout<UInt32>.stride)
            if getsockopt(handle, SOL_SOCKET, peerGroups, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / MemoryLayout<UInt32>.stride))
            }
            guard errno == ERANGE else { return [] }
            room = max(room * 2, Int(length) / MemoryLayout<UInt32>.stride)
        }
        return []
    }
}
