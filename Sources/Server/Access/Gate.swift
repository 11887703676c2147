internal import NIOCore

/// Decides who may speak to the daemon over its Unix socket: root, the daemon's own user, and members of the socket's
/// group.
///
/// The file mode keeps everybody else from connecting; the gate holds even where the mode was changed by hand.
struct Gate: Sendable {
    /// The daemon's own user.
    var daemonUser: UInt32
    /// The group that owns the socket; nil where only the user may.
    var group: SocketGroup?
    /// Finds out who is at the other end.
    var identify: @Sendable (any Channel) async throws -> LocalPeer?

    init(
        daemonUser: UInt32, group: SocketGroup?,
        identify: @escaping @Sendable (any Channel) async throws -> LocalPeer? = { try await LocalPeer.of($0) }
    ) {
        self.daemonUser = daemonUser
        self.group = group
        self.identify = identify
    }

    /// The principal at the other end of `channel`, with every right on every camera, or a refusal that says who would be
    /// admitted.
    func admit(_ channel: any Channel) async throws -> Principal {
        Principal(caller: try await caller(channel), right: .administer, cameras: .all)
    }

    private func caller(_ channel: any Channel) async throws -> Caller {
        guard let peer = try await identify(channel), case .process(let uid, let gid, _) = peer.caller else {
            throw refusal(of: "this connection", why: "the kernel does not say who is at its other end")
        }
        if uid == 0 || uid == daemonUser { return peer.caller }
        if let group, gid == group.id || peer.groups.contains(group.id) { return peer.caller }
        let members = group.map { ", and members of group \($0.name)" } ?? ""
        throw refusal(
            of: "uid \(uid)", why: "allowed are root, the daemon's own user (uid \(daemonUser))\(members)")
    }

    private func refusal(of who: String, why: String) -> SiteError {
        let remedy =
            group.map { "add the user to group \($0.name) (`usermod -aG \($0.name) USER`) and log in again" }
            ?? "run the command as root or as the daemon's own user"
        return SiteError(.forbidden, what: "\(who) may not speak to this daemon", why: why, remedy: remedy)
    }
}
