internal import ONVIF
internal import Policies

/// What a camera itself says of what can be set of it by ONVIF.
struct DeviceSettings: Hashable, Sendable {
    /// How it sees at night; nil where it has no filter that can be moved.
    var nightVision: NightVision?
    /// The levels of its picture, as far as it tells which it has.
    var levels: [PictureLevel.Part: PictureLevel] = [:]
    /// Its speaker; nil where it has none.
    var speaker: SpeakerConfiguration?

    /// The value of a key as settings are written; nil where the camera has none, or the key is Vigil's own.
    subscript(key: CameraSettings.Key) -> String? {
        switch key {
        case .nightVision: nightVision?.rawValue
        case .brightness, .contrast, .saturation, .sharpness: pictureLevel(key).map { "\($0.share)" }
        case .speakerVolume: speaker.map { "\($0.volume)" }
        case .mode, .sensitivity, .maxEventLength, .microphone, .recordedSound, .rotation, .viewport: nil
        }
    }

    private func pictureLevel(_ key: CameraSettings.Key) -> PictureLevel? { key.part.flatMap { levels[$0] } }

    /// Whether it says what `value` sets. Of a volume and of the picture the nearest level that the camera has counts.
    func agrees(with value: String, of key: CameraSettings.Key) -> Bool {
        if let level = pictureLevel(key), let share = Int(value) { return level.agrees(share: share) }
        if key == .speakerVolume, let speaker, let volume = Int(value) {
            return speaker.level(volume: volume) == speaker.level
        }
        return self[key] == value
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

/// A conversation with the device of one camera about what can be set of it.
struct DeviceConversation: Sendable {
    /// That the camera does not take a value.
    enum Refusal: Error, Hashable, Sendable {
        /// It has nothing of the kind.
        case absent(CameraSettings.Key)
        /// It can be set to these alone.
        case notOffered(CameraSettings.Key, offered: [String])
        /// It took the order and says otherwise.
        case otherwise(CameraSettings.Key, says: String)
    }

    /// How long a conversation may take, in milliseconds.
    static let boundMs: Int64 = 30_000
    /// How long of that the camera's channel is looked for, in milliseconds.
    static let channelMs: Int64 = 15_000

    private let client: DeviceClient
    /// The video source; nil where the device tells none.
    private let source: String?

    /// Connects to a device and lets `body` ask it; `addresses` are those of the camera's streams. Throws `ONVIFError` and what
    /// `body` throws.
    static func with<Answer: Sendable>(
        _ device: CameraDevice, streams addresses: [String], isolation: isolated (any Actor)? = #isolation,
        _ body: (DeviceConversation) async throws -> Answer
    ) async throws -> Answer {
        let client = DeviceClient(
            address: device.address, credential: device.credential, tls: device.tls, boundMs: boundMs)
        do {
            try await client.connect()
            let source = try await unlessRefused {
                try await client.videoSource(of: addresses, within: Self.channelMs)
            }
            let answer = try await body(DeviceConversation(client: client, source: source))
            await client.shutdown()
            return answer
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// What the device answers; nil where it refuses this one operation.
    private static func unlessRefused<Answer: Sendable>(
        _ ask: @Sendable () async throws -> Answer
    ) async throws -> Answer? {
        do { return try await ask() } catch let error as ONVIFError where error.isOfOneOperation { return nil }
    }

    /// What the camera says now. What it refuses to tell it does not have.
    func read() async throws -> DeviceSettings {
        var settings = DeviceSettings()
        if let source {
            let told = try await Self.unlessRefused { try await client.nightVision(source) }
            settings.nightVision = told.flatMap { $0 }
            settings.levels = try await Self.unlessRefused { try await client.pictureLevels(source) } ?? [:]
        }
        settings.speaker = try await client.speaker()
        return settings
    }

    /// Throws where the camera has no such value.
    func check(_ key: CameraSettings.Key, _ value: String, _ now: DeviceSettings) async throws {
        guard now[key] != nil else { throw Refusal.absent(key) }
        guard key == .nightVision, let source else { return }
        // Where it does not tell what it offers, it says so when it is set.
        let offered = try await Self.unlessRefused { try await client.nightVisionChoices(source) } ?? []
        if !offered.isEmpty, !offered.contains(where: { $0.rawValue == value }) {
            throw Refusal.notOffered(key, offered: offered.map(\.rawValue).sorted())
        }
    }

    /// Sets a value and gives what the camera says then. Throws where it says otherwise.
    func set(_ key: CameraSettings.Key, _ value: String, _ now: DeviceSettings) async throws -> DeviceSettings {
        if key == .nightVision, let source, let nightVision = NightVision(rawValue: value) {
            try await client.set(nightVision, of: source)
        } else if key == .speakerVolume, let speaker = now.speaker, let volume = Int(value) {
            try await client.set(level: speaker.level(volume: volume), of: speaker)
        } else if let part = key.part, let level = now.levels[part], let source, let share = Int(value) {
            try await client.set(part, to: share, from: level, of: source)
        } else {
            throw Refusal.absent(key)
        }
        let said = try await read()
        guard said.agrees(with: value, of: key) else { throw Refusal.otherwise(key, says: said[key] ?? "nothing") }
        return said
    }
}
