internal import Glibc

/// The group that owns the control socket.
struct SocketGroup: Hashable, Sendable {
    /// Its number.
    var id: UInt32
    /// Its name.
    var name: String

    /// Looks `name` up in the group database. Nil where there is no such group. Blocking: the database may be remote.
    static func named(_ name: String) -> SocketGroup? {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var room = 1_024
        while room <= 1_048_576 {
            var buffer = [CChar](repeating: 0, count: room)
            let code = getgrnam_r(name, &entry, &buffer, buffer.count, &found)
            if code == ERANGE {
                room *= 2
            } else {
                return code == 0 && found != nil ? SocketGroup(id: entry.gr_gid, name: name) : nil
            }
        }
        return nil
    }
}
