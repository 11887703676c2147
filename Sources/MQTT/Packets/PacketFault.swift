/// Why what a broker sends is no MQTT. It ends the connection.
package struct PacketFault: Error, Hashable, Sendable {
    /// In a few words without a capital and a stop.
    package let words: String

    init(_ words: String) { self.words = words }

    static let short = PacketFault("a packet is shorter than what it holds")
}
