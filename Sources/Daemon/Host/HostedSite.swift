package import Catalog
package import Journal
package import Machines
internal import Media
package import Policies
internal import Synchronization

/// The parts of a daemon on a host that is not this machine: what a simulation drives and looks at. Everything in it is
/// what `VigilDaemon` runs; its interfaces are missing, and the services are started and ended by calls.
package final class HostedSite: Sendable {
    /// What is to be seen of a camera from outside.
    package struct View: Sendable {
        /// The machine after its last step.
        package let machine: Camera
        /// Facts that did not fit into its state.
        package let ignored: Int
        /// Facts that found no room in the inbox.
        package let lost: Int
        /// Frames in the ring.
        package let ringFrames: Int
        /// When the newest of them came.
        package let ringNewest: Instant?
        /// The clip that is open.
        package let clip: ClipID?
        /// Whether a dial has not ended yet.
        package let hasDial: Bool
    }

    private let parts: Parts
    private let keeper: ConfigurationKeeper
    /// Every camera that ever ran, also those that were removed and still drain.
    private let known = Mutex<[CameraRuntime]>([])

    /// Opens the storage and recovers it. Blocking.
    package init(
        root: String, bootID: String, host: any Host, journal: Journal, load: @escaping @Sendable () -> LoadOutcome
    ) throws {
        keeper = try ConfigurationKeeper(path: nil, journal: journal) { _ in load() }
        parts = try Parts(keeper: keeper, root: root, bootID: bootID, host: host, journal: journal)
    }

    /// Starts the cameras, and to follow the clock.
    package func start() {
        _ = parts.start()
        parts.clock.start()
        remember()
    }

    /// Loads the configuration again.
    package func reload() {
        _ = keeper.reload(.file)
        remember()
    }

    private func remember() {
        known.withLock { known in
            for camera in parts.pool.all where !known.contains(where: { $0 === camera }) { known.append(camera) }
        }
    }

    /// The catalog.
    package var catalog: Catalog { parts.catalog }

    /// What the storage can do, as the keeper last found it.
    package var storage: Storage { parts.storage.report.storage }

    /// Tells a camera a fact.
    package func tell(_ event: Camera.Event, to camera: String) {
        parts.pool.camera(camera)?.actor.inbox.tell(event)
    }

    /// Stops to follow the clock and drains every camera, as a graceful shutdown does.
    package func drain() {
        parts.clock.stop()
        parts.pool.drain()
    }

    /// Whether every camera that ever ran has stopped.
    package var isStopped: Bool { known.withLock { $0.allSatisfy { $0.actor.snapshot.machine.stopped } } }

    /// Cameras that are late with a deadline.
    package var overdue: [String] { parts.supervisor.overdue }

    /// A camera that is configured; nil if there is none.
    package func view(_ camera: String) -> View? { parts.pool.camera(camera).map(Self.view) }

    /// All cameras that ever ran, in the order of their start.
    package var views: [(camera: String, view: View)] {
        known.withLock { $0.map { ($0.name, Self.view($0)) } }
    }

    /// All cameras of a name that ever ran, in the order of their start.
    package func views(of camera: String) -> [View] {
        known.withLock { $0.filter { $0.name == camera } }.map(Self.view)
    }

    private static func view(_ camera: CameraRuntime) -> View {
        let snapshot = camera.actor.snapshot
        let ring = camera.shell.ring.holding
        return View(
            machine: snapshot.machine, ignored: snapshot.ignored, lost: camera.actor.inbox.lost,
            ringFrames: ring.frames, ringNewest: ring.newest, clip: camera.shell.recorder.current,
            hasDial: camera.shell.hasDial)
    }

    /// Gives the storage free. Blocking.
    package func close() throws { try parts.close() }

    /// Lets go of everything without a word, as far as it holds itself: after a crash of its host.
    package func abandon() {
        for camera in known.withLock({ $0 }) { camera.actor.inbox.finish() }
        try? parts.catalog.close()
    }

    /// Checks the storage of a root on which nothing runs. Blocking.
    package static func check(root: String, deep: Bool) throws -> FsckReport {
        try Fsck.run(root: root, scanner: TrackScanning.scanner, options: Fsck.Options(deep: deep, repair: false))
    }
}
