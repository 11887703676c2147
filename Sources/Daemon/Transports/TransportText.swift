internal import Foundation
internal import Machines
internal import Server

/// The options of a transport as they are kept.
enum TransportText {
    /// As JSON, keys in their order.
    static func text(_ options: TransportOptions) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(options)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// What a text says; nil where it cannot be understood.
    static func options(_ text: String) -> TransportOptions? {
        try? JSONDecoder().decode(TransportOptions.self, from: Data(text.utf8))
    }

    /// What the machine is to know of options that were taken. A zone that the camera has no more counts for nothing.
    static func trigger(_ options: TransportOptions, _ zones: [String]) -> (PushTransport.Trigger, preRollMs: Int64) {
        let trigger = options.triggerOptions
        let preRollMs = min(max(trigger?.maxPreRollLen ?? 0, 0), TransportCheck.preRollMsMax)
        switch trigger?.triggerType {
        case "continuous": return (.continuous, 0)
        case "motion":
            let control = trigger?.motionTimeControl
            func ms(_ seconds: Int64?) -> Int64 { min(max(seconds ?? 0, 0), 4_294_967_295) * 1_000 }
            return (
                .motion(
                    zones: Self.zones(trigger?.motionZones, zones), sensitivity: trigger?.motionSensitivity ?? 10,
                    TimeControl(
                        initialMs: ms(control?.initialDuration), augmentationMs: ms(control?.augmentationDuration),
                        maxMs: ms(control?.maxDuration), blindMs: ms(control?.blindDuration))),
                preRollMs
            )
        default: return (.command, preRollMs)
        }
    }

    /// The zones in which motion counts; nil: anywhere.
    private static func zones(_ named: [TransportZone]?, _ known: [String]) -> Zones? {
        guard let named, !named.isEmpty else { return nil }
        var found = Zones(inside: 0, outside: false)
        for zone in named {
            guard let name = zone.zone else {
                found.outside = true
                continue
            }
            if let number = known.prefix(ZoneMap.zoneLimit).firstIndex(of: name) { found.inside |= 1 << UInt32(number) }
        }
        return found
    }
}
