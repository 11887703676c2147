internal import ONVIF
internal import Policies

/// A conversation with the device of one camera about what can be set of it.
struct DeviceConversation: Sendable {
    /// That the camera does not take a value.
    enum Refusal: Error, Hashable, Sendable {
        /// It has nothing of the kind.
        case absent(CameraSettings.Key)
        /// It can be set to these alone.
        case notOffered(CameraSettings.Key, offered: [String])
        /// It refuses the order.
        case refused(CameraSettings.Key, ONVIFError)
        /// It took the order and says otherwise.
        case otherwise(CameraSettings.Key, says: String)
    }

    /// A key with its value as settings are written.
    typealias Value = (key: CameraSettings.Key, value: String)

    /// How long a conversation may take, in milliseconds.
    static let boundMs: Int64 = 30_000
    /// How long of that the camera's channel is looked for, in milliseconds.
    static let channelMs: Int64 = 15_000
    /// How long it may take to set back what was set, in milliseconds.
    static let restoreMs: Int64 = 20_000

    private let client: DeviceClient
    /// The video source; nil where the device tells none.
    let source: String?

    /// Connects to a device and lets `body` ask it; `addresses` are those of the camera's streams. Throws `ONVIFError` and what
    /// `body` throws.
    static func with<Answer: Sendable>(
        _ device: CameraDevice, streams addresses: [String], isolation: isolated (any Actor)? = #isolation,
        _ body: (DeviceConversation) async throws -> Answer
    ) async throws -> Answer {
        try await connected(device, boundMs: boundMs) { client in
            let source = try await unlessRefused {
                try await client.videoSource(of: addresses, within: Self.channelMs)
            }
            return try await body(DeviceConversation(client: client, source: source))
        }
    }

    /// Sets `keys` of a video source, and of the speaker, back to what the device said in an earlier conversation: that one may
    /// have no time left. Throws `ONVIFError` and ``Refusal`` where not all of them were set.
    static func restore(
        _ device: CameraDevice, source: String?, _ before: DeviceSettings, _ keys: [CameraSettings.Key]
    ) async throws {
        try await connected(device, boundMs: restoreMs) { client in
            try await DeviceConversation(client: client, source: source).restore(before, keys)
        }
    }

