internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOCore
internal import NIOPosix
public import ServiceLifecycle
internal import Synchronization

/// The service that serves the control interface over a Unix domain socket.
///
/// Between the kernel's bind and the change of the file's mode the socket has the mode that the process's umask leaves;
/// that is harmless, since each request is checked by the credentials of its peer as well.
public struct ControlSocket: Service {
    private let file: SocketFile
    private let groupName: String
    private let site: any Site
    private let logger: Logger
    private let isReady: @Sendable () -> Bool
    private let onCut: @Sendable (ConnectionCut) -> Void
    private let onListening: @Sendable () async -> Void

    /// A service that listens at `path` and admits root, the daemon's own user and members of `group`. Where there is
    /// no such group, or the daemon may not give the file to it, only root and the daemon's own user are admitted.
    /// - Parameters:
    ///   - path: The socket's path, at most 107 bytes, in an existing folder.
    ///   - group: The name of the group that owns the socket.
    ///   - site: What is served.
    ///   - isReady: Whether requests are answered; until then each is refused as `unavailable`.
    ///   - logger: Where refusals are told.
    ///   - onListening: Called once when callers can connect and the file's owner and mode are right.
    ///   - onCut: Told of connections that were closed because of their client, seldom enough for a journal.
    public init(
        path: String, group: String = "vigil", site: any Site, isReady: @escaping @Sendable () -> Bool = { true },
        logger: Logger,
        onListening: @escaping @Sendable () async -> Void = {},
        onCut: @escaping @Sendable (ConnectionCut) -> Void = { _ in }
    ) {
        file = SocketFile(path: path)
        groupName = group
        self.site = site
        self.logger = logger
        self.isReady = isReady
        self.onCut = onCut
        self.onListening = onListening
    }

    /// Listens until graceful shutdown, which lets requests under way finish; then removes the socket file.
    /// - Throws: `ListenError` where it cannot listen.
    public func run() async throws {
        let (file, name) = (file, groupName)
        let group = try await NIOThreadPool.singleton.runIfActive {
            try file.claim()
            return SocketGroup.named(name)
        }
        let own = Mutex<Result<SocketFile.Identity?, ListenError>>(.success(nil))
        let gate = Gate(daemonUser: geteuid(), group: group)
        let router = API.router(site: site) { [isReady] _, channel in
            let principal = try await gate.admit(channel)
            guard isReady() else { throw SiteError.starting }
            return Admission(principal)
        }
        let server = RequestServer(
            responder: router.buildResponder(), builder: .bounded(Connections(tell: onCut)),
            configuration: ServerConfiguration(address: .unixDomainSocket(path: file.path), backlog: Limits.backlog),
            logger: logger,
            onListening: { channel in
                // In a task of its own, which a cancelled start does not cancel: what was made is known, and goes again.
                let opened = await Task { await self.open(to: group) }.value
                own.withLock { $0 = opened.map(Optional.some) }
                // The closed listener ends the run below, which then throws what went wrong.
                if case .failure = opened { try? await channel.close().get() } else { await onListening() }
            })
        let ended = await Self.outcome { try await server.run() }
        let opened = own.withLock { $0 }
        if case .failure(let error) = opened { throw error }
        // Cancelled between its making and its opening, the file is not known yet, but ours: nobody else made it since `claim`.
        let isOurs = if case .failure(let error) = ended { error is CancellationError } else { false }
        // In a task of its own: a cancelled one is refused a thread, and the socket file would stay behind.
        await Task {
            try? await NIOThreadPool.singleton.runIfActive {
                if let identity = (try? opened.get()) ?? (isOurs ? file.identity() : nil) { file.remove(identity) }
            }
        }.value
        if case .failure(let error) = ended { throw ListenError(error, place: file.path) ?? error }
    }

    private func open(to group: SocketGroup?) async -> Result<SocketFile.Identity, ListenError> {
        let file = file
        do {
            let (access, identity) = try await NIOThreadPool.singleton.runIfActive {
                (try file.open(to: group), file.identity())
            }
            guard let identity else {
                return .failure(.system(place: file.path, operation: "stat", reason: "the socket file is gone"))
            }
            if access == .ownerOnly {
                logger.notice("control socket open to its owner only", metadata: ["group": "\(groupName)"])
            }
            return .success(identity)
        } catch let error as ListenError {
            return .failure(error)
        } catch {
            return .failure(.system(place: file.path, operation: "chmod", reason: "the thread pool is gone"))
        }
    }

    private static func outcome(_ body: () async throws -> Void) async -> Result<Void, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
