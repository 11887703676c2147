/// What a broker sends.
package enum ServerPacket: Hashable, Sendable {
    /// The answer to the wish to connect.
    case connected(ConnectAnswer)
    /// A message, to be acknowledged where it has an identifier.
    case message(ApplicationMessage, acknowledge: UInt16?)
    /// A message that is too long, or whose topic is none; to be acknowledged all the same.
    case unusable(acknowledge: UInt16?)
    /// A message has come; or it is refused.
    case acknowledged(UInt16, isRefused: Bool)
    /// The answer to a subscription: which of its filters are refused, by their places.
    case subscribed(UInt16, refused: [Int])
    /// The answer to a sign of life.
    case pong
    /// The broker ends the connection, and says why.
    case disconnected(UInt8)

    /// Reads a packet. `isWhole`: false where `body` is only the begin of it.
    init(_ head: UInt8, _ body: ArraySlice<UInt8>, isWhole: Bool, _ version: MQTTVersion) throws(PacketFault) {
        var fields = PacketFields(body)
        if head >> 4 == 3 {
            self = try Self.message(head, &fields, isWhole: isWhole, version)
            return
        }
        guard isWhole else { throw PacketFault("a packet is longer than it may be") }
        switch (head, version) {
        case (0x20, _): self = .connected(try ConnectAnswer(&fields, version))
        case (0x40, _):
            let number = try fields.number16()
            // A code from 0x80 on is a refusal; where it is left out there is none.
            self = .acknowledged(number, isRefused: fields.isAtEnd ? false : try fields.byte() >= 0x80)
        case (0x90, _):
            let number = try fields.number16()
            if version == .v5 { _ = try fields.take(try fields.number()) }
            let codes = fields.rest()
            self = .subscribed(number, refused: codes.enumerated().filter { $0.element >= 0x80 }.map(\.offset))
        case (0xD0, _): self = .pong
        case (0xE0, .v5): self = .disconnected(fields.isAtEnd ? 0 : try fields.byte())
        default: throw PacketFault("a packet is of a kind that brokers do not send")
        }
    }

    private static func message(
        _ head: UInt8, _ fields: inout PacketFields, isWhole: Bool, _ version: MQTTVersion
    ) throws(PacketFault) -> ServerPacket {
        let quality = head >> 1 & 3
        guard quality < 2 else { throw PacketFault("a message wants more than was agreed on") }
        let topic = String(validating: try fields.data(), as: UTF8.self)
        let number = quality == 1 ? try fields.number16() : nil
        guard isWhole else { return .unusable(acknowledge: number) }
        if version == .v5 { _ = try fields.take(try fields.number()) }
        guard let topic, !topic.isEmpty, !topic.utf8.contains(where: { $0 == 0 || $0 == 0x2B || $0 == 0x23 }) else {
            return .unusable(acknowledge: number)
        }
        let message = ApplicationMessage(
            topic: topic, payload: Array(fields.rest()), isRetained: head & 1 == 1, isDuplicate: head & 8 == 8)
        return .message(message, acknowledge: number)
    }
}
