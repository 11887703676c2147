/// Who asked: the process at the other end of the Unix socket, as the kernel names it (SO_PEERCRED, unix(7)).
public struct Caller: Hashable, Sendable {
    /// Its effective user.
    public let uid: UInt32
    /// Its effective group.
    public let gid: UInt32
    /// Its process.
    public let pid: Int32

    /// A caller.
    public init(uid: UInt32, gid: UInt32, pid: Int32) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
    }
}

extension Caller: CustomStringConvertible {
    /// For journals: `uid 1000, pid 4711`.
    public var description: String { "uid \(uid), pid \(pid)" }
}
