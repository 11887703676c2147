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
    private let pool: CameraPool
    private let journal: Journal
    /// Told the name of a camera that has just been subscribed to: it may have been started anew.
    private let onSubscribed: @Sendable (String) -> Void
    private let configuration: ConfigurationService
    private nonisolated let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// The addresses of the streams of the cameras of each device, by name: whoever follows it looks at them.
    private nonisolated let wanted = Mutex<[CameraDevice: [String: [String]]]>([:])
    /// Devices that are followed: one with several channels once for all of its cameras.
    private var following: [CameraDevice: Task<Void, Never>] = [:]
    /// Cameras whose outage was told, and of which address.
    private var lost: [String: String] = [:]
    /// Cameras whose channel is not known, and what kind of trouble was told.
    private var unknown: [String: ONVIFError.Kind] = [:]

    /// It begins when the cameras are started, and looks at each change of theirs.
    init(
        pool: CameraPool, journal: Journal, configuration: ConfigurationService,
        onSubscribed: @escaping @Sendable (String) -> Void
    ) {
        self.onSubscribed = onSubscribed
        self.pool = pool
        self.journal = journal
        self.configuration = configuration
        pool.onApplied { [weak self] in self?.wake.yield() }
    }

    /// Follows until a stop.
    nonisolated func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in wakes { await self.settle() }
        } onGracefulShutdown: {
            self.wake.finish()
        }
        await end()
    }

    /// Begins and ends following as the configuration in force says. Other cameras of a device are followed by the subscription that it
    /// has: a new one would miss what begins meanwhile.
    private func settle() async {
        let configuration = configuration.current
        var wanted: [CameraDevice: [String: [String]]] = [:]
        for camera in configuration.cameras {
            do {
                let device = try await Blocking.always { try CameraDevice.of(camera, configuration) }
                if let device { wanted[device, default: [:]][camera.name] = camera.streams }
            } catch {
                tellLost(camera.name, camera.onvif ?? "", "\(error)")
            }
        }
        let before = self.wanted.withLock { now in
            let old = now
            now = wanted
            return old
        }
        // Another address, login or stream that fails is another outage.
        for (device, cameras) in before {
            for (camera, streams) in cameras where wanted[device]?[camera] != streams {
                (lost[camera], unknown[camera]) = (nil, nil)
            }
        }
        let gone = following.filter { wanted[$0.key] == nil }
        for (device, task) in gone {
            task.cancel()
            following[device] = nil
        }
        // Each ends its subscription, within a bound of its own: a device with another login has room for few.
        for task in gone.values { await task.value }
        for device in wanted.keys where following[device] == nil {
            let events = DeviceEvents(address: device.address, credential: device.credential, tls: device.tls) {
                [weak self] in self?.cameras(of: device) ?? [:]
            }
            following[device] = Task { await events.run { [weak self] told in await self?.told(told, of: device) } }
        }
        let named = Set(configuration.cameras.filter { $0.onvif != nil }.map(\.name))
        lost = lost.filter { named.contains($0.key) }
        unknown = unknown.filter { named.contains($0.key) }
    }

    /// The cameras that are followed at a device now.
    private nonisolated func cameras(of device: CameraDevice) -> [String: [String]] {
        wanted.withLock { $0[device] } ?? [:]
    }

    // MARK: What is told

    private func told(_ told: DeviceEvents.Told, of device: CameraDevice) {
        let address = device.address
        switch told {
        case .subscribed(let subscribed, let aheadMs):
            for camera in subscribed {
                (lost[camera], unknown[camera]) = (nil, nil)
                onSubscribed(camera)
                journal.send(
                    .onvifSubscribed, camera: camera,
                    fields: [(.url, "\(address)"), (.detail, Self.clock(aheadMs))])
            }
        case .unknown(let camera, let error):
            // It is asked again and again, and may answer something else than at first.
            if unknown.updateValue(error.kind, forKey: camera) != error.kind { lost[camera] = nil }
            tellLost(camera, "\(address)", "\(error)")
        case .source(let fact, let camera): tell(fact, camera)
        case .lost(let error, _):
            for camera in cameras(of: device).keys.sorted() { tellLost(camera, "\(address)", "\(error)") }
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
        for task in following.values { task.cancel() }
        // Each ends its subscription, within a bound of its own.
        for task in following.values { await task.value }
        following = [:]
    }
}
