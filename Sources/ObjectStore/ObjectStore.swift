internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// A bucket of an S3-compatible store: a client of the Amazon S3 REST API over HTTP/1.1.
///
/// It knows keys and bytes, and nothing of what they mean. Each operation is one request, unless it says otherwise, and nothing is
/// tried again by itself: who uses it decides that, by the class of the error (`StoreError`). A transfer has no bound in time; it
/// fails when no byte has moved for `StoreConfiguration.quietSecondsMax`. Cancelling the task ends any operation at once with
/// `CancellationError`. Nothing that blocks runs on the cooperative pool.
public final class ObjectStore: Sendable {
    /// How many bytes of a transfer the kernel may hold on its way out. What is in there counts as sent for the watch, so it has
    /// to leave within the time that it allows even over a thin line.
    static let sendBufferBytes = 512 << 10

    /// How it is spoken to.
    public let configuration: StoreConfiguration
    let keeper: CredentialKeeper
    let threads = FileThreads()
    let http: HTTPClient
    let habits = Mutex(Habits())

    /// Whether the last object that was verified was proved by a sum that the store told, so that no other one is made.
    struct Habits {
        var tellsSum = false
        var tellsSumOfParts = false

        mutating func saw(isProved: Bool, inParts: Bool) {
            if inParts { tellsSumOfParts = isProved } else { tellsSum = isProved }
        }
    }

    /// A client. It connects to nobody yet, and must be ended by `shutdown`.
    public init(_ configuration: StoreConfiguration, credentials: CredentialSource) {
        self.configuration = configuration
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
            channel.setOption(ChannelOptions.socketOption(.so_sndbuf), value: .init(Self.sendBufferBytes))
        }
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        keeper = CredentialKeeper(credentials, clock: configuration.clock, threads: threads, http: http)
    }

    /// Closes its connections and ends its threads. Operations that are under way fail.
    public func shutdown() async {
        try? await http.shutdown()
        threads.shutdown()
    }

    /// Who may read the credentials besides their owner, in words for the operator; nil where nobody may. Throws `StoreError` where
    /// there are none.
    public func credentialWarning() async throws -> String? {
        _ = try await credentials(for: .headObject, nil)
        return await keeper.warning
    }

    func credentials(for operation: StoreOperation, _ key: String?) async throws -> Credentials {
        do {
            return try await keeper.credentials()
        } catch let error as CredentialDefect {
            throw failure(.noCredentials(error.reason), operation, key)
        }
    }

    func failure(_ cause: StoreError.Cause, _ operation: StoreOperation, _ key: String?) -> StoreError {
        StoreError(cause, operation, bucket: configuration.address.bucket, key: key)
    }
}
