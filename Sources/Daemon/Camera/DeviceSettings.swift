internal import ONVIF
internal import Policies

/// What a camera itself says of what can be set of it by ONVIF.
struct DeviceSettings: Hashable, Sendable {
    /// How it makes its picture; nil where it has nothing of that that can be set, or does not tell.
    var imaging: DeviceImaging?
    /// Its speaker; nil where it has none.
    var speaker: SpeakerConfiguration?

    /// The value of a key as settings are written; nil where the camera has none, or the key is Vigil's own.
    subscript(key: CameraSettings.Key) -> String? {
        switch key {
        case .nightVision: imaging?.nightVision?.rawValue
        case .brightness, .contrast, .saturation, .sharpness: pictureLevel(key).map { "\($0.share)" }
        case .speakerVolume: speaker.map { "\($0.volume)" }
        case .mode, .sensitivity, .maxEventLength, .microphone, .recordedSound, .rotation, .viewport: nil
        }
    }

    private func pictureLevel(_ key: CameraSettings.Key) -> PictureLevel? { key.part.flatMap { imaging?.levels[$0] } }

    /// Whether it says what `value` sets. Of a volume and of the picture the nearest level that the camera has counts.
    func agrees(with value: String, of key: CameraSettings.Key) -> Bool {
        if let level = pictureLevel(key), let share = Int(value) { return level.agrees(share: share) }
        if key == .speakerVolume, let speaker, let volume = Int(value) {
            return speaker.level(volume: volume) == speaker.level
        }
        return self[key] == value
    }

    /// What sets a key of the picture to `value`; nil where the key is another one, or the camera has nothing of the kind.
    func change(_ key: CameraSettings.Key, to value: String) -> ImagingChange? {
        if key == .nightVision, imaging?.nightVision != nil {
            return NightVision(rawValue: value).map { ImagingChange($0) }
        }
        guard let part = key.part, let level = pictureLevel(key), let share = Int(value) else { return nil }
        return ImagingChange(part, of: level, share: share)
    }

    /// What sets a key of the picture back to what the camera says here, to the very number of a level; nil as above.
    func changeBack(_ key: CameraSettings.Key) -> ImagingChange? {
        if key == .nightVision { return imaging?.nightVision.map { ImagingChange($0) } }
        guard let part = key.part, let level = pictureLevel(key) else { return nil }
        return ImagingChange(part, backTo: level)
    }
}

extension CameraSettings.Key {
    /// The part of the picture that it sets; nil where it sets none.
    fileprivate var part: PictureLevel.Part? {
        switch self {
        case .brightness: .brightness
        case .contrast: .contrast
        case .saturation: .saturation
        case .sharpness: .sharpness
        case .mode, .sensitivity, .maxEventLength, .microphone, .recordedSound, .rotation, .viewport, .nightVision,
            .speakerVolume:
            nil
        }
    }
}