    private static func connected<Answer: Sendable>(
        _ device: CameraDevice, boundMs: Int64, isolation: isolated (any Actor)? = #isolation,
        _ body: (DeviceClient) async throws -> Answer
    ) async throws -> Answer {
        let client = DeviceClient(
            address: device.address, credential: device.credential, tls: device.tls, boundMs: boundMs)
        do {
            try await client.connect()
            let answer = try await body(client)
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

    /// Why the device refuses an order; nil where it takes it. Throws where it cannot be asked at all.
    private static func refusal(_ order: @Sendable () async throws -> Void) async throws -> ONVIFError? {
        do { try await order() } catch let error as ONVIFError where error.isOfOneOperation { return error }
        return nil
    }

    // MARK: Reading

    /// What the camera says now. What it refuses to tell it does not have.
    func read() async throws -> DeviceSettings {
        var settings = DeviceSettings()
        if let source {
            let told = try await Self.unlessRefused { try await client.imaging(of: source) }
            settings.imaging = told.flatMap { $0 }
        }
        settings.speaker = try await client.speaker()
        return settings
    }

    /// What it says after `keys` were set; of the others it is not asked anew.
    private func read(after before: DeviceSettings, _ keys: [CameraSettings.Key]) async throws -> DeviceSettings {
        var settings = before
        if let source, let imaging = before.imaging, keys.contains(where: { $0 != .speakerVolume }) {
            settings.imaging = try await Self.unlessRefused { try await client.imaging(of: source, after: imaging) }
        }
        if let speaker = before.speaker, keys.contains(.speakerVolume) {
            settings.speaker = try await client.speaker(after: speaker)
        }
        return settings
    }

    // MARK: Setting

    /// Throws where the camera has no such value.
    func check(_ key: CameraSettings.Key, _ value: String, _ now: DeviceSettings) throws(Refusal) {
        guard now[key] != nil else { throw .absent(key) }
        guard key == .nightVision, let offered = now.imaging?.nightVisionChoices else { return }
        // Where it does not tell what it offers, it says so when it is set.
        if !offered.isEmpty, !offered.contains(where: { $0.rawValue == value }) {
            throw .notOffered(key, offered: offered.map(\.rawValue).sorted())
        }
    }

    /// What is set by one call of ``set(_:_:)`` each: the picture, and the speaker.
    static func groups(_ values: [Value]) -> [[Value]] {
        [values.filter { $0.key != .speakerVolume }, values.filter { $0.key == .speakerVolume }].filter { !$0.isEmpty }
    }

    /// Sets values, and gives what the camera says then, and which of them it does not take. `now` is what it said before. All of
    /// the picture is set at once, and read back; each key by itself where the device refuses that or sets some alone. Throws
    /// `ONVIFError` where it does not answer: what was set of them is not known then.
    func set(_ values: [Value], _ now: DeviceSettings) async throws -> (now: DeviceSettings, refusals: [Refusal]) {
        var (said, refusals, changes) = (now, [Refusal](), [Change]())
        for (key, value) in values {
            if let change = now.change(key, to: value) {
                changes.append((key: key, change: change))
            } else if key == .speakerVolume, let speaker = now.speaker, let volume = Int(value) {
                refusals += try await set(speaker, level: speaker.level(volume: volume))
                if refusals.isEmpty { said = try await read(after: said, [key]) }
            } else {
                refusals.append(.absent(key))
            }
        }
        let result = try await set(changes, said) { said, key in
            values.contains { $0.key == key && said.agrees(with: $0.value, of: key) }
        }
        (said, refusals) = (result.now, refusals + result.refusals)
        for (key, value) in values where !said.agrees(with: value, of: key) {
            if refusals.contains(where: { $0.key == key }) { continue }
            refusals.append(.otherwise(key, says: said[key] ?? "nothing"))
        }
        return (said, refusals)
    }

    /// What is to be set of the picture for a key.
    private typealias Change = (key: CameraSettings.Key, change: ImagingChange)

    /// Changes the picture at once, or key by key where the device refuses that, or where it sets some of several alone. What it says
    /// then, and what it refuses. `holds`: whether it says what a key is to be set to.
    private func set(
        _ changes: [Change], _ now: DeviceSettings, _ holds: (DeviceSettings, CameraSettings.Key) -> Bool
    ) async throws -> (now: DeviceSettings, refusals: [Refusal]) {
        guard let source, !changes.isEmpty else { return (now, []) }
        var (rest, said) = (changes, now)
        let whole = ImagingChange(changes.map(\.change))
        if let error = try await Self.refusal({ try await client.set(whole, of: source) }) {
            if changes.count == 1 { return (now, [.refused(changes[0].key, error)]) }
        } else {
            said = try await read(after: now, changes.map(\.key))
            rest = changes.filter { !holds(said, $0.key) }
            if rest.isEmpty || changes.count == 1 { return (said, []) }
        }
        var refusals: [Refusal] = []
        for (key, change) in rest {
            let error = try await Self.refusal { try await client.set(change, of: source) }
            if let error { refusals.append(.refused(key, error)) }
        }
        return (try await read(after: said, rest.map(\.key)), refusals)
    }

    private func set(_ speaker: SpeakerConfiguration, level: Int) async throws -> [Refusal] {
        let error = try await Self.refusal { try await client.set(level: level, of: speaker) }
        return error.map { [.refused(.speakerVolume, $0)] } ?? []
    }

    /// Sets back what can be. Throws the first refusal after that.
    private func restore(_ before: DeviceSettings, _ keys: [CameraSettings.Key]) async throws {
        var refusals: [Refusal] = []
        if keys.contains(.speakerVolume), let speaker = before.speaker {
            refusals += try await set(speaker, level: speaker.level)
        }
        let changes = keys.compactMap { key in before.changeBack(key).map { (key: key, change: $0) } }
        refusals += try await set(changes, before) { $0.changeBack($1) == before.changeBack($1) }.refusals
        if let refusal = refusals.first { throw refusal }
    }
}

extension DeviceConversation.Refusal: CustomStringConvertible {
    /// What it is about.
    var key: CameraSettings.Key {
        switch self {
        case .absent(let key), .notOffered(let key, _), .refused(let key, _), .otherwise(let key, _): key
        }
    }

    /// Whether nothing was changed of the key.
    var isUnchanged: Bool {
        switch self {
        case .absent, .notOffered: true
        case .refused: !isForeign
        case .otherwise: false
        }
    }

    /// Whether its answer is none that is taken.
    var isForeign: Bool {
        switch self {
        case .refused(_, let error): error.kind == .foreign
        case .absent, .notOffered, .otherwise: false
        }
    }

    /// What is the matter, without a capital and a stop.
    var description: String {
        switch self {
        case .absent: "the camera has nothing of the kind that ONVIF can set"
        case .notOffered(_, let offered): "the camera offers \(offered.joined(separator: ", ")) alone"
        case .refused(_, let error): "\(error.operation): \(error.cause)"
        case .otherwise(_, let says): "the camera took the order and says \(says)"
        }
    }

    /// What to do about it, the same way.
    var remedy: String {
        switch self {
        case .absent: "set it on the camera's own page; newer firmware may have it"
        case .notOffered(_, let offered): "give \(offered.joined(separator: " or "))"
        case .refused(_, let error): error.remedy
        case .otherwise: "look on the camera's own page whether something else sets it there"
        }
    }
}
