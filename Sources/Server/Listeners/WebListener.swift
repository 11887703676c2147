internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOCore
public import ServiceLifecycle

/// The service that listens on a TCP address. It serves the web page and whether the daemon does its work to everybody, and the
/// interface to who shows a token or has logged in.
public struct WebListener: Service {
    private let host: String
    private let port: Int
    private let site: any Site
    private let page: PageFiles
    private let certificate: WebCertificate?
    private let isReady: @Sendable () -> Bool
    private let logger: Logger
    private let onCut: @Sendable (ConnectionCut) -> Void
    private let onListening: @Sendable (Int) async -> Void

    /// A service that listens at `host` and `port`.
    /// - Parameters:
    ///   - host: A numeric address.
    ///   - port: The port; 0 lets the system choose.
    ///   - site: What is served.
    ///   - page: The web page.
    ///   - certificate: The certificate for TLS; nil for none.
    ///   - isReady: Whether the interface answers; until then each of its requests is refused as `unavailable`.
    ///   - logger: Where failures are told.
    ///   - onListening: Called once with the port when callers can connect.
    ///   - onCut: Told of connections that were closed because of their client, seldom enough for a journal.
    public init(
        host: String, port: Int, site: any Site, page: PageFiles, certificate: WebCertificate? = nil,
        isReady: @escaping @Sendable () -> Bool = { true },
        logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in },
        onCut: @escaping @Sendable (ConnectionCut) -> Void = { _ in }
    ) {
        self.host = host
        self.port = port
        self.site = site
        self.page = page
        self.certificate = certificate
        self.isReady = isReady
        self.logger = logger
        self.onCut = onCut
        self.onListening = onListening
    }

    /// Listens until graceful shutdown.
    /// - Throws: `ListenError` where it cannot listen.
    public func run() async throws {
        let connections = Connections(.web, tell: onCut)
        let router = Self.router(
            site: site, page: page, isSecure: certificate != nil, connections: connections, isReady: isReady)
        let server = RequestServer(
            responder: router.buildResponder(),
            builder: .bounded(connections, certificate) { [site] in site.asksForCertificates },
            configuration: ServerConfiguration(address: .hostname(host, port: port), backlog: Limits.backlog),
            logger: logger,
            onListening: { [port, onListening] in await onListening($0.localAddress?.port ?? port) })
        do {
            try await server.run()
        } catch {
            throw ListenError(error, place: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)") ?? error
        }
    }

    /// Everything that this listener answers. What goes on over `connections` by a token or login ends with it.
    static func router(
        site: any Site, page: PageFiles = .none, isSecure: Bool = false, connections: Connections = Connections(.web),
        isReady: @escaping @Sendable () -> Bool = { true }
    ) -> Router<APIContext> {
        site.accounts.whenEnded { end in
            connections.close { holder in
                switch end {
                case .token(let name): holder.token == name
                case .login(let digest): holder.login == digest
                }
            }
        }
        let gate = WebGate(site.accounts, isSecure: isSecure)
        let roots = Set(
            (API.routes(site).map(\.path) + ["/healthz", "/v1", "/ingest"]).compactMap {
                $0.split(separator: "/").first
            })
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SecurityHeaders())
        router.add(middleware: ErrorMiddleware())
        router.add(middleware: PageMiddleware(files: page, roots: roots))
        router.get("/healthz") { _, _ in
            let health = await site.health()
            return Reply.text(health.reason + "\n", status: health.ok ? .ok : .serviceUnavailable)
        }
        LoginRoutes(gate: gate).add(to: router)
        EncoderRoute(site: site).add(to: router)
        IngestRoute(site: site, isReady: isReady).add(to: router)
        API.add(
            site,
            behind: { request, channel in
                let admission = try gate.admit(request, channel)
                if case .token(let name, _) = admission.principal.caller {
                    try connections.identify(channel, as: .init(token: name, login: admission.login))
                }
                guard isReady() else { throw SiteError.starting }
                return admission
            }, to: router)
        return router
    }
}
