/// Who asked.
public enum Caller: Hashable, Sendable {
    /// The process at the other end of the Unix socket, as the kernel names it (SO_PEERCRED, unix(7)): its effective user and
    /// group, and its number.
    case process(uid: UInt32, gid: UInt32, pid: Int32)
    /// Whoever holds the token of this name, and the address from which they ask.
    case token(String, address: String)
    /// Whoever publishes commands at the broker of this address: it does not tell who.
    case broker(String)

    /// A process.
    public init(uid: UInt32, gid: UInt32, pid: Int32) { self = .process(uid: uid, gid: gid, pid: pid) }

    /// By what bounds count: the user, or the token, however many processes and addresses it has.
    public var account: String {
        switch self {
        case .process(let uid, _, _): "uid \(uid)"
        case .token(let name, _): "token \(name)"
        case .broker(let address): "broker \(address)"
        }
    }
}

extension Caller: CustomStringConvertible {
    /// For journals: `uid 1000, pid 4711`, or `token phone, 192.0.2.7`.
    public var description: String {
        switch self {
        case .process(_, _, let pid): "\(account), pid \(pid)"
        case .token(_, let address): "\(account), \(address)"
        case .broker: account
        }
    }
}
