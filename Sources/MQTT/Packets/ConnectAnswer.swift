/// What a broker answers to a wish to connect, and the bounds that it sets.
package struct ConnectAnswer: Hashable, Sendable {
    /// 0: it takes the connection; else why not.
    package var code: UInt8
    /// The pause after which it closes the connection, in seconds; nil: as was asked for.
    package var keepAliveSeconds: UInt16?
    /// The longest packet that it takes, in bytes; nil: any.
    package var packetBytesMax: Int?
    /// How many messages may wait for their acknowledgement.
    package var unacknowledgedMax: UInt16 = .max
    /// Whether it acknowledges messages (QoS 1).
    package var acknowledges = true
    /// Whether it keeps messages.
    package var retains = true

    package init(code: UInt8) { self.code = code }

    /// Reads a packet's fields.
    init(_ fields: inout PacketFields, _ version: MQTTVersion) throws(PacketFault) {
        _ = try fields.byte()
        code = try fields.byte()
        // A broker that does not know version 5 refuses it in the words of 3.1.1, without properties.
        guard version == .v5, !fields.isAtEnd else { return }
        var properties = PacketFields(try fields.take(try fields.number()))
        while !properties.isAtEnd { try take(&properties) }
    }

    /// Takes one property. Their kinds have fixed forms, so one that is not known cannot be passed over.
    private mutating func take(_ properties: inout PacketFields) throws(PacketFault) {
        switch try properties.byte() {
        case 0x11: _ = try properties.number32()
        case 0x13: keepAliveSeconds = try properties.number16()
        case 0x12, 0x15, 0x16, 0x1A, 0x1C, 0x1F: _ = try properties.data()
        case 0x21: unacknowledgedMax = try properties.number16()
        case 0x22: _ = try properties.number16()
        case 0x24: acknowledges = try properties.byte() > 0
        case 0x25: retains = try properties.byte() > 0
        case 0x26:
            _ = try properties.data()
            _ = try properties.data()
        case 0x27: packetBytesMax = Int(try properties.number32())
        case 0x28, 0x29, 0x2A: _ = try properties.byte()
        default: throw PacketFault("the answer to the connection has a property of an unknown kind")
        }
    }
}
