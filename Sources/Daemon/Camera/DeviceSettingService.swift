internal import Journal
internal import Machines
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
        pool.onApplied { [weak self] in self?.wake.yield(nil) }
    }

    /// What a camera said; nil where it has no address of ONVIF, or was not asked yet.
    func said(_ camera: String) -> Said? { known[camera] }

    /// Asks a camera soon: it may have been started anew.
    nonisolated func look(at camera: String) { wake.yield(camera) }

    /// Asks every camera when it is started, and now and then, until a stop.
    nonisolated func run() async throws {
        let ticking = Task {
            while (try? await Task.sleep(for: .milliseconds(Self.everyMs))) != nil { wake.yield(nil) }
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

    /// Sets values at a camera, reads them back, then calls `keep`, which writes them down; of two who set at a time the later one
    /// holds in both places. All or nothing: where one is not taken, or `keep` throws, what was set is set back. Throws
    /// `ONVIFError`, ``DeviceConversation/Refusal``, ``DeviceBusy`` and what `keep` throws.
    func set<Answer: Sendable>(
        _ camera: CameraRuntime, _ device: CameraDevice, _ values: [(key: CameraSettings.Key, value: String)],
        keep: @escaping @Sendable (DeviceSettings) async throws -> Answer
    ) async throws -> Answer {
        let streams = camera.assignment.camera.streams
        return try await inTurn(camera.name) { service in
            do {
                return try await DeviceConversation.with(device, streams: streams) { conversation in
                    try await service.set(camera.name, conversation, values, keep)
                }
            } catch let unkept as Unkept {
                await service.restore(unkept, device, camera.name)
                throw unkept.why
            }
        }
    }

    /// That an order was not kept, and what of it is to be set back.
    private struct Unkept: Error {
        let why: any Error
        let source: String?
        /// What the camera said before.
        let before: DeviceSettings
        /// What was set, or may have been.
        let keys: [CameraSettings.Key]
    }

    /// Does the order in one conversation, and sets nothing back. Throws ``Unkept`` once anything may be set.
    private func set<Answer: Sendable>(
        _ name: String, _ conversation: DeviceConversation, _ values: [DeviceConversation.Value],
        _ keep: @Sendable (DeviceSettings) async throws -> Answer
    ) async throws -> Answer {
        let before = try await conversation.read()
        for (key, value) in values { try conversation.check(key, value, before) }
        var (now, done) = (before, [CameraSettings.Key]())
        do {
            for group in DeviceConversation.groups(values.filter { !before.agrees(with: $0.value, of: $0.key) }) {
                done += group.map(\.key)
                let result = try await conversation.set(group, now)
                done.removeAll { key in result.refusals.contains { $0.key == key && $0.isUnchanged } }
                if let refusal = result.refusals.first { throw refusal }
                now = result.now
            }
            let answer = try await keep(before)
            note(now, name)
            return answer
        } catch {
            throw Unkept(why: error, source: conversation.source, before: before, keys: done)
        }
    }

    /// Sets back what an order has set, also where whoever gave it has gone meanwhile. Where that fails the camera is asked soon how
    /// it is set.
    private func restore(_ unkept: Unkept, _ device: CameraDevice, _ name: String) async {
        guard !unkept.keys.isEmpty else { return }
        let restoring = Task {
            try await DeviceConversation.restore(device, source: unkept.source, unkept.before, unkept.keys)
        }
        do { try await restoring.value } catch { wake.yield(name) }
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
                let said = try await conversation.read()
                self.note(said, name)
                try await self.restore(camera, conversation, said)
            }
            return true
        } catch {
            if !Task.isCancelled { known[name, default: Said()].problem = "\(error)" }
            return false
        }
    }

    /// Sets anew what the camera says otherwise. What it refuses is told once.
    private func restore(
        _ camera: CameraRuntime, _ conversation: DeviceConversation, _ said: DeviceSettings
    ) async throws {
        let name = camera.name
        var (lost, refused) = ([DeviceConversation.Value](), [(DeviceConversation.Refusal, value: String)]())
        for key in CameraSettings.Key.allCases where key.isOfDevice {
            // As it is set now: whoever sets it waits for this.
            guard let value = camera.assignment.settings[key] else { continue }
            guard !said.agrees(with: value, of: key) else {
                told[name]?[key] = nil
                continue
            }
            do throws(DeviceConversation.Refusal) {
                try conversation.check(key, value, said)
                lost.append((key: key, value: value))
            } catch { refused.append((error, value: value)) }
        }
        var now = said
        for group in DeviceConversation.groups(lost) {
            let result = try await conversation.set(group, now)
            now = result.now
            note(now, name)
            for (key, value) in group where !result.refusals.contains(where: { $0.key == key }) {
                told[name]?[key] = nil
                journal.send(
                    .deviceSettingRestored, camera: name,
                    fields: [(.setting, key.rawValue), (.from, said[key] ?? "nothing"), (.to, value)])
            }
            for refusal in result.refusals {
                if let value = group.first(where: { $0.key == refusal.key })?.value {
                    refused.append((refusal, value: value))
                }
            }
        }
        // Last, since what is noted meanwhile has no problem.
        for (refusal, value) in refused { tell(refusal, value, name) }
    }

    private func tell(_ refusal: DeviceConversation.Refusal, _ value: String, _ name: String) {
        let (key, why) = (refusal.key, "\(refusal)")
        known[name, default: Said()].problem = "\(key.rawValue) \(value): \(why)"
        guard told[name, default: [:]].updateValue(why, forKey: key) != why else { return }
        journal.send(
            .deviceSettingRefused, camera: name, fields: [(.setting, key.rawValue), (.to, value), (.why, why)])
    }

    private func note(_ settings: DeviceSettings, _ name: String) {
        known[name] = Said(settings: settings, wallMs: clock.wallMs())
    }
}
