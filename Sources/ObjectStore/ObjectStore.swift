internal import Hashing
internal import Synchronization

/// A bucket of an S3-compatible store: a client of the Amazon S3 REST API over HTTP/1.1.
///
/// It knows keys and bytes, and nothing of what they mean. Each operation is one request, unless it says otherwise, and nothing is
/// tried again by itself: who uses it decides that, by the class of the error (`StoreError`). A transfer has no bound in time; it
/// fails when no byte has moved for `StoreConfiguration.quietSecondsMax`. Cancelling the task ends any operation at once with
/// `CancellationError`. Nothing that blocks runs on the cooperative pool.
public final class ObjectStore: Sendable {
    /// How it is spoken to.
    public let configuration: StoreConfiguration
    let credentialCache: CredentialCache
    let transport: any StoreTransport
    let habits = Mutex(Habits())
    let stalls: StallMonitor
    /// What signed the last request.
    let signingKey = Mutex<SigningKey?>(nil)
    /// The threads of a client.
    package static let threadsMax = FileThreads.count
    /// What one transfer holds of its source at most, in bytes.
    package static let transferBytes = SourcePieces.buffersMax * FileThreads.pieceBytes

    /// What the last objects that were verified were proved by: no other sums are made meanwhile.
    struct Habits {
        /// Whether it was a sum that the store told, of one that was sent at once and of one in parts.
        var tellsSum = false
        var tellsSumOfParts = false
        /// What the entity tag of an object in parts is made of, where it is of MD5.
        var tagOfParts = JointSums.MD5Of.whole
        /// Whether listings tell entity tags that prove what was sent.
        var listsTags = true

        mutating func saw(isProved: Bool, inParts: Bool) {
            if inParts { tellsSumOfParts = isProved } else { tellsSum = isProved }
        }
    }

    /// A client. It connects to nobody yet, and must be ended by `shutdown`.
    public convenience init(_ configuration: StoreConfiguration, credentials: CredentialSource) {
        self.init(configuration, credentials: credentials, transport: SystemTransport(configuration))
    }

    /// A client over another transport.
    package init(
        _ configuration: StoreConfiguration, credentials: CredentialSource, transport: any StoreTransport
    ) {
        self.configuration = configuration
        self.transport = transport
        stalls = StallMonitor(configuration.clock) { transport.begin($0) }
        credentialCache = CredentialCache(credentials, clock: configuration.clock, transport: transport)
    }

    /// Closes its connections and ends its threads. Operations that are under way fail.
    public func shutdown() async {
        stalls.end()
        await transport.shutdown()
    }

    /// Who may read the credentials besides their owner, in words for the operator; nil where nobody may. Throws `StoreError` where
    /// there are none.
    public func credentialWarning() async throws -> String? {
        _ = try await credentials(for: .headObject, nil)
        return await credentialCache.warning
    }

    func credentials(for operation: StoreOperation, _ key: String?) async throws -> Credentials {
        do {
            return try await credentialCache.credentials()
        } catch let error as CredentialDefect {
            throw failure(.noCredentials(error.reason), operation, key)
        }
    }

    func failure(_ cause: StoreError.Cause, _ operation: StoreOperation, _ key: String?) -> StoreError {
        StoreError(cause, operation, bucket: configuration.address.bucket, key: key)
    }
}
