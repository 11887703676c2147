internal import Catalog
package import Ingest
package import Journal
package import Media
package import ObjectStore
package import Provider
package import Webhook

/// What the daemon stands on: the clocks, the queues and timers, the way to a camera, the disk. `SystemHost` is this
/// machine. A simulation gives another one, and everything above it is the same code.
package protocol Host: Sendable {
    /// The clocks.
    var clock: any Clocks { get }

    /// A queue of its own, named for the operator of a debugger.
    func queue(_ label: String) -> any WorkQueue

    /// One dial of a camera; what it delivers goes to `sink`, on a thread of its own.
    func dial(_ camera: String, _ source: InputSource, to sink: any InputSink) -> any Dial

    /// The threads of the motion detectors; nil where nobody looks at pictures.
    var motionPool: MotionPool? { get }

    /// The file system under the storage root.
    func volume(_ root: String) -> any Volume

    /// Carries out one step on the disk: `work`, at `path` below the storage root, or whatever the step is about.
    func disk<Result>(_ step: DiskStep, _ path: String, _ work: () throws -> Result) throws -> Result

    /// Asks a provider for its plans. `answer` is called once, on any thread: with the bytes, or why there are none; perhaps
    /// also after the call was given up.
    func plans(
        _ request: PlanRequest, _ answer: @escaping @Sendable (Result<[UInt8], PlanFailure>) -> Void
    ) -> any PlanCall

    /// A client of a store. It connects to nobody yet.
    func store(_ configuration: StoreConfiguration, _ credentials: CredentialSource) -> ObjectStore

    /// Who brings messages to the receiver at an address. It connects to nobody yet.
    func webhook(_ url: String) -> any WebhookSender

    /// Who puts objects at publishing points. It connects to nobody yet.
    func ingest(_ tls: IngestTLS) async -> Result<any IngestSender, IngestFailure>

    /// Begins `work` beside everything else; it must not block.
    @discardableResult
    func begin(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>

    /// What makes the name of a clip's files unique; nil: drawn at random.
    func clipToken() -> String?

    /// Gives up memory that is kept for whoever needs some next. Does not block.
    func releaseMemory()
}

extension Host {
    /// A host that keeps none.
    package func releaseMemory() {}

    /// A client over this machine's network.
    package func store(_ configuration: StoreConfiguration, _ credentials: CredentialSource) -> ObjectStore {
        ObjectStore(configuration, credentials: credentials)
    }

    /// One over this machine's network.
    package func webhook(_ url: String) -> any WebhookSender { WebhookClient(url: url) }

    /// One over this machine's network.
    package func ingest(_ tls: IngestTLS) async -> Result<any IngestSender, IngestFailure> {
        do throws(IngestFailure) { return .success(try await IngestClient(tls)) } catch { return .failure(error) }
    }

    /// A task of this machine.
    @discardableResult
    package func begin(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> { Task { await work() } }
}

/// Work that is done one after another, in the order in which it came, apart from all other work. It may block.
package protocol WorkQueue: SerialExecutor {
    /// Does `work` after what came before; returns at once.
    func run(_ work: @escaping @Sendable () -> Void)

    /// Does `work` after what came before, and returns when it is done. Not from the queue itself.
    func runAndWait(_ work: () -> Void)

    /// A timer that calls `fire` on this queue; it is not set.
    func timer(_ fire: @escaping @Sendable () -> Void) -> any WakeTimer
}

/// Fires once for each time that it is set.
package protocol WakeTimer: Sendable {
    /// Fires in `afterMs` milliseconds (at once if that is not positive) instead of when it was set for before; nil: not at
    /// all.
    func set(afterMs: Int64?)
}

/// A dial that was made and can be given up.
package protocol Dial: Sendable {
    /// Begins; once.
    func start()
    /// Asks it to end; returns at once. The sink is told when it has.
    func stop()
}

/// A question to a provider that was asked and can be given up.
package protocol PlanCall: Sendable {
    /// Nobody waits for the answer any more; returns at once.
    func cancel()
}

/// The room under the storage root. Every call blocks on the disk.
package protocol Volume: Sendable {
    /// What tells the folder at the root's path from any other; nil if there is none.
    func place() -> VolumePlace?
    /// Bytes in all, and bytes that may be taken; nil if they cannot be had.
    func room() -> (capacity: Int64, free: Int64)?
    /// Writes, syncs and removes a small file; the reason if that fails.
    func probe() -> String?
    /// Takes room that nobody needs, to be given back when there is none left. Whether it is there.
    func keepSpare() -> Bool
    /// Gives that room back; whether there was any.
    func giveSpare() -> Bool
}

extension Volume {
    /// Does `work`, and where that fails for want of room gives back the room that was kept, calls `given` and does it once more.
    func withSpare<Result>(given: () -> Void = {}, _ work: () throws -> Result) throws -> Result {
        do { return try work() } catch let error as CatalogError where error.mayWantRoom && giveSpare() {
            given()
            return try work()
        }
    }
}

extension CatalogError {
    /// Whether room might help: the memory that the database shares is a file, too, and its want of room an error of the disk.
    fileprivate var mayWantRoom: Bool {
        switch cause {
        case .full, .io: true
        default: false
        }
    }
}

/// Which folder a path leads to.
package struct VolumePlace: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    /// The folder `inode` of the device `device`.
    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// The steps on the disk that a clip, an event, a deletion, a plan or an upload takes, as docs/design/durability.md orders them.
package enum DiskStep: String, Sendable, CaseIterable {
    /// The day's folder is made.
    case makeFolder
    /// The folder's entries are made durable.
    case syncFolder
    /// A track file is made, with its header.
    case createFile
    /// The row of a clip or track is entered.
    case insertRow
    /// A fragment is written.
    case write
    /// What was written is made durable.
    case syncFile
    /// The files are made durable and closed.
    case finishFile
    /// The row of a clip is closed.
    case closeRow
    /// The row of an event is entered or closed.
    case event
    /// A place within a deletion; the path names it.
    case delete
    /// A place within recovery; the path names it.
    case recover
    /// The heartbeat or a pair of clocks is written.
    case heartbeat
    /// What a cloud subscription keeps is written, or what it takes out of the cloud's lists.
    case subscription
    /// What the worker of the upload queue keeps is written.
    case upload
}
