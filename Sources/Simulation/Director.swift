internal import Catalog
internal import Daemon
internal import Foundation
internal import Journal
internal import Machines
internal import Policies

/// Leads one seed through its hours: storms in which everything may happen, calms after which all must be well again,
/// ends and deaths of the daemon, and starts after them.
final class Director {
    let world: World
    let weather: Weather
    let witness: Witness
    let folder: String
    var scenario: Scenario
    var life: Life?
    var site: HostedSite?
    var files: FileLedger
    /// The switches as their users left them.
    var switches: [String: Intent] = [:]
    /// Since when a camera's switches have forbidden recording, by the world's time.
    private var forbiddenSince: [String: Int64] = [:]
    var isStorm = false
    private(set) var lives = 0
    private(set) var deaths = 0
    private(set) var powerCuts = 0
    private var boots = 1
    private var bootedAt: Int64 = -3_600_000
    private var roots = 0

    init(seed: UInt64, cameras count: Int, folder: String) throws {
        world = World(seed: seed)
        weather = Weather(world)
        witness = Witness(world: world, weather: weather)
        self.folder = folder
        let names = (1...max(1, count)).map { "cam\($0)" }
        scenario = Scenario(assigned: [:], names: names)
        let root = folder + "/root0"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        files = FileLedger(root: root)
        for (index, name) in names.enumerated() {
            let camera = ScriptedCamera(name, world, number: index + 1)
            camera.groupMs = world.dice.one(of: [2_000, 4_000, 4_000, 10_000, 20_000])
            camera.frameMs = world.dice.one(of: [900, 900, 1_000, 2_500])
            camera.hasSound = world.dice.chance(30)
            camera.isAllowed = { [unowned self] in isAllowed(name) }
            camera.lastBan = { [unowned self] in witness.tracks[name]?.bans.last ?? .min }
            camera.handsOverLate = { [unowned self] in flip(name, beforeFrameIn: $0) }
            camera.handedOver = { [unowned self] in witness.checkRing(name, $0) }
            witness.cameras[name] = camera
            switches[name] = Intent()
            scenario.assigned[name] = world.dice.one(of: Scenario.policyNames)
        }
    }

    /// Whether a camera may record: as its machines have been told, and as the switches that they must know by now are.
    private func isAllowed(_ camera: String) -> Bool {
        if let since = forbiddenSince[camera], world.now - since > 3 * weather.latenessMax + 10 { return false }
        return site?.views(of: camera).contains { $0.machine.intent.eventsAllowed && !$0.machine.stopped } ?? false
    }

    var cameras: [ScriptedCamera] { scenario.names.compactMap { witness.cameras[$0] } }

    /// Runs for so many hours of virtual time, or until a rule is violated.
    func run(hours: Int64) throws {
        let end = hours * 3_600_000
        try start()
        for name in scenario.names {
            plan(camera: name)
            move(name)
        }
        planWeather()
        while world.now < end, witness.violations.isEmpty {
            try storm(until: min(end, world.now + world.dice.number(5...35) * 60_000))
            calm()
            if world.dice.chance(40) {
                try stop()
                try start()
            }
        }
        if witness.violations.isEmpty { try stop() }
        life?.die()
        site?.abandon()
    }

    func note(_ text: String) { witness.story.note(text, at: world.now) }

    private func go(until end: Int64) { world.run(until: end) { !witness.violations.isEmpty } }

    // MARK: Lives

    /// Starts a daemon on what the last one left. Now and then it dies in its recovery, and is started again.
    func start() throws {
        while true {
            do { return try begin() } catch is Killed {
                deaths += 1
                note("the daemon died in its recovery")
            }
        }
    }

    private func begin() throws {
        lives += 1
        let life = Life(world: world, weather: weather, boot: boots, bootedAt: bootedAt)
        let before = files
        if world.dice.chance(20) {
            life.recoverySteps = world.dice.number(0...12)
            life.onDeath = { [self] in files = try survivors(powerCut: world.dice.chance(50)) }
        }
        note("a daemon starts, boot \(boots)")
        witness.root = files.root
        witness.begin(boot: "boot-\(boots)", at: bootedAt)
        weather.disk = .fine
        let host = SimulatedHost(life: life, files: files, cameras: witness.cameras)
        let journal = Journal { [witness, life] in if life.isAlive { witness.hear($0) } }
        let loader = Loader(self)
        let site: HostedSite
        do {
            site = try HostedSite(root: files.root, bootID: "boot-\(boots)", host: host, journal: journal) {
                loader.load()
            }
        } catch is Killed {
            try FileManager.default.removeItem(atPath: before.root)
            throw Killed()
        }
        life.recoverySteps = nil
        self.life = life
        self.site = site
        witness.site = site
        try checkRecovered(site)
        site.start()
        for name in scenario.names {
            guard let intent = site.view(name)?.machine.intent, let wanted = switches[name] else { continue }
            if intent.enabled != wanted.enabled || intent.privacy != wanted.privacy {
                witness.fail("overrides", name, "the switches are not what they were set to")
            }
        }
    }

