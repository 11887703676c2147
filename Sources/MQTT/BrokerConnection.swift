internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// One connection to a broker, from its begin to its end. It keeps nothing for the next one: whoever publishes does so anew.
///
/// Whatever the broker does, it ends: a broker that says nothing is given up, and each piece that it sends is looked at and
/// forgotten. What is published waits for the broker, with as many messages under way as `unacknowledgedMax`.
public struct BrokerConnection: Sendable {
    /// How long it may take to reach the broker, and then until it takes the connection, in seconds.
    static let connectSeconds: Int64 = 10
    /// How often there is a sign of life, in seconds, unless the broker wants it more often.
    static let keepAliveSeconds: UInt16 = 30
    /// The most messages that wait for their acknowledgement.
    static let unacknowledgedMax = 16
    /// From how many bytes of them on the next one waits, whatever their number: a picture is under way alone.
    static let unacknowledgedBytesMax = 32 << 10
    /// What a connection may hold, in bytes: what came and is not read, a packet each way, and what TLS and the library hold.
    public static let bytesMax = 2 << 20

    private let broker: Broker
    private let id: String
    private let login: Login?
    private let will: ApplicationMessage?
    let filters: [String]

    /// A connection that is not made yet.
    ///
    /// - Parameters:
    ///   - id: its name; a second connection of this name makes the broker end the first.
    ///   - will: what the broker publishes when the connection breaks; nil: nothing.
    ///   - filters: which topics are listened to.
    public init(_ broker: Broker, id: String, login: Login?, will: ApplicationMessage?, filters: [String]) {
        self.broker = broker
        self.id = id
        self.login = login
        self.will = will
        self.filters = filters
    }

    /// Connects, publishes what `client` gives, and tells it what comes. Returns nil when the client has nothing more and the broker
    /// has acknowledged what it was sent; or the reason when the connection cannot be made or breaks. Ends soon after the task is
    /// cancelled.
    public func run(_ client: some BrokerClient) async -> BrokerFailure? {
        do {
            let channel = try await open()
            return try await channel.executeThenClose { inbound, outbound in
                await BrokerExchange(self, client, outbound).run(inbound)
            }
        } catch { return BrokerFailure(error) }
    }

    private func open() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let tls = broker.isEncrypted ? try await context() : nil
        // A name is compared with the certificate, and so is a numeric address, which has no place in the greeting.
        let isNumeric = (try? SocketAddress(ipAddress: broker.host, port: 0)) != nil
        return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(.seconds(Self.connectSeconds))
            .connect(host: broker.host, port: broker.port) { [broker] channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let handler = try NIOSSLClientHandler(
                            context: tls, serverHostname: isNumeric ? nil : broker.host)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Reads the authorities, which blocks.
    private func context() async throws -> NIOSSLContext {
        var settings = TLSConfiguration.makeClientConfiguration()
        if let file = broker.authorityFile { settings.trustRoots = .file(file) }
        return try await NIOThreadPool.singleton.runIfActive { [settings] in
            do { return try NIOSSLContext(configuration: settings) } catch {
                throw BrokerFailure("the certificates of mqtt.ca cannot be read")
            }
        }
    }

    /// The packet with which it begins.
    var greeting: ClientPacket {
        .connect(id: id, keepAliveSeconds: Self.keepAliveSeconds, will: will, login: login)
    }

    /// The version that is spoken.
    var version: MQTTVersion { broker.version }
}
