internal import Machines

/// How a record looks as a plain line:
/// `2026-11-21T05:59:45.123Z warning camera=front event=17 link lost: the camera closed the connection`.
struct LineFormat: Sendable {
    /// Whether lines begin with `<6>`, the priority as journald reads it from a stream.
    let hasPriorityPrefix: Bool
    /// Records less urgent than this are left out.
    let priorityMax: Priority

    /// The fields that are worth a place in front of the message.
    static let keys: [(field: Field, key: String)] = [(.event, "event"), (.clip, "clip")]

    func line(
        wallMs: Int64, priority: Priority, camera: String?, fields: [(Field, String)], message: String
    ) -> [UInt8]? {
        guard priority <= priorityMax else { return nil }
        var text = hasPriorityPrefix ? "<\(priority.rawValue)>" : ""
        text += Self.time(wallMs) + " " + priority.word
        if let camera { text += " camera=" + Self.token(camera) }
        for (field, key) in Self.keys {
            if let value = fields.first(where: { $0.0 == field })?.1 { text += " \(key)=" + Self.token(value) }
        }
        text += " " + message
        var bytes = Array(Escaping.prefix(text, bytesMax: StderrLines.lineBytesMax - 1).utf8)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// RFC 3339, UTC, milliseconds.
    static func time(_ wallMs: Int64) -> String {
        let time = CivilTime(epochMs: wallMs)
        return "\(time.date)T\(time.clock.joined(separator: ":")).\(time.fraction)Z"
    }

    /// A value without spaces, so that `key=value` stays one word.
    private static func token(_ value: String) -> String {
        Escaping.visible(value, scalarsMax: 80).split(separator: " ", omittingEmptySubsequences: false)
            .joined(separator: "_")
    }
}
