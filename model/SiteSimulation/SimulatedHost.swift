internal import Daemon
internal import Foundation
internal import Journal
internal import Machines
internal import Media

/// The host of one run of the daemon: virtual clocks, virtual queues, scripted cameras, and a real folder that is late and fails at will.
struct SimulatedHost: Daemon.Host {
    let daemonRun: DaemonRun
    let clock: any Clocks
    let files: FileLedger
    let cameras: [String: ScriptedCamera]

    init(daemonRun: DaemonRun, files: FileLedger, cameras: [String: ScriptedCamera]) {
        self.daemonRun = daemonRun
        clock = VirtualClocks(virtualTime: daemonRun.virtualTime, bootedAt: daemonRun.bootedAt)
        self.files = files
        self.cameras = cameras
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
        try wait(step)
        if daemonRun.conditions.fails(step) {
            files.hasFailed(step)
            throw DiskFault(step: step, path: path)
        }
        defer { files.look(at: path, after: step) }
        let result = try work()
        files.did(step, path)
        try wait(step)
        return result
    }

    private func wait(_ step: DiskStep) throws {
        guard let virtualQueue = daemonRun.virtualTime.virtualQueue, virtualQueue.canWait else { return }
        let ms = daemonRun.conditions.duration(step)
        if ms > 0, !virtualQueue.wait(ms) { throw Killed() }
    }

    func clipToken() -> String? { daemonRun.virtualTime.name() }
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
        return (Int64(1) << 40, conditions.isFilled || conditions.disk == .full ? 0 : max(0, free))
    }

    func probe() -> String? {
        switch conditions.disk {
        case .fine, .slow, .hung: return nil
        case .failing: return conditions.fails(.write) ? "the simulated disk fails" : nil
        case .full: return "No space left on device"
        case .gone: return "the simulated disk is gone"
        }
    }
}
