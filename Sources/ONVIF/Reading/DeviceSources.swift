internal import XML

/// What of a device's events counts as a source that is on or off: movement, tampering, doorbells and digital inputs. A value that is
/// told each message, and says what becomes of the sources.
///
/// Several topics may tell of one thing (the camera's alarm of movement and a rule for it): the source is on while one of them is.
package struct DeviceSources: Hashable, Sendable {
    /// How many properties of one device are known.
    static let propertiesMax = 64

    /// What happened to a source.
    package enum Fact: Hashable, Sendable {
        /// It has gone on, or is on still.
        case on(String)
        /// It has gone off.
        case off(String)
    }

    /// One property of the device.
    private struct Property: Hashable {
        let topic: String
        let source: [String: String]
    }

    /// The properties that are on, with the names of their sources.
    private var on: [Property: String] = [:]

    /// Nothing is on.
    package init() {}

    /// The sources that are on.
    package var names: Set<String> { Set(on.values) }

    /// Takes a message.
    ///
    /// A state that is told to who has just subscribed (`Initialized`) begins nothing: what was on before anybody looked is no
    /// event. It confirms what is on, and ends what is off; so an end that was lost is made good by asking anew.
    package mutating func take(_ message: DeviceNotification) -> Fact? {
        guard let name = Self.name(of: message) else { return nil }
        let property = Property(topic: message.topic, source: message.source)
        let isOn = message.change != .deleted && Self.isOn(message) == true
        guard isOn || message.change == .deleted || Self.isOn(message) == false else { return nil }
        if isOn {
            guard on[property] != nil || message.change != .initialized && on.count < Self.propertiesMax else {
                return nil
            }
            on[property] = name
            return .on(name)
        }
        guard on.removeValue(forKey: property) != nil else { return nil }
        return names.contains(name) ? nil : .off(name)
    }

    /// Forgets what is on, because nothing has confirmed it for too long.
    package mutating func forget(_ name: String) { on = on.filter { $0.value != name } }

    /// The name of the source that a message is about: `onvif-motion`, `onvif-tamper`, `doorbell`, or `onvif-input-` and the input's
    /// token. Nil where it is about none of these.
    private static func name(of message: DeviceNotification) -> String? {
        let parts = message.topic.split(separator: "/")
        guard let first = parts.first, let last = parts.last else { return nil }
        switch (first, last) {
        case ("VideoSource", "MotionAlarm"), ("RuleEngine", "Motion"), ("VideoAnalytics", "Motion"):
            return "onvif-motion"
        case ("RuleEngine", "Tamper"): return "onvif-tamper"
        case ("VideoSource", _) where parts.count > 1 && parts[1] == "GlobalSceneChange": return "onvif-tamper"
        case ("Device", "DigitalInput"):
            let token = message.source["InputToken"] ?? message.source.values.sorted().first ?? ""
            return token.lowercased() == "doorbell" ? "doorbell" : ("onvif-input-" + token).line(max: 64)
        // What doorbells of several makers tell when somebody presses their button.
        case ("RuleEngine", "Visitor"): return "doorbell"
        default: return nil
        }
    }

    /// Whether the property is on; nil where the message does not say.
    private static func isOn(_ message: DeviceNotification) -> Bool? {
        for name in ["State", "IsMotion", "IsTamper", "LogicalState"] {
            switch message.data[name]?.lowercased() {
            case "true", "1": return true
            case "false", "0": return false
            default: continue
            }
        }
        return nil
    }
}
