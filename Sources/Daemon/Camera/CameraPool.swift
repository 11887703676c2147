internal import Machines
internal import Media
internal import ServiceLifecycle
internal import Synchronization

/// All cameras of the site. Runs each one's actor; a graceful shutdown drains them all and waits until each has stopped,
/// which their machines' bounds make certain.
final class CameraPool: Service {
    private struct State {
        var cameras: [String: CameraRuntime] = [:]
        /// Those that were removed and still drain.
        var leaving: [String: CameraRuntime] = [:]
        var isDraining = false
    }

    /// The dials of all cameras, also of those that were removed.
    let dials = OpenDials()
    /// Where cameras push to.
    let points = PublishingPoints()
    private let state = Mutex(State())
    private let followers = Mutex<[@Sendable () -> Void]>([])
    private let starts: AsyncStream<CameraRuntime>
    private let continuation: AsyncStream<CameraRuntime>.Continuation

    init() { (starts, continuation) = AsyncStream.makeStream() }

    /// The cameras by name.
    var all: [CameraRuntime] { state.withLock { $0.cameras.values.sorted { $0.name < $1.name } } }

    /// One camera; nil if there is none of that name.
    func camera(_ name: String) -> CameraRuntime? { state.withLock { $0.cameras[name] } }

    /// Which part of a camera's pictures is shown: all of a camera that there is not, and where `isWhole` asks for the whole picture.
    func viewport(of name: String, isWhole: Bool) -> PictureViewport {
        isWhole ? .whole : camera(name)?.assignment.viewport ?? .whole
    }

    /// Adds a camera and starts it. Where one of its name still drains it starts when that has stopped: two would dial and
    /// record beside each other. Nothing is added once all are drained.
    func add(_ camera: CameraRuntime) {
        let (isWanted, before) = state.withLock { state in
            guard !state.isDraining else { return (false, nil as CameraRuntime?) }
            state.cameras[camera.name] = camera
            return (true, state.leaving[camera.name])
        }
        guard isWanted else { return }
        if let before { before.actor.whenStopped { camera.actor.start() } } else { camera.actor.start() }
        continuation.yield(camera)
    }

    /// Drains a camera and forgets it; what it owes is still done.
    func remove(_ name: String) {
        let removed = state.withLock { state in
            let camera = state.cameras.removeValue(forKey: name)
            if let camera { state.leaving[name] = camera }
            return camera
        }
        removed?.actor.inbox.tell(.drain)
        removed?.actor.whenStopped { [weak self, weak removed] in
            self?.state.withLock { if $0.leaving[name] === removed { $0.leaving[name] = nil } }
        }
    }

    /// Calls `body` each time that the cameras have become what a configuration says, at the start for the first time. Whoever asks
    /// devices about cameras begins then: before it there is no camera that could be told.
    func onApplied(_ body: @escaping @Sendable () -> Void) { followers.withLock { $0.append(body) } }

    /// The cameras are what the configuration in force says.
    func applied() { for body in followers.withLock({ $0 }) { body() } }

    /// Tells every camera.
    func tell(_ event: Camera.Event) { for camera in all { camera.actor.inbox.tell(event) } }

    /// Whether all cameras are drained, or about to be.
    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Drains all cameras; none is added any more.
    func drain() {
        state.withLock { $0.isDraining = true }
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