    /// What a death of the process, or of the machine, leaves of the root: a copy.
    private func survivors(powerCut: Bool) throws -> FileLedger {
        roots += 1
        return try files.survive(powerCut: powerCut, in: folder + "/root\(roots)", dice: &world.dice)
    }

    /// Kills the process, or cuts the power; after a while the next one starts.
    func die() throws {
        guard let life, let site else { return }
        let powerCut = world.dice.chance(50)
        deaths += 1
        if powerCut { powerCuts += 1 }
        note(powerCut ? "the power is cut" : "the daemon is killed")
        witness.end(powerCut: powerCut)
        let before = files.root
        files = try survivors(powerCut: powerCut)
        life.die()
        site.abandon()
        self.site = nil
        self.life = nil
        witness.site = nil
        try FileManager.default.removeItem(atPath: before)
        weather.disk = .fine
        go(until: world.now + world.dice.number(500...120_000))
        if powerCut {
            boots += 1
            bootedAt = world.now - world.dice.number(8_000...60_000)
        }
        try start()
    }

    /// Stops the daemon as systemd would, and looks at what it left.
    func stop() throws {
        guard let site, let life else { return }
        note("the daemon is told to stop")
        let wasCalm = weather.isCalm(sinceMs: 180_000)
        let began = world.now
        site.drain()
        world.run(until: began + 50_000 + weather.lateness * 10) { site.isStopped }
        if !site.isStopped { witness.fail("L4", nil, "not stopped \(world.now - began) ms after the drain") }
        note("the daemon has stopped")
        weather.disk = .fine
        world.run(until: world.now + 400_000) { life.isIdle && life.dials.isEmpty }
        checkStopped(site, life)
        witness.end(powerCut: nil)
        life.end()
        try site.close()
        self.site = nil
        self.life = nil
        witness.site = nil
        let report = try HostedSite.check(root: files.root, deep: true)
        for finding in report.findings where finding.severity != .note && wasCalm {
            witness.fail("fsck", nil, "\(finding.kind.rawValue) \(finding.subject): \(finding.words)")
        }
        go(until: world.now + world.dice.number(200...60_000))
    }

    // MARK: Weather

    private func storm(until end: Int64) throws {
        isStorm = true
        weather.lateness = world.dice.one(of: [2, 2, 50, 400])
        note("a storm begins")
        if world.dice.chance(50) {
            let at = world.dice.number(world.now...max(world.now, end))
            go(until: at)
            if witness.violations.isEmpty {
                if world.dice.chance(70) {
                    try die()
                } else {
                    try stop()
                    try start()
                }
            }
        }
        go(until: end)
        isStorm = false
    }

    /// After ten minutes without any trouble everything that is wanted is done again.
    private func calm() {
        guard witness.violations.isEmpty else { return }
        note("calm")
        weather.disk = .fine
        weather.isFilled = false
        weather.lateness = 2
        for camera in cameras { camera.mood = .good }
        for name in scenario.names {
            scenario.assigned[name] = scenario.assigned[name] ?? "round"
            set(name) { $0 = Intent() }
        }
        site?.reload()
        go(until: world.now + 600_000)
        guard witness.violations.isEmpty else { return }
        for name in scenario.names { command(name) }
        go(until: world.now + 9_000)
        if witness.violations.isEmpty { checkCalm() }
    }

    // MARK: What users do

    /// Sets switches, and keeps them over a restart.
    func set(_ camera: String, _ body: (inout Intent) -> Void) {
        guard let site, var intent = switches[camera] else { return }
        let before = intent
        body(&intent)
        let wall = world.wallMs
        var values: [(CameraOverride.Key, Bool)] = []
        if intent.enabled != before.enabled { values.append((.enabled, intent.enabled)) }
        if intent.privacy != before.privacy {
            values += [(.hard, intent.privacy.hard), (.softRecording, intent.privacy.softRecording)]
        }
        guard !values.isEmpty else { return }
        do {
            for (key, value) in values {
                try site.catalog.setOverride(
                    CameraOverride(camera: camera, key: key, value: value, sinceWallMs: wall, by: "simulation"))
            }
        } catch { witness.fail("simulation", camera, "an override cannot be kept: \(error)") }
        switches[camera] = intent
        forbiddenSince[camera] = intent.enabled && !intent.blocked ? nil : forbiddenSince[camera] ?? world.now
        if intent.enabled != before.enabled { site.tell(.enabled(intent.enabled), to: camera) }
        if intent.privacy != before.privacy { site.tell(.privacy(intent.privacy), to: camera) }
    }

    func command(_ camera: String) {
        site?.tell(.commanded(TimeControl(initialMs: 20_000, maxMs: 30_000)), to: camera)
    }
}

/// Hands the scenario of the moment to the loader.
///
/// `@unchecked Sendable`: confined to the world.
private final class Loader: @unchecked Sendable {
    private unowned let director: Director

    init(_ director: Director) { self.director = director }

    func load() -> LoadOutcome { director.scenario.load() }
}
