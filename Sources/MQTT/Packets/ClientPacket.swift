/// What a client sends.
package enum ClientPacket: Sendable {
    /// Asks to connect, without anything of a connection before.
    case connect(id: String, keepAliveSeconds: UInt16, will: ApplicationMessage?, login: Login?)
    /// A message; with a number where it is to be acknowledged.
    case publish(ApplicationMessage, number: UInt16?)
    /// A message has come.
    case acknowledge(UInt16)
    /// Asks for the messages of topics that fit these filters.
    case subscribe(UInt16, filters: [String])
    /// A sign of life.
    case ping
    /// The end.
    case disconnect

    /// The longest body that a packet can have.
    package static let bodyBytesMax = 0xFFF_FFFF

    /// The packet's bytes; nil where a text or the whole is longer than a packet can hold.
    package func bytes(_ version: MQTTVersion) -> [UInt8]? {
        var body: [UInt8] = []
        let head: UInt8
        switch self {
        case .connect(let id, let seconds, let will, let login):
            head = 0x10
            guard Self.connect(&body, id, seconds, will, login, version) else { return nil }
        case .publish(let message, let number):
            head = 0x30 | (message.isRetained ? 1 : 0) | (number == nil ? 0 : 2)
            guard body.add(text: message.topic) else { return nil }
            if let number { body.add(number) }
            if version == .v5 { body.append(0) }
            body += message.payload
        case .acknowledge(let number):
            head = 0x40
            body.add(number)
        case .subscribe(let number, let filters):
            head = 0x82
            body.add(number)
            if version == .v5 { body.append(0) }
            for filter in filters {
                guard body.add(text: filter) else { return nil }
                // QoS 1; in version 5 also: the retain flag as it was published.
                body.append(version == .v5 ? 0b0000_1001 : 1)
            }
        case .ping: head = 0xC0
        case .disconnect: head = 0xE0
        }
        guard body.count <= Self.bodyBytesMax else { return nil }
        var packet = [head]
        packet.add(length: body.count)
        return packet + body
    }

    private static func connect(
        _ body: inout [UInt8], _ id: String, _ seconds: UInt16, _ will: ApplicationMessage?, _ login: Login?,
        _ version: MQTTVersion
    ) -> Bool {
        guard body.add(text: "MQTT") else { return false }
        let kept: UInt8 = will?.isRetained == true ? 0x20 : 0
        body.append(version.rawValue)
        body.append(0x02 | (will == nil ? 0 : 0x04 | kept) | (login == nil ? 0 : 0xC0))
        body.add(seconds)
        if version == .v5 {
            // Maximum Packet Size: what is longer is not sent at all.
            body += [5, 0x27]
            let most = UInt32(clamping: PacketReader.bytesMax)
            body.add(UInt16(truncatingIfNeeded: most >> 16))
            body.add(UInt16(truncatingIfNeeded: most))
        }
        guard body.add(text: id) else { return false }
        if let will {
            if version == .v5 { body.append(0) }
            guard body.add(text: will.topic), body.add(data: will.payload) else { return false }
        }
        if let login { guard body.add(text: login.user), body.add(text: login.password) else { return false } }
        return true
    }
}

extension [UInt8] {
    fileprivate mutating func add(_ number: UInt16) {
        append(UInt8(truncatingIfNeeded: number >> 8))
        append(UInt8(truncatingIfNeeded: number))
    }

    /// 7 bits a byte; at most `ClientPacket.bodyBytesMax`.
    fileprivate mutating func add(length: Int) {
        var rest = length
        repeat {
            append(UInt8(truncatingIfNeeded: rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
    }

    fileprivate mutating func add(data: [UInt8]) -> Bool {
        guard let count = UInt16(exactly: data.count) else { return false }
        add(count)
        self += data
        return true
    }

    fileprivate mutating func add(text: String) -> Bool { add(data: Array(text.utf8)) }
}
