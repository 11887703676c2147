public import Machines

/// What somebody has set for one camera over its policy and over vigil.yaml (docs/design/settings.md); what is nil is as those say.
public struct CameraSettings: Hashable, Sendable {
    /// What can be set.
    public enum Key: String, Hashable, Sendable, Codable, CaseIterable {
        /// What is recorded, at all times of the schedule.
        case mode
        /// How small a movement counts, at all times of the schedule.
        case sensitivity
        /// The max event length, at all times of the schedule.
        case maxEventLength
        /// Whether what the microphone hears is heard by anybody; off: all sound that comes is silence.
        case microphone
        /// Whether sound is recorded.
        case recordedSound
        /// How the picture is turned.
        case rotation
        /// The part of the picture that is shown.
        case viewport
        /// How the camera itself sees at night.
        case nightVision
        /// The levels of the picture that the camera itself makes: how bright, with how much contrast, how strong its colours are, how
        /// sharp.
        case brightness, contrast, saturation, sharpness
        /// How loud the camera's own speaker is.
        case speakerVolume

        /// Whether it is set at the camera itself, by ONVIF.
        public var isOfDevice: Bool {
            switch self {
            case .nightVision, .brightness, .contrast, .saturation, .sharpness, .speakerVolume: true
            case .mode, .sensitivity, .maxEventLength, .microphone, .recordedSound, .rotation, .viewport: false
            }
        }
    }

    /// How a camera sees at night: as it finds by itself, all the time, or never.
    public enum NightVision: String, Hashable, Sendable, CaseIterable { case auto, on, off }

    /// A text that no value is written as.
    public struct Unfit: Error, Hashable, Sendable {
        /// The key and the text.
        public let what: String
        /// What can be written instead.
        public let remedy: String
    }

    /// The lengths that an event may be given, in milliseconds; whole seconds.
    public static let maxEventLengthRangeMs: ClosedRange<Int64> = 10_000...180_000

    /// What is recorded.
    public private(set) var mode: Mode?
    /// How small a movement counts.
    public private(set) var sensitivity: Sensitivity?
    /// The max event length in milliseconds, of `maxEventLengthRangeMs`.
    public private(set) var maxEventLengthMs: Int64?
    /// Whether the microphone is heard.
    public private(set) var microphone: Bool?
    /// Whether sound is recorded.
    public private(set) var recordedSound: Bool?
    /// How the picture is turned.
    public private(set) var rotation: Configuration.Camera.Rotation?
    /// The part of the picture that is shown.
    public private(set) var viewport: Viewport?
    /// How the camera sees at night.
    public private(set) var nightVision: NightVision?
    /// The levels of its picture that are set, 0…100 each, by `brightness`, `contrast`, `saturation` and `sharpness`.
    private var levels: [Key: Int] = [:]
    /// How loud its speaker is, 0…100.
    public private(set) var speakerVolume: Int?

    /// Nothing is set.
    public init() {}

    /// The value of a key as a policy or vigil.yaml writes it; nil where it is not set.
    public subscript(key: Key) -> String? {
        switch key {
        case .mode: mode?.rawValue
        case .sensitivity: sensitivity.map { "\($0.rawValue)" }
        case .maxEventLength: maxEventLengthMs.map { DurationText.text(milliseconds: $0) }
        case .microphone: microphone.map { $0 ? "on" : "off" }
        case .recordedSound: recordedSound.map { $0 ? "on" : "off" }
        case .rotation: rotation.map { "\($0.rawValue)" }
        case .viewport: viewport.map { "\($0)" }
        case .nightVision: nightVision?.rawValue
        case .brightness, .contrast, .saturation, .sharpness: levels[key].map { "\($0)" }
        case .speakerVolume: speakerVolume.map { "\($0)" }
        }
    }

    /// Sets a key to what `text` says; nil: no longer.
    public mutating func set(_ key: Key, _ text: String?) throws(Unfit) {
        switch key {
        case .mode: mode = try Self.read(key, text, "off, event or continuous") { Mode(rawValue: $0) }
        case .sensitivity:
            sensitivity = try Self.read(key, text, "1, 5 or 10") { text in
                Sensitivity.allCases.first { "\($0.rawValue)" == text }
            }
        case .maxEventLength:
            maxEventLengthMs = try Self.read(key, text, "10s to 3m in whole seconds, such as 60s") { text in
                DurationText.milliseconds(text).flatMap { Self.maxEventLengthRangeMs.contains($0) ? $0 : nil }
            }
        case .microphone: microphone = try Self.readSwitch(key, text)
        case .recordedSound: recordedSound = try Self.readSwitch(key, text)
        case .rotation:
            rotation = try Self.read(key, text, "0 or 180") { text in
                Configuration.Camera.Rotation.allCases.first { "\($0.rawValue)" == text }
            }
        case .viewport: viewport = try text.map { text throws(Unfit) in try Viewport(text) }
        case .nightVision: nightVision = try Self.read(key, text, "auto, on or off") { NightVision(rawValue: $0) }
        case .brightness, .contrast, .saturation, .sharpness: levels[key] = try Self.readShare(key, text)
        case .speakerVolume: speakerVolume = try Self.readShare(key, text)
        }
    }

    private static func readShare(_ key: Key, _ text: String?) throws(Unfit) -> Int? {
        try read(key, text, "0 to 100") { text in
            Int(text).flatMap { (0...100).contains($0) && "\($0)" == text ? $0 : nil }
        }
    }

    private static func readSwitch(_ key: Key, _ text: String?) throws(Unfit) -> Bool? {
        try read(key, text, "on or off") { $0 == "on" ? true : $0 == "off" ? false : nil }
    }

    private static func read<Value>(
        _ key: Key, _ text: String?, _ values: String, _ parse: (String) -> Value?
    ) throws(Unfit) -> Value? {
        guard let text else { return nil }
        if let value = parse(text) { return value }
        throw Unfit(what: "\(key.rawValue) is \"\(text.prefix(40))\"", remedy: "give \(values)")
    }

    /// A policy with what is set over it.
    func applied(to policy: Policy) -> Policy {
        var policy = policy
        if let mode { (policy.mode, policy.offBySchedule) = (mode, false) }
        policy.sensitivity = sensitivity ?? policy.sensitivity
        if let maxEventLengthMs {
            policy.timeControl.maxMs = maxEventLengthMs
            // No event is begun for longer than it may last.
            policy.timeControl.initialMs = min(policy.timeControl.initialMs, maxEventLengthMs)
        }
        return policy
    }
}
