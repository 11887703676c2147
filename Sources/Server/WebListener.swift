internal import Hummingbird
public import Logging
internal import NIOCore
public import ServiceLifecycle

/// The service that listens on a loopback TCP address. It tells whether the daemon does its work and nothing about
/// cameras, since whoever is on this machine can reach it.
public struct WebListener: Service {
    private let host: String
    private let port: Int
    private let site: any ReadingSite
    private let logger: Logger
    private let onCut: @Sendable (ConnectionCut) -> Void
    private let onListening: @Sendable (Int) async -> Void

    /// A service that listens at `host` and `port`.
    /// - Parameters:
    ///   - host: A numeric loopback address, as the configuration's reader admits no other.
    ///   - port: The port; 0 lets the system choose.
    ///   - site: Whose health is told.
    ///   - logger: Where failures are told.
    ///   - onListening: Called once with the port when callers can connect.
    ///   - onCut: Told of connections that were closed because of their client, seldom enough for a journal.
    public init(
        host: String, port: Int, site: any ReadingSite, logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in },
        onCut: @escaping @Sendable (ConnectionCut) -> Void = { _ in }
    ) {
        self.host = host
        self.port = port
        self.site = site
        self.logger = logger
        self.onCut = onCut
        self.onListening = onListening
    }

    /// Listens until graceful shutdown.
    /// - Throws: `ListenError` where it cannot listen.
    public func run() async throws {
        let app = Application(
            router: Self.router(site: site),
            server: .bounded(Connections(tell: onCut)),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), backlog: Limits.backlog),
            onServerRunning: { [port, onListening] in await onListening($0.localAddress?.port ?? port) },
            logger: logger)
        do {
            try await app.run()
        } catch {
            throw ListenError(error, place: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)") ?? error
        }
    }

    /// The two pages of this listener.
    static func router(site: any ReadingSite) -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: ErrorMiddleware())
        router.get("/") { _, _ in
            Reply.text("This is Vigil, a network video recorder. Use the command line: `vigil --help`.\n")
        }
        router.get("/healthz") { _, _ in
            let health = await site.health()
            return Reply.text(health.reason + "\n", status: health.ok ? .ok : .serviceUnavailable)
        }
        return router
    }
}
