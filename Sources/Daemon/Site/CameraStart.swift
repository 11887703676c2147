internal import Catalog
internal import Policies
internal import ServiceLifecycle
internal import Synchronization

/// Starts the cameras once every listener takes connections: where one cannot, no camera is dialled.
final class CameraStart: Service {
    private let running: RunningSite
    private let configuration: ConfigurationService
    private let listeners: Listeners
    private let onReady: @Sendable (_ cameras: Int) -> Void
    private let done = Mutex(false)

    /// Calls `onReady` with the number of cameras when they are started.
    init(
        running: RunningSite, configuration: ConfigurationService, listeners: Listeners,
        onReady: @escaping @Sendable (_ cameras: Int) -> Void
    ) {
        self.running = running
        self.configuration = configuration
        self.listeners = listeners
        self.onReady = onReady
    }

    /// Whether every camera is started.
    var isDone: Bool { done.withLock { $0 } }

    func run() async throws {
        await cancelWhenGracefulShutdown { await self.listeners.areUp() }
        guard !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
        let cameras = try await Blocking.always { [running, configuration] in
            let started = running.start()
            let measures = SiteMeasures(catalog: running.catalog, root: running.catalog.rootPath)
            configuration.onMeasure { loaded in
                let examiner = Examiner()
                return examiner.examine(loaded, facts: measures.facts())
                    + examiner.clockChanges(loaded.policies.values, zone: loaded.configuration.timeZone)
            }
            return started.count
        }
        done.withLock { $0 = true }
        onReady(cameras)
        try? await gracefulShutdown()
    }
}
