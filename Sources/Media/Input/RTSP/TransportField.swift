/// A camera's answer to SETUP, `RTP/AVP/TCP;unicast;interleaved=0-1`, read by name: what stands first, and what it is called,
/// differs from camera to camera.
struct TransportField {
    private let values: [String: String]
    private let names: String

    init(_ field: String) {
        // The first of several; a comma may stand behind the only one, too.
        let first = field.split(separator: ",").first ?? ""
        values = TransportField.values(first)
        names = first.uppercased()
    }

    /// The values of a field by name, names in lower case.
    static func values(_ field: some StringProtocol) -> [String: String] {
        var values: [String: String] = [:]
        for part in field.split(separator: ";") {
            let halves = part.split(separator: "=", maxSplits: 1)
            if halves.count == 2 { values[halves[0].trimmingBlanks.lowercased()] = halves[1].trimmingBlanks }
        }
        return values
    }

    /// The channels, where they are named; the second follows the first where it alone is named.
    var channels: RTSPMedium.Channels? {
        TransportField.pair(values["interleaved"], UInt8.self).map { .init(packets: $0.0, control: $0.1) }
    }

    /// The camera's ports, where they are named.
    var serverPorts: (UInt16, UInt16)? { TransportField.pair(values["server_port"], UInt16.self) }

    /// What `ssrc=` may mean: eight hexadecimal digits (RFC 2326, 12.39), or a decimal number as some cameras write it.
    var sources: [UInt32] {
        let text = values["ssrc"] ?? ""
        return [UInt32(text, radix: 16), UInt32(text, radix: 10)].compactMap { $0 }
    }

    /// The transport that it names; nil where it names none.
    var transport: RTPTransport? {
        if values["interleaved"] != nil || names.contains("/TCP") { return .tcp }
        return values["server_port"] != nil || values["client_port"] != nil || names.contains("/UDP") ? .udp : nil
    }

    private static func pair<Number: FixedWidthInteger>(_ text: String?, _ type: Number.Type) -> (Number, Number)? {
        let parts = (text ?? "").split(separator: "-").map { $0.trimmingBlanks }
        guard let first: Number = parts.first?.leadingNumber() else { return nil }
        return (first, parts.count > 1 ? parts[1].leadingNumber() ?? first &+ 1 : first &+ 1)
    }
}
