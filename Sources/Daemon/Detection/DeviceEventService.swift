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
        /// The addresses of the streams of its cameras, by name.
        let cameras: [String: [String]]
        let task: Task<Void, Never>
    }

    private let pool: CameraPool
    private let journal: Journal
    /// Told the name of a camera that has just been subscribed to: it may have been started anew.
    private let onSubscribed: @Sendable (String) -> Void
    private nonisolated let loaded: Mutex<LoadedConfiguration>
    private nonisolated let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Devices that are followed: one with several channels once for all of its cameras.
    private var following: [CameraDevice: Following] = [:]
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
        var wanted: [CameraDevice: [String: [String]]] = [:]
        for camera in configuration.cameras {
            do {
                let device = try await Blocking.always { try CameraDevice.of(camera, configuration) }
                if let device { wanted[device, default: [:]][camera.name] = camera.streams }
            } catch {
                tellLost(camera.name, camera.onvif ?? "", "\(error)")
            }
        }
        for (device, one) in following where wanted[device] != one.cameras {
            one.task.cancel()
            following[device] = nil
            // Another address or login that fails is another outage.
            for camera in one.cameras.keys where wanted[device]?[camera] != one.cameras[camera] { lost[camera] = nil }
        }
        for (device, cameras) in wanted where following[device] == nil {
            let events = DeviceEvents(
                address: device.address, credential: device.credential, tls: device.tls, cameras: cameras)
            let task = Task {
                await events.run { [weak self] told in await self?.told(told, cameras.keys.sorted(), device.address) }
            }
            following[device] = Following(cameras: cameras, task: task)
        }
        let named = Set(configuration.cameras.filter { $0.onvif != nil }.map(\.name))
        lost = lost.filter { named.contains($0.key) }
    }

    // MARK: What is told

    private func told(_ told: DeviceEvents.Told, _ cameras: [String], _ address: ServiceAddress) {
        switch told {
        case .subscribed(let cameras, let aheadMs):
            for camera in cameras {
                lost[camera] = nil
                onSubscribed(camera)
                journal.send(
                    .onvifSubscribed, camera: camera,
                    fields: [(.url, "\(address)"), (.detail, Self.clock(aheadMs))])
            }
        case .unknown(let camera, let error): tellLost(camera, "\(address)", "\(error)")
        case .source(let fact, let camera): tell(fact, camera)
        case .lost(let error, _): for camera in cameras { tellLost(camera, "\(address)", "\(error)") }
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
