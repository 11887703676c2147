internal import Foundation
internal import Machines
internal import Policies

/// One entity as Home Assistant's discovery over MQTT describes it: one message, kept by the broker, under a topic that names it.
struct HomeAssistantEntity: Encodable, Hashable, Sendable {
    /// Kinds of entities, as the topic names them.
    enum Component: String, Hashable, Sendable {
        case binarySensor = "binary_sensor"
        case sensor, button, camera, event, image, select, number
        case toggle = "switch"
    }

    /// What entities belong to.
    struct Device: Encodable, Hashable, Sendable {
        var identifiers: [String]
        var name: String
        var manufacturer = "Vigil"
        var model: String
        var swVersion: String
        var viaDevice: String?
    }

    /// Who describes them.
    struct Origin: Encodable, Hashable, Sendable {
        var name = "Vigil"
        var swVersion: String
    }

    let component: Component
    /// Names it among those of its device: letters only.
    let key: String
    var name: String
    var uniqueId = ""
    /// Of a camera: where its picture comes.
    var topic: String?
    var stateTopic: String?
    var commandTopic: String?
    var imageTopic: String?
    var jsonAttributesTopic: String?
    var valueTemplate: String?
    var payloadPress: String?
    var options: [String]?
    var eventTypes: [String]?
    var min, max, step: Int?
    var mode: String?
    var contentType: String?
    var deviceClass: String?
    var unitOfMeasurement: String?
    var entityCategory: String?
    var icon: String?
    var availabilityTopic = ""
    var device: Device?
    var origin: Origin?

    init(_ component: Component, _ key: String, _ name: String) {
        self.component = component
        self.key = key
        self.name = name
    }

    private enum CodingKeys: CodingKey {
        case name, uniqueId, topic, stateTopic, commandTopic, imageTopic, jsonAttributesTopic, valueTemplate,
            payloadPress,
            options, eventTypes, min, max, step, mode, contentType, deviceClass, unitOfMeasurement, entityCategory,
            icon,
            availabilityTopic, device, origin
    }
}

/// The descriptions of a site's cameras for Home Assistant.
struct HomeAssistantDiscovery: Hashable, Sendable {
    /// What its topics begin with.
    let prefix: String
    let topics: SiteTopics
    /// Whether what can be switched is offered as such.
    let takesCommands: Bool
    let version: String

    /// Where it says that it has started.
    var birthTopic: String { "\(prefix)/status" }
    /// What fits every topic of this site's descriptions.
    var filter: String { "\(prefix)/+/\(topics.base)/+/config" }

    /// Whether a topic is one of a description of this site.
    func isConfiguration(_ topic: String) -> Bool {
        let parts = topic.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
        return parts.count == 5 && parts[0] == prefix && parts[2] == topics.base && parts[4] == "config"
    }

    /// The messages that describe the site itself, by topic.
    var site: [String: [UInt8]] {
        var state = HomeAssistantEntity(.sensor, "storageState", "Storage")
        (state.stateTopic, state.valueTemplate) = (topics.site, "{{ value_json.storage }}")
        var free = HomeAssistantEntity(.sensor, "storageFree", "Free storage")
        (free.stateTopic, free.valueTemplate) = (topics.site, "{{ value_json.freeBytes }}")
        (free.deviceClass, free.unitOfMeasurement) = ("data_size", "B")
        let device = HomeAssistantEntity.Device(
            identifiers: [topics.base], name: "Vigil", model: "network video recorder", swVersion: version)
        return messages([state, free], device, suffix: "")
    }

    /// The messages that describe a camera, by topic.
    func camera(_ camera: String) -> [String: [UInt8]] {
        let device = HomeAssistantEntity.Device(
            identifiers: ["\(topics.base)_\(camera)"], name: camera, model: "camera", swVersion: version,
            viaDevice: topics.base)
        let entities =
            sensors(camera) + CameraSwitch.allCases.map { toggle($0, camera) }
            + (takesCommands ? [trigger(camera)] : [])
        return messages(entities, device, suffix: "_\(camera)")
    }

