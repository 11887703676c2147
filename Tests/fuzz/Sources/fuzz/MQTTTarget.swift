@testable import MQTT

/// What a broker sends. The first byte chooses the version and how long the pieces are in which the rest comes.
enum MQTTTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard let choice = bytes.first else { return }
        let version: MQTTVersion = choice & 1 == 0 ? .v3 : .v5
        let rest = Array(bytes.dropFirst())
        let (whole, isFaulty) = read(rest, version, piece: max(1, rest.count))
        let (pieces, isFaultyInPieces) = read(rest, version, piece: 1 + Int(choice >> 1))
        hold(whole == pieces && isFaulty == isFaultyInPieces, "the same packets in whatever pieces")
        for packet in whole {
            guard case .message(let message, _) = packet else { continue }
            hold(!message.topic.isEmpty, "a topic is not empty")
            hold(!message.topic.utf8.contains { [0, 0x23, 0x2B].contains($0) }, "a topic has no wildcard")
            hold(message.payload.count <= rest.count, "a payload is no longer than what came")
        }
    }

    private static func read(_ bytes: [UInt8], _ version: MQTTVersion, piece: Int) -> ([ServerPacket], isFaulty: Bool) {
        var (reader, packets) = (PacketReader(version), [ServerPacket]())
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.take(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            do throws(PacketFault) { while let packet = try reader.next() { packets.append(packet) } } catch {
                hold(!error.words.isEmpty && !error.words.contains(where: \.isNewline), "a fault is one line")
                return (packets, true)
            }
            hold(reader.held <= PacketReader.bytesMax + piece, "no more is held than a packet and a piece")
        }
        return (packets, false)
    }
}
