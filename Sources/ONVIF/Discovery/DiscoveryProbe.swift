internal import Hashing

/// Asks whoever hears it to say that it is there (WS-Discovery 1.0, 2005/04, which ONVIF Core, 7.3, has).
package struct DiscoveryProbe: Hashable, Sendable {
    /// Where devices listen, by multicast and by themselves.
    package static let group = "239.255.255.250"
    package static let port = 3_702

    /// What kind of device is to answer.
    package enum Kind: CaseIterable, Sendable {
        /// A camera or an encoder (profile S).
        case transmitter
        /// Any device of ONVIF: newer ones answer to this alone.
        case device
    }

    /// Its identity, which answers name.
    package let identity: String
    /// What is sent.
    package let text: String

    /// A probe with an identity at random.
    package init(_ kind: Kind) {
        var generator = SystemRandomNumberGenerator()
        let identity = Self.identity(using: &generator)
        self.identity = identity
        let (name, namespace) =
            switch kind {
            case .transmitter: ("n:NetworkVideoTransmitter", "http://www.onvif.org/ver10/network/wsdl")
            case .device: ("n:Device", "http://www.onvif.org/ver10/device/wsdl")
            }
        text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\" "
            + "xmlns:a=\"http://schemas.xmlsoap.org/ws/2004/08/addressing\" "
            + "xmlns:d=\"http://schemas.xmlsoap.org/ws/2005/04/discovery\" xmlns:n=\"\(namespace)\"><s:Header>"
            + "<a:MessageID>\(identity)</a:MessageID><a:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To>"
            + "<a:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</a:Action></s:Header><s:Body><d:Probe>"
            + "<d:Types>\(name)</d:Types></d:Probe></s:Body></s:Envelope>"
    }

    /// `urn:uuid:` and a UUID of version 4.
    private static func identity(using generator: inout some RandomNumberGenerator) -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return "urn:uuid:" + Hex.uuid(bytes)
    }
}
