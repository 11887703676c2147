@_exported public import VigilKit

/// The daemon, as commands speak to it.
public typealias DaemonClient = Vigil
/// Why a call to it failed.
public typealias ClientError = VigilError

extension Vigil {
    /// Runs `body` with a client of the daemon at `socket`, and closes its connections afterwards.
    public static func with<Value: Sendable>(
        socket: String, _ body: (Vigil) async throws -> Value
    ) async throws -> Value {
        try SocketProbe.check(socket)
        let transport = UnixSocketTransport(socket: socket)
        do {
            let value = try await body(Vigil(transport))
            await transport.shutdown()
            return value
        } catch {
            await transport.shutdown()
            throw error
        }
    }
}

extension VigilError {
    /// What failed, why, and what to do about it, for who gave a command on the daemon's machine; in brackets what Matter calls it.
    public var commandText: String {
        switch self {
        case .refused(let error): description + (error.matter.map { " [\($0)]" } ?? "")
        case .sessionEnded: description
        case .noDaemon(let socket):
            "no daemon answers at \(socket); start it with `vigil run` or `systemctl start vigil`, or name another "
                + "socket with --socket"
        case .notPermitted(let socket, let group):
            "no permission to speak to the daemon at \(socket); "
                + (group.map { "join group \($0) (`usermod -aG \($0) USER`, then log in again) or run as root" }
                    ?? "run as root or as the daemon's own user")
        case .cannotConnect(let socket, let reason):
            "cannot connect to \(socket): \(reason); name another socket with --socket"
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
