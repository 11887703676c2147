/// A broker of MQTT to which the site's state is published, and from which commands may come.
public struct MQTTSettings: Hashable, Sendable {
    /// The version of the protocol.
    public enum Version: String, Hashable, Sendable, CaseIterable {
        case v5 = "5"
        case v3 = "3.1.1"
    }

    /// Where it is.
    public let broker: BrokerAddress
    /// A PEM file of trusted authorities; nil for the system's.
    public let authorityFile: String?
    /// The name of the credential for the broker; nil for no login.
    public let credential: String?
    /// What each topic begins with.
    public let topic: String
    /// What the topics of Home Assistant's discovery begin with; nil for no discovery.
    public let discovery: String?
    /// Whether what is published to the topics of commands is carried out.
    public let acceptsCommands: Bool
    /// The version that is spoken.
    public let version: Version
}
