internal import Daemon
internal import Foundation
internal import Journal
internal import Machines
internal import Media
internal import ObjectStore
internal import Provider

/// The host of one run of the daemon: virtual clocks, virtual queues, scripted cameras, and a real folder that is late and fails at will.
struct SimulatedHost: Daemon.Host {
    let daemonRun: DaemonRun
    let clock: any Clocks
    let files: FileLedger
    let cameras: [String: ScriptedCamera]
    let store: SimulatedStore

    init(daemonRun: DaemonRun, files: FileLedger, cameras: [String: ScriptedCamera], store: SimulatedStore) {
        self.daemonRun = daemonRun
        clock = VirtualClocks(virtualTime: daemonRun.virtualTime, bootedAt: daemonRun.bootedAt)
        self.files = files
        self.cameras = cameras
        self.store = store
    }

    /// The cameras' pictures are none, and the detector's threads would not keep to virtual time.
    var motionPool: MotionPool? { nil }

    func queue(_ label: String) -> any WorkQueue {
        let virtualQueue = VirtualQueue(label, daemonRun)
        daemonRun.virtualQueues.append(virtualQueue)
        return virtualQueue
    }

    func dial(_ camera: String, _ source: InputSource, to sink: any InputSink) -> any Dial {
        let dial = ScriptedDial(
            camera: cameras[camera] ?? ScriptedCamera(camera, daemonRun.virtualTime), daemonRun: daemonRun, sink: sink)
        daemonRun.dials.append(dial)
        return dial
    }

    func volume(_ root: String) -> any Volume { SimulatedVolume(conditions: daemonRun.conditions, files: files) }

    func disk<Result>(_ step: DiskStep, _ path: String, _ work: () throws -> Result) throws -> Result {
        guard daemonRun.isAlive else { throw Killed() }
        if step == .recover {
            // A place within recovery names what has been done before it.
            files.did(step, path)
            try daemonRun.recovers()
        }
        if step == .delete || step == .recover { files.keepRemoved() }
        if step == .delete, path == "unlinked", daemonRun.conditions.holdsRemoval,
            let virtualQueue = daemonRun.virtualTime.virtualQueue, virtualQueue.canWait
        {
            try daemonRun.conditions.holdRemoval(virtualQueue.wait)
        }
        try wait(step)
        if let failure = daemonRun.conditions.failure(step) {
            files.hasFailed(at: daemonRun.virtualTime.now)
            // Above the system calls of a step, or in one of them, where the daemon's own code and SQLite meet it.
            guard daemonRun.conditions.failsWithin(step) else {
                daemonRun.conditions.strikes(failure.fault)
                throw DiskFault(step: step, path: path, code: failure.code)
            }
            return try fail(step, path, failure, work)
        }
        defer { files.look(at: path, after: step) }
        if breaks.contains(.syncsAgain), step == .write, files.hasDropped(path), let done = () as? Result {
            return done
        }
        files.begin(step, path)
        let result = try work()
        if daemonRun.conditions.lies(step) { files.lie(path) } else { note(step, path) }
        try wait(step)
        files.end(step, path)
        return result
    }

    private var breaks: Set<ShellBreak> { daemonRun.conditions.breaks }

    /// Notes what a step has made durable.
    private func note(_ step: DiskStep, _ path: String) {
        switch step {
        case .syncFile where breaks.contains(.closesUnsynced), .finishFile where breaks.contains(.closesUnsynced): break
        case .delete where breaks.contains(.removesUnsynced), .recover where breaks.contains(.removesUnsynced):
            files.forgetDeleted()
        default: files.did(step, path)
        }
    }

    /// Does a step whose system calls fail.
    private func fail<Result>(
        _ step: DiskStep, _ path: String, _ failure: SystemCallFault, _ work: () throws -> Result
    ) throws -> Result {
        defer { files.look(at: path, after: step) }
        if breaks.contains(.hidesFailures), step == .closeRow, let done = () as? Result { return done }
        let cuts = step == .write && daemonRun.virtualTime.random.chance(30)
        let (result, struck) = failure.strike(step, cuts: cuts, keepsTails: breaks.contains(.keepsTails), work)
        daemonRun.conditions.strikes(failure.fault, times: struck)
        switch result {
        case .success where struck == 0: note(step, path)
        case .success:
            // What SQLite does beside a commit may fail unheard; a sync or a write that failed must be told.
            if [.syncFile, .finishFile, .syncFolder, .write].contains(step) {
                daemonRun.conditions.unheard("\(step.rawValue) \(path)")
            }
        case .failure:
            if struck > 0, step == .syncFile || step == .finishFile { files.drop(path) }
        }
        return try result.get()
    }

    private func wait(_ step: DiskStep) throws {
        guard let virtualQueue = daemonRun.virtualTime.virtualQueue, virtualQueue.canWait else { return }
        let ms = daemonRun.conditions.duration(step)
        if ms > 0, !virtualQueue.wait(ms) { throw Killed() }
    }

    /// No provider can be reached.
    func plans(
        _ request: PlanRequest, _ answer: @escaping @Sendable (Result<[UInt8], PlanFailure>) -> Void
    ) -> any PlanCall {
        answer(.failure(PlanFailure(.unreachable, "the simulation has no network")))
        return NoCall()
    }

    func store(_ configuration: StoreConfiguration, _ credentials: CredentialSource) -> ObjectStore {
        var configuration = configuration
        configuration.clock = daemonRun.tasks.clock
        return ObjectStore(
            configuration,
            credentials: Credentials(accessKeyID: "simulated", secretAccessKey: "simulated")
                .map(CredentialSource.values) ?? credentials,
            transport: SimulatedTransport(store: store, tasks: daemonRun.tasks))
    }

    func begin(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> { daemonRun.tasks.begin(work) }

    func clipToken() -> String? { daemonRun.virtualTime.name() }
}

/// A question that was answered at once.
private struct NoCall: PlanCall {
    func cancel() {}
}

/// The clocks of a boot in a simulation.
private struct VirtualClocks: Clocks {
    let virtualTime: VirtualTime
    let bootedAt: Int64

    func now() -> Instant { Instant(ms: virtualTime.now - bootedAt) }
    func wallMs() -> Int64 { virtualTime.wallMs }
}

/// The room under the storage root, as the host's conditions has it.
private struct SimulatedVolume: Volume {
    let conditions: HostConditions
    let files: FileLedger

    func place() -> VolumePlace? { VolumePlace(device: 1, inode: conditions.disk == .gone ? 2 : 1) }

    func room() -> (capacity: Int64, free: Int64)? {
        // The configured reserve, and beyond it what the clips may take.
        let free = Scenario.reserveBytes + conditions.roomBytes - files.bytes
        return (Int64(1) << 40, conditions.isFilled || conditions.disk == .full(.enospc) ? 0 : max(0, free))
    }

    func probe() -> String? {
        switch conditions.disk {
        case .fine, .slow, .hung: return nil
        case .failing: return conditions.failure(.write) == nil ? nil : "the simulated disk fails"
        case .full(.edquot): return "Disk quota exceeded"
        case .full: return "No space left on device"
        case .readOnly: return "Read-only file system"
        case .gone: return "the simulated disk is gone"
        }
    }

    /// Where the simulated disk is full a mark fails whatever is given back.
    func keepSpare() -> Bool { true }
    func giveSpare() -> Bool { false }
}
