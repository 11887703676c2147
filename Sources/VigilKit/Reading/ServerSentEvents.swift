/// A stream of Server-Sent Events, read from foreign bytes as they come. What it holds is bounded.
struct ServerSentEvents {
    /// One event.
    struct Event: Hashable, Sendable {
        /// The last id that was told; empty where none was.
        var id: String
        /// `message` unless it was named.
        var name: String
        /// Its lines, joined.
        var data: String
    }

    /// The longest line, and the most bytes of an event.
    static let bytesMax = 1 << 20

    /// The last id that was told whole, also without an event: behind it one goes on. Empty where none was.
    private(set) var lastID = ""
    private var line: [UInt8] = []
    private var event = Event(id: "", name: "", data: "")
    private var hasData = false
    private var endedWithReturn = false

    /// Takes bytes; gives the events that are whole by them. Nil where a line or an event is longer than it may be.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Event]? {
        var events: [Event] = []
        for byte in bytes {
            let isSecond = byte == 0x0A && endedWithReturn
            endedWithReturn = byte == 0x0D
            if isSecond { continue }
            if byte == 0x0A || byte == 0x0D {
                if let event = end() { events.append(event) }
            } else {
                line.append(byte)
            }
            guard line.count <= Self.bytesMax, event.data.utf8.count <= Self.bytesMax else { return nil }
        }
        return events
    }

    private mutating func end() -> Event? {
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        guard !text.isEmpty else {
            defer { (event.name, event.data, hasData) = ("", "", false) }
            lastID = event.id
            guard hasData else { return nil }
            return Event(id: event.id, name: event.name.isEmpty ? "message" : event.name, data: event.data)
        }
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = halves.count > 1 ? halves[1] : ""
        if value.first == " " { value = value.dropFirst() }
        switch halves[0] {
        case "id": event.id = String(value)
        case "event": event.name = String(value)
        case "data":
            event.data += (hasData ? "\n" : "") + value
            hasData = true
        default: break
        }
        return nil
    }
}
