internal import Glibc

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
        let (seconds, ms) = (Int(wallMs / 1_000), Int(wallMs % 1_000))
        var clock = time_t(ms < 0 ? seconds - 1 : seconds)
        var parts = tm()
        guard gmtime_r(&clock, &parts) != nil else { return "\(wallMs)ms" }
        let date =
            "\(pad(Int(parts.tm_year) + 1_900, 4))-\(pad(Int(parts.tm_mon) + 1, 2))-\(pad(Int(parts.tm_mday), 2))"
        let time = "\(pad(Int(parts.tm_hour), 2)):\(pad(Int(parts.tm_min), 2)):\(pad(Int(parts.tm_sec), 2))"
        return "\(date)T\(time).\(pad(ms < 0 ? ms + 1_000 : ms, 3))Z"
    }

    /// A value without spaces, so that `key=value` stays one word.
    private static func token(_ value: String) -> String {
        Escaping.visible(value, scalarsMax: 80).split(separator: " ", omittingEmptySubsequences: false)
            .joined(separator: "_")
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
