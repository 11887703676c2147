public import Server

/// Why a call to the daemon failed, with what to do about it.
public enum ClientError: Error, Hashable, Sendable {
    /// Nobody listens at the socket, or it is not there.
    case noDaemon(socket: String)
    /// The socket's mode keeps this user out; `group` may connect, where it has a name.
    case notPermitted(socket: String, group: String?)
    /// The system refused the connection; `reason` is its text.
    case cannotConnect(socket: String, reason: String)
    /// The daemon refused, and said why.
    case refused(SiteError)
    /// The daemon did not answer in time.
    case timeout(socket: String)
    /// The connection broke before the answer was whole.
    case brokenOff(socket: String, reason: String)
    /// What answers does not speak this interface, or another version of it.
    case strangeAnswer(socket: String, reason: String)
}

extension ClientError: CustomStringConvertible {
    /// What failed, why, and what to do about it.
    public var description: String {
        switch self {
        case .noDaemon(let socket):
            "no daemon answers at \(socket); start it with `vigil run` or `systemctl start vigil`, or name another "
                + "socket with --socket"
        case .notPermitted(let socket, let group):
            "no permission to speak to the daemon at \(socket); "
                + (group.map { "join group \($0) (`usermod -aG \($0) USER`, then log in again) or run as root" }
                    ?? "run as root or as the daemon's own user")
        case .cannotConnect(let socket, let reason):
            "cannot connect to \(socket): \(reason); name another socket with --socket"
        case .refused(let error):
            "\(error.what): \(error.why); \(error.remedy)"
        case .timeout(let socket):
            "the daemon at \(socket) did not answer in time; see `journalctl -u vigil`"
        case .brokenOff(let socket, let reason):
            "the daemon at \(socket) broke off its answer (\(reason)); see `journalctl -u vigil`"
        case .strangeAnswer(let socket, let reason):
            "what answers at \(socket) is not understood (\(reason)); is it a daemon of another version? "
                + "compare `vigil version`"
        }
    }
}
