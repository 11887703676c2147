internal import MQTT
internal import Policies

/// How a broker is reached. It holds no secret.
struct BrokerAccess: Codable, Hashable, Sendable {
    var host: String
    var port: UInt16
    /// Whether TLS is spoken.
    var isEncrypted: Bool
    /// A PEM file of trusted authorities; nil for the system's.
    var authorityFile: String?
    /// The name of the credential; nil for no login.
    var credential: String?
    /// The version of the protocol, as the configuration has it.
    var version: String

    /// Where it is, as `mqtt.url` has it, with the port.
    var address: String {
        "\(isEncrypted ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// A connection that is not made yet. Blocking where there is a login: it may read a file. Throws a `CredentialProblem`.
    func connection(
        id: String, will: ApplicationMessage?, filters: [String], _ references: [String: CredentialReference]
    ) throws -> BrokerConnection {
        var login: Login?
        if let credential {
            let found = try CredentialStore(references: references).credential(credential)
            login = Login(user: found.user, password: found.password)
        }
        let broker = Broker(
            host: host, port: Int(port), isEncrypted: isEncrypted, authorityFile: authorityFile,
            version: version == MQTTSettings.Version.v3.rawValue ? .v3 : .v5)
        return BrokerConnection(broker, id: id, login: login, will: will, filters: filters)
    }
}

extension BrokerAccess {
    /// The broker of a configuration.
    init(_ settings: MQTTSettings) {
        self.init(
            host: settings.broker.host, port: UInt16(clamping: settings.broker.port),
            isEncrypted: settings.broker.isEncrypted, authorityFile: settings.authorityFile,
            credential: settings.credential, version: settings.version.rawValue)
    }
}
