package import AsyncHTTPClient
internal import Exchange
package import NIOCore
internal import NIOPosix
internal import NIOSSL

/// What carries requests to a store, and where files are read. `SystemTransport` is this machine's; a simulation gives another one,
/// and everything above it is the same code.
package protocol StoreTransport: Sendable {
    /// Sends a request and gives the answer as it comes. Throws what kept it from coming, and when the task is cancelled.
    func execute(_ request: HTTPClientRequest, deadline: NIODeadline) async throws -> HTTPClientResponse

    /// Runs `work`, which may block. Throws what it throws, or `CancellationError` as soon as the task is cancelled.
    func read<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value

    /// Begins a task of its own.
    func begin<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) -> Task<Value, any Error>

    /// Ends what is under way.
    func shutdown() async
}

/// The network of this machine, and threads that read files.
struct SystemTransport: StoreTransport {
    /// How many bytes of a transfer the kernel may hold on its way out. What is in there counts as sent for the timer, so it has
    /// to leave within the time that it allows even over a thin line.
    static let sendBufferBytes = 512 << 10

    /// One thread: what a request hands on stays on it.
    private let group: MultiThreadedEventLoopGroup
    private let http: HTTPClient
    private let threads = FileThreads()

    init(_ configuration: StoreConfiguration) {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let file = configuration.caFile { tls.trustRoots = .file(file) }
        var settings = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(Int64(max(1, configuration.connectSecondsMax)))))
        settings.httpVersion = .http1Only
        // Who tries again is decided above; a library that does it by itself hides why it could not connect.
        settings.connectionPool.retryConnectionEstablishment = false
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, configuration.connectionsMax)
        // Shorter than any store keeps a connection that nothing happens on, so that none is found closed.
        settings.connectionPool.idleTimeout = .seconds(4)
        settings.http1_1ConnectionDebugInitializer = { channel in
            channel.setOption(ChannelOptions.socketOption(.so_sndbuf), value: .init(Self.sendBufferBytes)).flatMap {
                AnswerOrder.demand(of: channel)
            }
        }
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        http = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: settings)
    }

    func execute(_ request: HTTPClientRequest, deadline: NIODeadline) async throws -> HTTPClientResponse {
        try await http.execute(request, deadline: deadline)
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await threads.run(work)
    }

    func begin<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) -> Task<Value, any Error> {
        Task { try await work() }
    }

    func shutdown() async {
        try? await http.shutdown()
        try? await group.shutdownGracefully()
        threads.shutdown()
    }
}
