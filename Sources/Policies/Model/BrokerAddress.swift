/// The address of a broker of MQTT: `mqtt://host`, `mqtts://host`, with a port or without.
public struct BrokerAddress: Hashable, Sendable {
    /// A name or a numeric address, without brackets.
    public let host: String
    /// The port.
    public let port: Int
    /// Whether TLS is spoken.
    public let isEncrypted: Bool

    /// The address that a text names.
    static func parse(_ text: String) throws(Fault) -> BrokerAddress {
        guard !text.contains("@") else {
            throw Fault(
                reason: "the address holds a login, which would be readable in this file",
                remedy: "take everything up to the @ out, and use a credential")
        }
        guard let match = text.wholeMatch(of: /(mqtts?):\/\/([^\/\s?#]{1,255})\/?/) else {
            throw Fault(
                reason: "\"\(text.prefix(80))\" is no address of a broker",
                remedy: "write mqtts://host or mqtt://host, with a port where it is not 8883 or 1883")
        }
        let isEncrypted = match.1 == "mqtts"
        let (host, portText) = SourceAddress.splitPort(String(match.2))
        guard !host.isEmpty, host.wholeMatch(of: /[A-Za-z0-9._\-:%]+/) != nil else {
            throw Fault(reason: "the address has no valid host", remedy: "write mqtts://host or mqtts://host:8883")
        }
        guard let portText else {
            return BrokerAddress(host: host, port: isEncrypted ? 8_883 : 1_883, isEncrypted: isEncrypted)
        }
        guard let port = SourceAddress.port(Substring(portText)) else {
            throw Fault(
                reason: "the port is not a number from 1 to 65535", remedy: "write mqtts://host:8883, or leave it out")
        }
        return BrokerAddress(host: host, port: port, isEncrypted: isEncrypted)
    }
}

extension BrokerAddress: CustomStringConvertible {
    /// With its port.
    public var description: String {
        "\(isEncrypted ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
