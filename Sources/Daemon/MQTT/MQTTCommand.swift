internal import Policies

/// What a message asks of a camera. Topic and payload must be exactly as they are documented; anything else is no command.
struct MQTTCommand: Hashable, Sendable {
    /// The most that a camera takes in a minute.
    static let perMinute = 60

    /// What is to be done.
    enum Action: Hashable, Sendable {
        case turn(CameraSwitch, Bool)
        /// A setting of the camera, as policies write it.
        case set(CameraSettings.Key, String)
        /// One detection, which this sensitivity notices.
        case detect(Int)
        /// A source is on or off.
        case source(String, Bool)
    }

    /// Why a message is no command that counts.
    enum Flaw: String, Error, Hashable, Sendable, CaseIterable {
        case retained, topic, payload, tooMany, unusable

        /// For the journal.
        var words: String {
            switch self {
            case .retained: "the broker keeps them (retain), so they may be old"
            case .topic: "their topic is none of a command to a configured camera"
            case .payload: "their payload is none that the topic takes"
            case .tooMany: "there are more than \(MQTTCommand.perMinute) commands a minute to one camera"
            case .unusable: "they are too long, or their topic is none"
            }
        }
    }

    let camera: String
    let action: Action

    /// The command that a message to one of the `topics` is, to one of these cameras.
    init(topic: String, payload: [UInt8], _ topics: SiteTopics, cameras: Set<String>) throws(Flaw) {
        guard let parts = topics.parts(topic), cameras.contains(String(parts[0])) else { throw .topic }
        camera = String(parts[0])
        switch (parts.count, parts[1]) {
        case (2, "trigger"):
            guard let level = ["1": 1, "5": 5, "10": 10][Self.text(payload)] else { throw .payload }
            action = .detect(level)
        case (3, "source"):
            guard parts[2].wholeMatch(of: /[A-Za-z0-9_.\-]{1,64}/) != nil else { throw .topic }
            action = .source(String(parts[2]), try Self.isOn(payload))
        case (3, _):
            guard parts[2] == "set" else { throw .topic }
            if let name = CameraSwitch(rawValue: String(parts[1])) {
                action = .turn(name, try Self.isOn(payload))
            } else if let name = CameraSettings.Key.byMessage.first(where: { $0.rawValue == parts[1] }) {
                guard let value = name.value(Self.text(payload)) else { throw .payload }
                action = .set(name, value)
            } else {
                throw .topic
            }
        default: throw .topic
        }
    }

    private static func isOn(_ payload: [UInt8]) throws(Flaw) -> Bool {
        switch text(payload) {
        case "ON": return true
        case "OFF": return false
        default: throw .payload
        }
    }

    /// No payload of a command is longer.
    private static func text(_ payload: [UInt8]) -> String {
        payload.count > 7 ? "" : String(decoding: payload, as: UTF8.self)
    }
}

extension MQTTCommand: CustomStringConvertible {
    /// For the journal.
    var description: String {
        switch action {
        case .turn(let name, let isOn): "\(name.rawValue) \(isOn ? "ON" : "OFF")"
        case .set(let name, let value): "\(name.rawValue) \(value)"
        case .detect(let level): "trigger \(level)"
        case .source(let name, let isOn): "source \(name) \(isOn ? "ON" : "OFF")"
        }
    }
}