    private func sensors(_ camera: String) -> [HomeAssistantEntity] {
        let state = topics.camera(camera, "state")
        var motion = HomeAssistantEntity(.binarySensor, "motion", "Motion")
        (motion.stateTopic, motion.deviceClass) = (topics.camera(camera, "motion"), "motion")
        var link = HomeAssistantEntity(.binarySensor, "link", "Connection")
        (link.stateTopic, link.deviceClass, link.entityCategory) = (state, "connectivity", "diagnostic")
        link.valueTemplate = "{{ 'ON' if value_json.link == 'streaming' else 'OFF' }}"
        var coverage = HomeAssistantEntity(.sensor, "coverage", "Recording state")
        (coverage.stateTopic, coverage.valueTemplate) = (state, "{{ value_json.coverage }}")
        (coverage.jsonAttributesTopic, coverage.icon) = (state, "mdi:record-rec")
        var event = HomeAssistantEntity(.sensor, "event", "Last event")
        (event.stateTopic, event.valueTemplate) = (topics.camera(camera, "event"), "{{ value_json.start }}")
        (event.deviceClass, event.jsonAttributesTopic) = ("timestamp", topics.camera(camera, "event"))
        var picture = HomeAssistantEntity(.image, "picture", "Last event's picture")
        (picture.imageTopic, picture.contentType) = (topics.camera(camera, "picture"), "image/jpeg")
        var still = HomeAssistantEntity(.camera, "still", "Picture")
        still.topic = topics.camera(camera, "still")
        var doorbell = HomeAssistantEntity(.event, "doorbell", "Doorbell")
        (doorbell.stateTopic, doorbell.deviceClass) = (topics.camera(camera, "doorbell"), "doorbell")
        doorbell.eventTypes = [DoorbellReport.ring]
        return [motion, link, coverage, event, picture, still, doorbell] + settings(camera)
    }

    /// What is set for the camera; where nothing can be set, what shows it.
    private func settings(_ camera: String) -> [HomeAssistantEntity] {
        let state = topics.camera(camera, "state")
        var sensitivity = HomeAssistantEntity(takesCommands ? .select : .sensor, "sensitivity", "Sensitivity")
        (sensitivity.stateTopic, sensitivity.valueTemplate) = (state, "{{ value_json.sensitivity }}")
        var length = HomeAssistantEntity(takesCommands ? .number : .sensor, "maxEventLength", "Max event length")
        (length.stateTopic, length.valueTemplate) = (state, "{{ value_json.maxEventLength }}")
        (length.deviceClass, length.unitOfMeasurement) = ("duration", "s")
        if takesCommands {
            (sensitivity.commandTopic, sensitivity.options) = (
                topics.command(camera, .sensitivity), Sensitivity.allCases.map { "\($0.rawValue)" }
            )
            length.commandTopic = topics.command(camera, .maxEventLength)
            let lengths = CameraSettings.maxEventLengthRangeMs
            (length.min, length.max) = (Int(lengths.lowerBound / 1_000), Int(lengths.upperBound / 1_000))
            (length.step, length.mode) = (1, "box")
        }
        let category = takesCommands ? "config" : "diagnostic"
        (sensitivity.entityCategory, length.entityCategory) = (category, category)
        return [sensitivity, length]
    }

    /// A switch; where nothing can be switched, what shows how it stands.
    private func toggle(_ name: CameraSwitch, _ camera: String) -> HomeAssistantEntity {
        let words =
            switch name {
            case .recording: "Recording"
            case .privacy: "Privacy"
            case .softRecording: "Recording privacy"
            case .softLive: "Live privacy"
            }
        var entity = HomeAssistantEntity(takesCommands ? .toggle : .binarySensor, name.rawValue, words)
        entity.stateTopic = topics.camera(camera, name.rawValue)
        entity.commandTopic = takesCommands ? topics.command(camera, name) : nil
        return entity
    }

    private func trigger(_ camera: String) -> HomeAssistantEntity {
        var entity = HomeAssistantEntity(.button, "trigger", "Trigger")
        (entity.commandTopic, entity.payloadPress) = (topics.camera(camera, "trigger"), "1")
        return entity
    }

    private func messages(
        _ entities: [HomeAssistantEntity], _ device: HomeAssistantEntity.Device, suffix: String
    ) -> [String: [UInt8]] {
        var messages: [String: [UInt8]] = [:]
        for var entity in entities {
            let id = entity.key + suffix
            entity.uniqueId = "\(topics.base)_\(id)"
            (entity.availabilityTopic, entity.device) = (topics.status, device)
            entity.origin = HomeAssistantEntity.Origin(swVersion: version)
            messages["\(prefix)/\(entity.component.rawValue)/\(topics.base)/\(id)/config"] = MQTTJSON.bytes(
                entity, snake: true)
        }
        return messages
    }
}

/// How states and descriptions are written.
enum MQTTJSON {
    /// A value as JSON; nothing where it cannot be written.
    static func bytes(_ value: some Encodable, snake: Bool = false) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if snake { encoder.keyEncodingStrategy = .convertToSnakeCase }
        return (try? encoder.encode(value)).map(Array.init) ?? []
    }
}
