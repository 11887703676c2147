internal import XML

/// One message of a device's events (WS-Notification, ONVIF Core, 9.4): a topic, whom it is about, and what is so now.
package struct DeviceNotification: Hashable, Sendable, Codable {
    /// How many messages of one answer are read, and how many items of one message.
    package static let countMax = 1_024
    static let itemsMax = 32

    /// What a message says of a property.
    package enum Change: String, Hashable, Sendable, Codable {
        /// How it is, told to who has just subscribed or asks anew: a state and no event.
        case initialized = "Initialized"
        /// It has changed.
        case changed = "Changed"
        /// There is no such property any more.
        case deleted = "Deleted"
    }

    /// The topic without prefixes: `VideoSource/MotionAlarm`, at most 200 scalars.
    package let topic: String
    /// What is said of a property; nil where the message is about none.
    package let change: Change?
    /// Whom it is about: the values by their names, each one line.
    package let source: [String: String]
    /// What is so: the values by their names, each one line.
    package let data: [String: String]

    /// The messages of an answer, in their order.
    static func read(_ response: XMLNode) -> [DeviceNotification] {
        response.all("NotificationMessage").prefix(countMax).compactMap(DeviceNotification.init)
    }

    private init?(_ node: XMLNode) {
        guard let topic = node.text("Topic")?.trimmed.line(max: 200),
            let message = node.child("Message")?.child("Message")
        else {
            return nil
        }
        self.topic = topic.split(separator: "/").map { $0.split(separator: ":").last ?? $0 }.joined(separator: "/")
        change = message.attributes["PropertyOperation"].flatMap(Change.init(rawValue:))
        source = Self.items(message.child("Source"))
        data = Self.items(message.child("Data"))
    }

    private static func items(_ node: XMLNode?) -> [String: String] {
        var items: [String: String] = [:]
        for item in node?.all("SimpleItem").prefix(itemsMax) ?? [] {
            guard let name = item.attributes["Name"]?.line(max: 64), items[name] == nil else { continue }
            items[name] = (item.attributes["Value"] ?? "").line(max: 64) ?? ""
        }
        return items
    }
}
