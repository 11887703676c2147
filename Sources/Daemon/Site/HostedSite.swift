package import Catalog
package import Journal
package import Machines
package import Media
package import Policies
internal import Synchronization

/// The parts of a daemon without its interfaces, on this machine or another host: what a simulation or a test drives and
/// looks at. Everything in it is what `VigilDaemon` runs; the services are started and ended by calls.
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
        /// Where the sub-stream stands; nil where there is none.
        package let substream: Link.Phase?
        /// The stream at which the detector looks; nil while it looks at none.
        package let watched: StreamName?
    }

    /// What the reasons begin with of uploads that failed because the store refused everybody.
    package static let refusedBegin = Uploads.refusedBegin

    private let running: RunningSite
    private let configuration: ConfigurationService
    private let host: any Host
    /// Whether the upload queue's worker has stopped.
    private let hasDrained = Mutex(false)
    /// Every camera that ever ran, also those that were removed and still drain.
    private let known = Mutex<[CameraRuntime]>([])

    /// Opens the storage and recovers it. Blocking.
    package init(
        root: String, bootID: String, host: any Host, journal: Journal, load: @escaping @Sendable () -> LoadOutcome
    ) throws {
        self.host = host
        configuration = try ConfigurationService(path: nil, journal: journal) { _ in load() }
        // No trace is kept: the witness gets each step as the values that it is made of. To encode them all would take longer
        // than all else that is simulated, and what the disk does to the trace is tested where its bytes are seen.
        running = try RunningSite(
            configuration: configuration, root: root, bootID: bootID, run: nil,
            problems: HeldProblems(following: journal, clock: host.clock), host: host, journal: journal)
    }

    /// Starts the cameras, to follow the clock, and to send clips.
    package func start() {
        _ = running.start()
        running.clock.start()
        running.uploads.queue.run { [uploads = running.uploads] in uploads.assumeIsolated { $0.start() } }
        remember()
    }

    /// Loads the configuration again.
    package func reload() {
        _ = configuration.reload(.file)
        remember()
    }

    private func remember() {
        known.withLock { known in
            for camera in running.pool.all where !known.contains(where: { $0 === camera }) { known.append(camera) }
        }
    }

    /// The catalog.
    package var catalog: Catalog { running.catalog }

    /// What the storage can do, as the storage monitor last found it.
    package var storage: Storage { running.storage.report.storage }

    /// Tells a camera a fact that `user` asks for.
    package func tell(_ event: Camera.Event, to camera: String, by user: String) {
        _ = running.pool.camera(camera)?.actor.inbox.request(event, by: user)
    }

    /// A viewer of a camera's stream from now on; nil if there is no such camera.
    package func watch(
        _ camera: String, _ stream: StreamName = .main, sound: SoundForm = .original
    ) throws(StreamRefusal) -> StreamViewer? {
        guard let camera = running.pool.camera(camera) else { return nil }
        return try camera.shell.streams.watch(stream, sound: sound)
    }

    /// Gives a job of the upload queue an order by a person.
    package func tell(_ event: Upload.Event, to job: UploadID, by user: String) {
        running.uploads.queue.run { [uploads = running.uploads] in
            uploads.assumeIsolated { _ = try? $0.ask(job, event, by: user) }
        }
    }

    /// Something in the catalog's queue or ledger has changed.
    package func wakeUploads() { running.uploads.wake() }

    /// Stops to follow the clock and to send clips, and drains every camera, as a graceful shutdown does.
    package func drain() {
        running.clock.stop()
        running.pool.drain()
        host.begin { [self] in
            await running.fetches.stop()
            await running.uploads.drain()
            hasDrained.withLock { $0 = true }
        }
    }

    /// Whether every camera that ever ran has stopped, and nothing is sent any more.
    package var isStopped: Bool {
        hasDrained.withLock { $0 } && known.withLock { $0.allSatisfy { $0.actor.view.machine.stopped } }
    }

    /// Cameras that are late with a deadline.
    package var overdue: [String] { running.supervisor.overdue }

    /// A camera that is configured; nil if there is none.
    package func view(_ camera: String) -> View? { running.pool.camera(camera).map(Self.view) }

    /// All cameras that ever ran, in the order of their start.
    package var views: [(camera: String, view: View)] {
        known.withLock { $0.map { ($0.name, Self.view($0)) } }
    }

    /// All cameras of a name that ever ran, in the order of their start.
    package func views(of camera: String) -> [View] {
        known.withLock { $0.filter { $0.name == camera } }.map(Self.view)
    }

    private static func view(_ camera: CameraRuntime) -> View {
        let view = camera.actor.view
        let ring = camera.shell.ring.holding
        return View(
            machine: view.machine, ignored: view.ignored, lost: camera.actor.inbox.lost,
            ringFrames: ring.frames, ringNewest: ring.newest, clip: camera.shell.recorder.current,
            hasDial: camera.shell.hasDial, substream: camera.shell.streams.substream.view?.link,
            watched: camera.shell.detector.view.stream)
    }

    /// Gives the storage free. Blocking.
    package func close() throws { try running.close() }

    /// Lets go of everything without a word, as far as it holds itself: after a crash of its host.
    package func abandon() {
        for camera in known.withLock({ $0 }) { camera.actor.inbox.finish() }
        try? running.catalog.close()
    }

    /// Checks the storage of a root on which nothing runs. Blocking.
    package static func check(root: String, deep: Bool) throws -> FsckReport {
        try Fsck.run(root: root, scanner: TrackScanning.scanner, options: Fsck.Options(deep: deep, repair: false))
    }
}
