internal import Daemon
internal import Foundation
internal import Journal
internal import Machines
internal import Media

/// The host of one life: virtual clocks, lanes, scripted cameras, and a real folder that is late and fails at will.
struct SimulatedHost: Daemon.Host {
    let life: Life
    let clock: any Clocks
    let files: FileLedger
    let cameras: [String: ScriptedCamera]

    init(life: Life, files: FileLedger, cameras: [String: ScriptedCamera]) {
        self.life = life
        clock = VirtualClocks(world: life.world, bootedAt: life.bootedAt)
        self.files = files
        self.cameras = cameras
    }

    /// The cameras' pictures are none, and the detector's threads would not keep to the world's time.
    var motionPool: MotionPool? { nil }

    func queue(_ label: String) -> any WorkQueue {
        let lane = Lane(label, life)
        life.lanes.append(lane)
        return lane
    }

    func dial(_ camera: String, _ source: InputSource, to sink: any InputSink) -> any Dial {
        let dial = ScriptedDial(camera: cameras[camera] ?? ScriptedCamera(camera, life.world), life: life, sink: sink)
        life.dials.append(dial)
        return dial
    }

    func volume(_ root: String) -> any Volume { SimulatedVolume(weather: life.weather, files: files) }

    func disk<Result>(_ step: DiskStep, _ path: String, _ work: () throws -> Result) throws -> Result {
        guard life.isAlive else { throw Killed() }
        if step == .recover {
            // A place within recovery names what has been done before it.
            files.did(step, path)
            try life.recovers()
        }
        try wait(step)
        if life.weather.fails(step) {
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
        guard let lane = life.world.lane, lane.canWait else { return }
        let ms = life.weather.duration(step)
        if ms > 0, !lane.wait(ms) { throw Killed() }
    }

    func clipToken() -> String? { life.world.name() }
}

/// The clocks of a boot in a world.
private struct VirtualClocks: Clocks {
    let world: World
    let bootedAt: Int64

    func now() -> Instant { Instant(ms: world.now - bootedAt) }
    func wallMs() -> Int64 { world.wallMs }
}

/// The room under the storage root, as the weather has it.
private struct SimulatedVolume: Volume {
    let weather: Weather
    let files: FileLedger

    func place() -> VolumePlace? { VolumePlace(device: 1, inode: weather.disk == .gone ? 2 : 1) }

    func room() -> (capacity: Int64, free: Int64)? {
        // The configured reserve, and beyond it what the clips may take.
        let free = Scenario.reserveBytes + weather.roomBytes - files.bytes
        return (Int64(1) << 40, weather.isFilled || weather.disk == .full ? 0 : max(0, free))
    }

    func probe() -> String? {
        switch weather.disk {
        case .fine, .slow, .hung: return nil
        case .failing: return weather.fails(.write) ? "the simulated disk fails" : nil
        case .full: return "No space left on device"
        case .gone: return "the simulated disk is gone"
        }
    }
}
