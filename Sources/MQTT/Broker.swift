/// Where a broker is, and how it is spoken to.
public struct Broker: Hashable, Sendable {
    /// A name or a numeric address.
    public var host: String
    /// Its port.
    public var port: Int
    /// Whether TLS is spoken.
    public var isEncrypted: Bool
    /// A PEM file of trusted authorities; nil for the system's.
    public var authorityFile: String?
    /// The version that is spoken.
    public var version: MQTTVersion

    /// A broker.
    public init(
        host: String, port: Int, isEncrypted: Bool, authorityFile: String? = nil, version: MQTTVersion = .v5
    ) {
        self.host = host
        self.port = port
        self.isEncrypted = isEncrypted
        self.authorityFile = authorityFile
        self.version = version
    }
}
