internal import Catalog
internal import Machines

/// What people and controllers switch at a camera.
struct Switches: Hashable, Sendable {
    /// The recording toggle.
    var enabled: Bool
    /// The privacy switches.
    var privacy: Privacy

    /// One switch, by the key under which it is kept.
    subscript(key: CameraOverride.Key) -> Bool {
        get {
            switch key {
            case .enabled: enabled
            case .hard: privacy.hard
            case .softRecording: privacy.softRecording
            case .softLive: privacy.softLive
            }
        }
        set {
            switch key {
            case .enabled: enabled = newValue
            case .hard: privacy.hard = newValue
            case .softRecording: privacy.softRecording = newValue
            case .softLive: privacy.softLive = newValue
            }
        }
    }
}
