internal import Journal
internal import Machines
internal import Media
internal import ONVIF
internal import Policies
internal import ServiceLifecycle
internal import Synchronization

/// Follows what the own detectors and the inputs of cameras tell by ONVIF, and tells it to their machines as sources that are on or off
/// ([onvif.md](docs/design/onvif.md)). No recording waits for it.
actor DeviceEventService: Service {
    private struct Following {
        let device: CameraDevice
        let task: Task<Void, Never>
    }

    private let pool: CameraPool
    private let journal: Journal
    /// Told the name of a camera that has just been subscribed to: it may have been started anew.
    private let onSubscribed: @Sendable (String) -> Void
    private nonisolated let loaded: Mutex<LoadedConfiguration>
    private nonisolated let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// By the names of the cameras.
    private var following: [String: Following] = [:]
    /// Cameras whose outage was told, and of which address.
    private var lost: [String: String] = [:]

    /// It begins with `configuration`, and is told of each change by it.
    init(
        pool: CameraPool, journal: Journal, configuration: ConfigurationService,
        onSubscribed: @escaping @Sendable (String) -> Void
    ) {
        self.onSubscribed = onSubscribed
        self.pool = pool
        self.journal = journal
        loaded = Mutex(configuration.loaded)
        configuration.onChange { [weak self] loaded, _ in
            self?.loaded.withLock { $0 = loaded }
            self?.wake.yield()
            return []
        }
    }

    /// Follows until a stop.
    nonisolated func run() async throws {
        wake.yield()
        await withGracefulShutdownHandler {
            for await _ in wakes { await self.settle() }
        } onGracefulShutdown: {
            self.wake.finish()
        }
        await end()
    }

    /// Begins and ends following as the configuration in force says.
    private func settle() async {
        let configuration = loaded.withLock { $0.configuration }
        var wanted: [String: CameraDevice] = [:]
        for camera in configuration.cameras {
            do {
                wanted[camera.name] = try await Blocking.always { try CameraDevice.of(camera, configuration) }
            } catch {
                tellLost(camera.name, camera.onvif ?? "", "\(error)")
            }
        }
        for (camera, one) in following where wanted[camera] != one.device {
            one.task.cancel()
            following[camera] = nil
            // Another address or login that fails is another outage.
            if wanted[camera] != nil { lost[camera] = nil }
        }
        for (camera, device) in wanted where following[camera] == nil {
            let events = DeviceEvents(address: device.address, credential: device.credential, tls: device.tls)
            let task = Task {
                await events.run { [weak self] told in await self?.told(told, camera, device.address) }
            }
            following[camera] = Following(device: device, task: task)
        }
        let named = Set(configuration.cameras.filter { $0.onvif != nil }.map(\.name))
        lost = lost.filter { named.contains($0.key) }
    }

    // MARK: What is told

    private func told(_ told: DeviceEvents.Told, _ camera: String, _ address: ServiceAddress) {
        switch told {
        case .subscribed(let aheadMs):
            lost[camera] = nil
            onSubscribed(camera)
            journal.send(
                .onvifSubscribed, camera: camera,
                fields: [(.url, "\(address)"), (.detail, Self.clock(aheadMs))])
        case .source(let fact): tell(fact, camera)
        case .lost(let error, _): tellLost(camera, "\(address)", "\(error)")
        }
    }

    private func tell(_ fact: DeviceSources.Fact, _ camera: String) {
        guard let runtime = pool.camera(camera) else { return }
        switch fact {
        case .on(let name):
            // Sources beyond the bound were never on for the machine.
            guard let number = runtime.shell.sources.number(of: name, staleMs: DeviceEvents.staleMs) else { return }
            runtime.actor.inbox.tell(.asserted(number, staleMs: DeviceEvents.staleMs))
        case .off(let name):
            guard let number = runtime.shell.sources.number(of: name, staleMs: nil) else { return }
            runtime.actor.inbox.tell(.cleared(number))
        }
    }

    /// Tells an outage once.
    private func tellLost(_ camera: String, _ address: String, _ why: String) {
        guard lost.updateValue(address, forKey: camera) != address else { return }
        journal.send(.onvifLost, camera: camera, fields: [(.url, address), (.why, why)])
    }

    /// What is to be known of the device's clock, in words.
    private static func clock(_ aheadMs: Int64?) -> String {
        guard let aheadMs else { return "it tells no time" }
        let seconds = aheadMs.magnitude / 1_000
        guard seconds >= 5 else { return "its clock agrees with this machine's" }
        return "its clock is \(seconds) s \(aheadMs > 0 ? "ahead of" : "behind") this machine's"
    }

    private func end() async {
        for one in following.values { one.task.cancel() }
        // Each ends its subscription, within a bound of its own.
        for one in following.values { await one.task.value }
        following = [:]
    }
}
