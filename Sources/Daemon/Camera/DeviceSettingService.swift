internal import Journal
internal import Machines
internal import ONVIF
internal import Policies
internal import ServiceLifecycle
internal import Synchronization

/// Sets what can be set of cameras themselves, by ONVIF, and sees to it that it stays (docs/design/settings.md). No recording
/// waits for it.
actor DeviceSettingService: Service {
    /// What a camera said of itself when it was last asked.
    struct Said: Hashable, Sendable {
        /// What it said; of an earlier time where it did not answer since.
        var settings = DeviceSettings()
        /// When it said so, UTC epoch milliseconds; nil: never.
        var wallMs: Int64?
        /// Why it did not answer, or does not take what is set; nil where all is well.
        var problem: String?
    }

    /// How often each camera is asked, in milliseconds.
    static let everyMs: Int64 = 300_000
    /// After how long a camera that did not answer is asked again, in milliseconds; doubled each time, up to `everyMs`.
    static let retryMs: Int64 = 10_000
    /// How many orders of one camera may wait.
    static let waitingMax = 8
    /// How many cameras may wait to be asked out of turn; beyond, they are asked when all are.
    private static let wakesMax = 1_024

    private let pool: CameraPool
    private let journal: Journal
    private let clock: any Clocks
    private let configuration: ConfigurationService
    private nonisolated let (wakes, wake) = AsyncStream.makeStream(
        of: String?.self, bufferingPolicy: .bufferingNewest(DeviceSettingService.wakesMax))
    /// By the names of the cameras, as all that follows.
    private var known: [String: Said] = [:]
    /// The order that came last; the next one waits for it.
    private var last: [String: Task<Void, Never>] = [:]
    private var waiting: [String: Int] = [:]
    private var looks: [String: Task<Void, Never>] = [:]
    /// To be asked once more: a wake came while they were asked.
    private var again: Set<String> = []
    /// What waits until a camera that did not answer is asked again, and for how long, in milliseconds.
    private var retries: [String: (task: Task<Void, any Error>, afterMs: Int64)] = [:]
    /// Refusals that were told, by camera and key.
    private var told: [String: [CameraSettings.Key: String]] = [:]

    init(pool: CameraPool, journal: Journal, clock: any Clocks, configuration: ConfigurationService) {
        (self.pool, self.journal, self.clock, self.configuration) = (pool, journal, clock, configuration)
        configuration.onChange { [weak self] _, _ in
            self?.wake.yield(nil)
            return []
        }
    }

    /// What a camera said; nil where it has no address of ONVIF, or was not asked yet.
    func said(_ camera: String) -> Said? { known[camera] }

    /// Asks a camera soon: it may have been started anew.
    nonisolated func look(at camera: String) { wake.yield(camera) }

    /// Asks every camera now and then until a stop.
    nonisolated func run() async throws {
        let ticking = Task {
            while !Task.isCancelled {
                wake.yield(nil)
                try? await Task.sleep(for: .milliseconds(Self.everyMs))
            }
        }
        await withGracefulShutdownHandler {
            for await camera in wakes { await self.begin(camera) }
        } onGracefulShutdown: {
            self.wake.finish()
        }
        ticking.cancel()
        await end()
    }

    private func begin(_ camera: String?) {
        let names = camera.map { [$0] } ?? pool.all.map(\.name)
        if camera == nil {
            let there = Set(names)
            for name in Array(known.keys) where !there.contains(name) { (known[name], told[name]) = (nil, nil) }
        }
        for name in names {
            guard looks[name] == nil else {
                again.insert(name)
                continue
            }
            retries[name]?.task.cancel()
            looks[name] = Task {
                let answered = (try? await inTurn(name) { await $0.settle(name) }) ?? false
                looks[name] = nil
                if answered { retries[name] = nil } else if !Task.isCancelled { retry(name) }
                if again.remove(name) != nil { wake.yield(name) }
            }
        }
    }

    /// Asks a camera that did not answer again later. Where that is as late as when all are asked, it is asked then.
    private func retry(_ name: String) {
        let afterMs = retries[name].map { $0.afterMs * 2 } ?? Self.retryMs
        guard afterMs < Self.everyMs else { return }
        let task = Task { [wake] in
            try await Task.sleep(for: .milliseconds(afterMs))
            wake.yield(name)
        }
        retries[name] = (task, afterMs)
    }

    private func end() async {
        for retry in retries.values { retry.task.cancel() }
        for look in looks.values { look.cancel() }
        for look in looks.values { await look.value }
    }

    // MARK: Orders

    /// Does `work` after what waits for the camera already. Throws ``DeviceBusy`` where too much waits.
    private func inTurn<Answer: Sendable>(
        _ camera: String, _ work: @escaping @Sendable (isolated DeviceSettingService) async throws -> Answer
    ) async throws -> Answer {
        guard waiting[camera, default: 0] < Self.waitingMax else { throw DeviceBusy(waiting: Self.waitingMax) }
        waiting[camera, default: 0] += 1
        let before = last[camera]
        let order = Task {
            await before?.value
            return try await work(self)
        }
        last[camera] = Task { _ = await order.result }
        defer {
            waiting[camera, default: 1] -= 1
            if waiting[camera] == 0 { (waiting[camera], last[camera]) = (nil, nil) }
        }
        return try await withTaskCancellationHandler {
            try await order.value
        } onCancel: {
            order.cancel()
        }
    }

    /// Sets values at a camera, each read back, then calls `keep`, which writes them down; of two who set at a time the later one
    /// holds in both places. All or nothing: where one is not taken, or `keep` throws, those before it are set back. Throws
    /// `ONVIFError`, ``DeviceConversation/Refusal``, ``DeviceBusy`` and what `keep` throws.
    func set<Answer: Sendable>(
        _ camera: CameraRuntime, _ device: CameraDevice, _ values: [(key: CameraSettings.Key, value: String)],
        keep: @escaping @Sendable (DeviceSettings) async throws -> Answer
    ) async throws -> Answer {
        let streams = camera.assignment.camera.streams
        return try await inTurn(camera.name) { service in
            try await DeviceConversation.with(device, streams: streams) { conversation in
                let before = try await conversation.read()
                for (key, value) in values { try await conversation.check(key, value, before) }
                var (now, done) = (before, [CameraSettings.Key]())
                do {
                    for (key, value) in values where !now.agrees(with: value, of: key) {
                        done.append(key)
                        now = try await conversation.set(key, value, now)
                    }
                    let answer = try await keep(before)
                    service.note(now, camera.name)
                    return answer
                } catch {
                    for key in done { if let value = before[key] { _ = try? await conversation.set(key, value, now) } }
                    throw error
                }
            }
        }
    }

    /// Asks a camera what it is set to, and sets anew what it has lost. Whether there is nothing to ask again soon: it answered, or
    /// has no address of ONVIF.
    private func settle(_ name: String) async -> Bool {
        guard let camera = pool.camera(name) else { return true }
        let (configured, loaded) = (camera.assignment.camera, configuration.current)
        do {
            guard let device = try await Blocking.always({ try CameraDevice.of(configured, loaded) }) else {
                (known[name], told[name]) = (nil, nil)
                return true
            }
            let streams = camera.assignment.camera.streams
            try await DeviceConversation.with(device, streams: streams) { conversation in
                self.note(try await conversation.read(), name)
                for key in CameraSettings.Key.allCases where key.isOfDevice {
                    // As it is set now: whoever sets it waits for this.
                    guard let value = camera.assignment.settings[key] else { continue }
                    try await self.restore(key, value, conversation, name)
                }
            }
            return true
        } catch {
            if !Task.isCancelled { known[name, default: Said()].problem = "\(error)" }
            return false
        }
    }

    /// Sets a value anew where the camera says otherwise. What it refuses is told once.
    private func restore(
        _ key: CameraSettings.Key, _ value: String, _ conversation: DeviceConversation, _ name: String
    ) async throws {
        guard let now = known[name]?.settings, !now.agrees(with: value, of: key) else {
            told[name]?[key] = nil
            return
        }
        do {
            try await conversation.check(key, value, now)
            note(try await conversation.set(key, value, now), name)
            told[name]?[key] = nil
            journal.send(
                .deviceSettingRestored, camera: name,
                fields: [(.setting, key.rawValue), (.from, now[key] ?? "nothing"), (.to, value)])
        } catch let refusal as DeviceConversation.Refusal {
            tell("\(refusal)", key, value, name)
        } catch let error as ONVIFError where error.isOfOneOperation {
            tell("\(error)", key, value, name)
        }
    }

    private func tell(_ why: String, _ key: CameraSettings.Key, _ value: String, _ name: String) {
        known[name, default: Said()].problem = "\(key.rawValue) \(value): \(why)"
        guard told[name, default: [:]].updateValue(why, forKey: key) != why else { return }
        journal.send(
            .deviceSettingRefused, camera: name, fields: [(.setting, key.rawValue), (.to, value), (.why, why)])
    }

    private func note(_ settings: DeviceSettings, _ name: String) {
        known[name] = Said(settings: settings, wallMs: clock.wallMs())
    }
}

extension DeviceConversation.Refusal: CustomStringConvertible {
    /// What is the matter, without a capital and a stop.
    var description: String {
        switch self {
        case .absent: "the camera has nothing of the kind that ONVIF can set"
        case .notOffered(_, let offered): "the camera offers \(offered.joined(separator: ", ")) alone"
        case .otherwise(_, let says): "the camera took the order and says \(says)"
        }
    }

    /// What to do about it, the same way.
    var remedy: String {
        switch self {
        case .absent: "set it on the camera's own page; newer firmware may have it"
        case .notOffered(_, let offered): "give \(offered.joined(separator: " or "))"
        case .otherwise: "look on the camera's own page whether something else sets it there"
        }
    }
}
