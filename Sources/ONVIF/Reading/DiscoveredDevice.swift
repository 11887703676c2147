internal import Hashing
internal import XML

/// A device that answered a probe of WS-Discovery: what it says of itself, which nobody has proved.
package struct DiscoveredDevice: Hashable, Sendable {
    /// How much of a datagram is taken.
    static let bounds = XMLBounds(bytes: 65_536, depth: 16, attributes: 64, elements: 500, repairsText: true)
    /// How many matches of one answer, and how many addresses and scopes of one device are read.
    static let matchesMax = 8
    static let addressesMax = 8
    static let scopesMax = 64

    /// The name under which it is the same device in each of its answers (`urn:uuid:…`), at most 256 bytes.
    package let endpoint: String
    /// The address from which the answer came.
    package let sender: String
    /// Where its own service is, on the host from which the answer came: a device answers for itself alone.
    package let address: ServiceAddress
    /// What it calls itself, its model and its place, from its scopes; each one line of at most 64 scalars.
    package let name: String?
    package let model: String?
    package let location: String?
    /// The profiles of ONVIF that it says it has, such as `Streaming` (S) and `T`.
    package let profiles: [String]

    /// The devices of an answer to the probe with this identity; none where it is another's answer, or none at all.
    ///
    /// - Parameters:
    ///   - bytes: a datagram.
    ///   - sender: the address from which it came, without a port.
    ///   - probes: the identities of the probes that were sent.
    package static func read(_ bytes: [UInt8], from sender: String, probes: Set<String>) -> [DiscoveredDevice] {
        guard let root = try? XMLNode.parse(bytes, within: bounds), root.name == "Envelope",
            let relates = root.child("Header")?.text("RelatesTo")?.trimmed, probes.contains(relates),
            let body = root.child("Body")
        else { return [] }
        // Some devices leave out what stands around their match.
        return (body.child("ProbeMatches") ?? body).all("ProbeMatch").prefix(matchesMax).compactMap {
            DiscoveredDevice($0, sender)
        }
    }

    private init?(_ node: XMLNode, _ sender: String) {
        let named = (node.text("XAddrs") ?? "").split(whereSeparator: \.isWhitespace).prefix(Self.addressesMax)
            .compactMap { ServiceAddress(String($0)) }
        // The one that the sender has itself; else another's path and port, at the sender.
        guard let first = named.first(where: { $0.host == sender }) ?? named.first,
            let endpoint = node.child("EndpointReference")?.text("Address")?.line(max: 256), endpoint.utf8.count <= 256
        else { return nil }
        self.endpoint = endpoint
        self.sender = sender
        address = ServiceAddress(isSecure: first.isSecure, host: sender, port: first.port, path: first.path)
        let scopes = (node.text("Scopes") ?? "").split(whereSeparator: \.isWhitespace).prefix(Self.scopesMax)
        func values(_ category: String) -> [String] {
            let prefix = "onvif://www.onvif.org/\(category)/"
            return scopes.filter { $0.lowercased().hasPrefix(prefix) }
                .compactMap { String(decoding: Hex.unescaped($0.dropFirst(prefix.count)), as: UTF8.self).line(max: 64) }
        }
        name = values("name").first
        model = values("hardware").first
        location = values("location").first
        profiles = values("profile")
    }
}
