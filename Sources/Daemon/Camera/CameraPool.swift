internal import Machines
internal import ServiceLifecycle
internal import Synchronization

/// All cameras of the site. Runs each one's actor; a graceful shutdown drains them all and waits until each has stopped,
/// which their machines' bounds make certain.
final class CameraPool: Service {
    private let cameras = Mutex<[String: CameraRuntime]>([:])
    private let starts: AsyncStream<CameraRuntime>
    private let continuation: AsyncStream<CameraRuntime>.Continuation

    init() { (starts, continuation) = AsyncStream.makeStream() }

    /// The cameras by name.
    var all: [CameraRuntime] { cameras.withLock { $0.values.sorted { $0.name < $1.name } } }

    /// One camera; nil if there is none of that name.
    func camera(_ name: String) -> CameraRuntime? { cameras.withLock { $0[name] } }

    /// Adds a camera and starts it.
    func add(_ camera: CameraRuntime) {
        cameras.withLock { $0[camera.name] = camera }
        camera.actor.start()
        continuation.yield(camera)
    }

    /// Drains a camera and forgets it; what it owes is still done.
    func remove(_ name: String) {
        cameras.withLock { $0.removeValue(forKey: name) }?.actor.inbox.tell(.drain)
    }

    /// Tells every camera.
    func tell(_ event: Camera.Event) { for camera in all { camera.actor.inbox.tell(event) } }

    /// Drains all cameras; none is added any more.
    func drain() {
        tell(.drain)
        continuation.finish()
    }

    func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await camera in starts { group.addTask { await camera.actor.stopped() } }
            }
        } onGracefulShutdown: {
            self.drain()
        }
    }
}
