/// The body of `PATCH /v1/cameras/{camera}/settings`: what is set for one camera over its policy and vigil.yaml. Values are as
/// those write them; `default` sets a key no longer, and a key that is absent stays as it is.
public struct SettingsCommand: Hashable, Sendable, Codable {
    /// The value that sets a key no longer.
    public static let standard = "default"

    /// What is recorded, whatever the schedule says: `off`, `event` or `continuous`.
    public var mode: String?
    /// How small a movement counts: `1`, `5` or `10`.
    public var sensitivity: String?
    /// The max event length, `10s` to `3m`.
    public var maxEventLength: String?
    /// Whether what the microphone hears is heard by anybody: `on` or `off`. Off: all sound that comes is silence.
    public var microphone: String?
    /// Whether sound is recorded: `on` or `off`. Live sound is not concerned.
    public var recordedSound: String?
    /// How the picture is turned, in degrees: `0` or `180`.
    public var rotation: String?
    /// The part of the picture that is shown, `x1,y1,x2,y2`: its upper left and its lower right corner in parts of the width and
    /// height of the picture as it is seen. What is recorded stays whole.
    public var viewport: String?
    /// How the camera itself sees at night: `auto`, `on` or `off`. Set at the camera, by ONVIF.
    public var nightVision: String?
    /// How bright the camera itself makes its picture, `0` to `100` of the levels that it has. Set at the camera, by ONVIF.
    public var brightness: String?
    /// With how much contrast it makes it, likewise.
    public var contrast: String?
    /// How strong the colours are that it makes, likewise.
    public var saturation: String?
    /// How sharp it makes it, likewise.
    public var sharpness: String?
    /// How loud the camera's own speaker is, `0` to `100`. Set at the camera, by ONVIF.
    public var speakerVolume: String?
    /// Refused with the reason, whatever it is: ONVIF has no operation for status lights.
    public var statusLight: String?

    /// A command that changes nothing.
    public init() {}

    /// The names of all keys that can be set, in their order.
    public static let keys = [
        "mode", "sensitivity", "maxEventLength", "microphone", "recordedSound", "rotation", "viewport", "nightVision",
        "brightness", "contrast", "saturation", "sharpness", "speakerVolume",
    ]

    /// What it sets, by the names of the keys, in their order.
    public var values: [(key: String, value: String)] {
        [
            ("mode", mode), ("sensitivity", sensitivity), ("maxEventLength", maxEventLength),
            ("microphone", microphone), ("recordedSound", recordedSound), ("rotation", rotation),
            ("viewport", viewport), ("nightVision", nightVision), ("brightness", brightness), ("contrast", contrast),
            ("saturation", saturation), ("sharpness", sharpness), ("speakerVolume", speakerVolume),
            ("statusLight", statusLight),
        ].compactMap { key, value in value.map { (key, $0) } }
    }

    /// Sets a key of that name; false where there is none.
    public mutating func set(_ key: String, _ value: String) -> Bool {
        switch key {
        case "mode": mode = value
        case "sensitivity": sensitivity = value
        case "maxEventLength": maxEventLength = value
        case "microphone": microphone = value
        case "recordedSound": recordedSound = value
        case "rotation": rotation = value
        case "viewport": viewport = value
        case "nightVision": nightVision = value
        case "brightness": brightness = value
        case "contrast": contrast = value
        case "saturation": saturation = value
        case "sharpness": sharpness = value
        case "speakerVolume": speakerVolume = value
        case "statusLight": statusLight = value
        default: return false
        }
        return true
    }
}

/// What holds for a camera, as `GET /v1/cameras/{camera}/settings` tells it.
public struct CameraSettingsInfo: Hashable, Sendable, Codable {
    /// One key.
    public struct Line: Hashable, Sendable, Codable {
        /// Its name, as in `SettingsCommand`.
        public var key: String
        /// What holds at this moment, as a policy writes it.
        public var value: String
        /// What would hold at this moment if it were not set: by the policy and its schedule, or by vigil.yaml. Of what is set at
        /// the camera itself: what the camera says.
        public var standard: String
        /// Since when it is set; absent where it is not.
        public var since: WallTime?
        /// Who set it.
        public var by: String?
        /// What the camera itself says in place of `value`; absent where it agrees, has not answered yet, or is not asked.
        public var reported: String?

        /// A line.
        public init(
            key: String, value: String, standard: String, since: WallTime? = nil, by: String? = nil,
            reported: String? = nil
        ) {
            self.reported = reported
            self.key = key
            self.value = value
            self.standard = standard
            self.since = since
            self.by = by
        }
    }

    /// What the camera itself said when it was last asked by ONVIF.
    public struct Device: Hashable, Sendable, Codable {
        /// When it answered last; absent where it never did.
        public var answered: WallTime?
        /// Why it does not answer, or does not take what is set; absent where all is well.
        public var problem: String?

        /// What it said.
        public init(answered: WallTime?, problem: String?) {
            self.answered = answered
            self.problem = problem
        }
    }

    /// The camera's name.
    public var camera: String
    /// The name of its policy.
    public var policy: String
    /// Every key, in a fixed order; of those that are set at the camera itself the ones that it has, or that are set.
    public var settings: [Line]
    /// How the camera itself answers; absent where it has no address of ONVIF or was not asked yet.
    public var device: Device?

    /// What holds.
    public init(camera: String, policy: String, settings: [Line], device: Device? = nil) {
        self.camera = camera
        self.policy = policy
        self.settings = settings
        self.device = device
    }
}
