internal import Catalog
internal import Daemon
internal import Foundation
internal import Journal
internal import Machines
internal import Policies

/// Leads one seed through its hours: storms in which everything may happen, calms after which all must be well again,
/// ends and deaths of the daemon, and starts after them.
final class SeedRun {
    let virtualTime: VirtualTime
    let conditions: HostConditions
    let checker: RuleChecker
    let folder: String
    let store: SimulatedStore
    var scenario: Scenario
    var daemonRun: DaemonRun?
    var site: HostedSite?
    var files: FileLedger
    /// The switches as their users left them.
    var switches: [String: Intent] = [:]
    /// Since when a camera's switches have forbidden recording, by virtual time.
    private var forbiddenSince: [String: Int64] = [:]
    var isStorm = false
    /// Whether the store is away for long, whatever its weather was to be.
    var isOutage = false
    private(set) var lives = 0
    private(set) var deaths = 0
    /// Frames that viewers got, and viewers that were cut off.
    var framesSeen = 0
    var slowViewers = 0
    private(set) var powerCuts = 0
    private var storms = 0
    private var boots = 1
    private var bootedAt: Int64 = -3_600_000
    private var roots = 0

    init(_ plan: Simulation.Plan, folder: String) throws {
        virtualTime = VirtualTime(seed: plan.seed)
        conditions = HostConditions(virtualTime, breaks: plan.breaks)
        checker = RuleChecker(virtualTime: virtualTime, conditions: conditions)
        conditions.unheard = { [checker] in
            checker.fail("D7", nil, "a call failed, and the step was told as done: \($0)")
        }
        self.folder = folder
        let names = (1...max(1, plan.cameras)).map { "cam\($0)" }
        // The others go as they would without one.
        scenario = Scenario(assigned: [:], names: names, hasCloud: plan.seed.isMultiple(of: max(1, plan.storeEach)))
        store = SimulatedStore(virtualTime)
        checker.store = store
        checker.hasCloud = scenario.hasCloud
        virtualTime.onSpin = { [checker] in
            checker.fail("haste", nil, "\(VirtualTime.minuteBound) steps in a minute")
        }
        store.onHaste = { [checker] in checker.fail("haste", nil, "\($0) to a store that is away") }
        store.isSentLive = { [checker] in checker.sentLive.contains($0) }
        store.onChange = { [checker] in checker.checkDescription($0) }
        let root = folder + "/root0"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        files = FileLedger(root: root, conditions: conditions)
        files.onHaste = { [checker] in
            checker.fail("haste", nil, "\(FileLedger.failuresBound) steps on the disk failed in a minute")
        }
        checker.policy = { [unowned self] in scenario.assigned[$0] }
        for (index, name) in names.enumerated() {
            let camera = ScriptedCamera(name, virtualTime, number: index + 1)
            let drawn = virtualTime.random.one(of: [2_000, 4_000, 4_000, 10_000, 20_000] as [Int64])
            camera.groupMs = plan.groupMs ?? drawn
            camera.frameMs = virtualTime.random.one(of: [900, 900, 1_000, 2_500])
            camera.hasSound = virtualTime.random.chance(30)
            camera.isAllowed = { [unowned self] in isAllowed(name) }
            camera.isShown = { [unowned self] in isShown(name) }
            camera.handsOverLate = { [unowned self] in flip(name, beforeFrameIn: $0) }
            camera.isDialedBeside = { [unowned self] in
                checker.fail("H2", name, "dialled while the dial before it has not ended")
            }
            camera.handedOver = { [unowned self] in checker.checkRing(name, $0) }
            checker.cameras[name] = camera
            switches[name] = Intent()
            scenario.assigned[name] = virtualTime.random.one(of: Scenario.policyNames)
        }
    }

    /// Whether a camera may record: as its machines have been told, and as the switches that they must know by now are.
    private func isAllowed(_ camera: String) -> Bool {
        if let since = forbiddenSince[camera], virtualTime.now - since > 3 * conditions.latenessMax + 10 {
            return false
        }
        return site?.views(of: camera).contains { $0.machine.intent.eventsAllowed && !$0.machine.stopped } ?? false
    }

    var cameras: [ScriptedCamera] { scenario.names.compactMap { checker.cameras[$0] } }

    /// Runs for so many hours of virtual time, or until a rule is violated.
    ///
    /// - Parameter outageHours: for how long the store is away afterwards; 0: not at all.
    func run(hours: Int64, outageHours: Int64 = 0) throws {
        let end = hours * 3_600_000
        try start()
        for name in scenario.names {
            plan(camera: name)
            move(name)
        }
        planWeather()
        if scenario.hasCloud { planStore() }
        while virtualTime.now < end, checker.violations.isEmpty {
            try storm(until: min(end, virtualTime.now + virtualTime.random.number(5...35) * 60_000))
            calm()
            if scenario.hasCloud, checker.violations.isEmpty, virtualTime.random.chance(30) { longOutage() }
            if virtualTime.random.chance(40) {
                try stop()
                try start()
            }
        }
        if outageHours > 0, checker.violations.isEmpty { outage(ms: outageHours * 3_600_000) }
        if checker.violations.isEmpty { try stop() }
        daemonRun?.die()
        site?.abandon()
    }

    func note(_ text: String) { checker.story.note(text, at: virtualTime.now) }

    func go(until end: Int64) { virtualTime.run(until: end) { !checker.violations.isEmpty } }

    // MARK: Runs of the daemon

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
        let daemonRun = DaemonRun(virtualTime: virtualTime, conditions: conditions, boot: boots, bootedAt: bootedAt)
        let before = files
        if virtualTime.random.chance(20) {
            daemonRun.recoverySteps = virtualTime.random.number(0...12)
            daemonRun.onDeath = { [self] in
                let powerCut = virtualTime.random.chance(50)
                if powerCut { checker.cutPowerInRecovery() }
                files = try survivors(powerCut: powerCut)
            }
        }
        note("a daemon starts, boot \(boots)")
        checker.root = files.root
        checker.begin(boot: "boot-\(boots)", at: bootedAt)
        conditions.disk = .fine
        let host = SimulatedHost(daemonRun: daemonRun, files: files, cameras: checker.cameras, store: store)
        let journal = Journal { [checker, daemonRun] in if daemonRun.isAlive { checker.hear($0) } }
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
        daemonRun.recoverySteps = nil
        self.daemonRun = daemonRun
        self.site = site
        checker.site = site
        try checkRecovered(site)
        site.start()
        for name in scenario.names {
            guard let intent = site.view(name)?.machine.intent, let wanted = switches[name] else { continue }
            if intent.enabled != wanted.enabled || intent.privacy != wanted.privacy {
                checker.fail("overrides", name, "the switches are not what they were set to")
            }
        }
    }

    /// What a death of the process, or of the machine, leaves of the root: a copy.
    private func survivors(powerCut: Bool) throws -> FileLedger {
        roots += 1
        let next = try files.survive(powerCut: powerCut, in: folder + "/root\(roots)", random: &virtualTime.random)
        // What a sync has only claimed to keep is lost, and nobody can tell.
        for name in next.lied.subtracting(files.lied).sorted() {
            checker.lose(name.split(separator: "/").dropFirst().first.map(String.init))
        }
        return next
    }

    /// Kills the process, or cuts the power; after a while the next one starts.
    func die(powerCut isCertain: Bool = false) throws {
        guard let daemonRun, let site else { return }
        let powerCut = isCertain || virtualTime.random.chance(50)
        deaths += 1
        if powerCut { powerCuts += 1 }
        note(powerCut ? "the power is cut" : "the daemon is killed")
        checker.end(powerCut: powerCut)
        let before = files.root
        files = try survivors(powerCut: powerCut)
        conditions.liesNext = false
        conditions.stallsNext = false
        daemonRun.die()
        site.abandon()
        self.site = nil
        self.daemonRun = nil
        checker.site = nil
        try FileManager.default.removeItem(atPath: before)
        conditions.disk = .fine
        go(until: virtualTime.now + virtualTime.random.number(500...120_000))
        if powerCut {
            boots += 1
            bootedAt = virtualTime.now - virtualTime.random.number(8_000...60_000)
        }
        try start()
    }

    /// Stops the daemon as systemd would, and looks at what it left.
    func stop() throws {
        guard let site, let daemonRun else { return }
        note("the daemon is told to stop")
        let wasCalm = conditions.isCalm(sinceMs: 180_000)
        let began = virtualTime.now
        site.drain()
        virtualTime.run(until: began + 50_000 + conditions.lateness * 10) { site.isStopped }
        if !site.isStopped { checker.fail("L4", nil, "not stopped \(virtualTime.now - began) ms after the drain") }
        note("the daemon has stopped")
        conditions.disk = .fine
        virtualTime.run(until: virtualTime.now + 400_000) { daemonRun.isIdle && daemonRun.dials.isEmpty }
        checkStopped(site, daemonRun)
        checker.end(powerCut: nil)
        daemonRun.end()
        try site.close()
        self.site = nil
        self.daemonRun = nil
        checker.site = nil
        let report = try HostedSite.check(root: files.root, deep: true)
        for finding in report.findings
        where finding.severity != .note && wasCalm && !files.lied.contains(finding.subject) {
            checker.fail("fsck", nil, "\(finding.kind.rawValue) \(finding.subject): \(finding.words)")
        }
        go(until: virtualTime.now + virtualTime.random.number(200...60_000))
    }

    // MARK: Conditions

    private func storm(until end: Int64) throws {
        isStorm = true
        conditions.lateness = virtualTime.random.one(of: [2, 2, 50, 400])
        note("a storm begins")
        storms += 1
        if storms % 3 == 0 { try cutAmidRemoval(until: end) }
        if virtualTime.random.chance(50) {
            let at = virtualTime.random.number(virtualTime.now...max(virtualTime.now, end))
            let isAfterLie = virtualTime.random.chance(20)
            if isAfterLie {
                go(until: max(virtualTime.now, at - virtualTime.random.number(100...9_000)))
                conditions.liesNext = true
            }
            go(until: at)
            if checker.violations.isEmpty {
                if isAfterLie || virtualTime.random.chance(70) {
                    try die(powerCut: isAfterLie)
                } else {
                    try stop()
                    try start()
                }
            }
        }
        go(until: end)
        isStorm = false
    }

    /// Cuts the power when clips have been removed and their folder is not synced yet, if any are removed.
    private func cutAmidRemoval(until end: Int64) throws {
        conditions.holdsRemoval = true
        virtualTime.run(until: end) { !checker.violations.isEmpty || conditions.isRemoving }
        conditions.holdsRemoval = false
        guard conditions.isRemoving, checker.violations.isEmpty else { return }
        try die(powerCut: true)
    }

    /// After ten minutes without any trouble everything that is wanted is done again.
    private func calm() {
        guard checker.violations.isEmpty else { return }
        note("calm")
        conditions.disk = .fine
        conditions.isFilled = false
        conditions.stallsNext = false
        conditions.lateness = 2
        store.weather = .fine
        for camera in cameras { camera.behaviour = .good }
        for name in scenario.names {
            scenario.assigned[name] = scenario.assigned[name] ?? "round"
            set(name) { $0 = Intent() }
        }
        site?.reload()
        go(until: virtualTime.now + 600_000)
        guard checker.violations.isEmpty else { return }
        for name in scenario.names { command(name) }
        go(until: virtualTime.now + 9_000)
        if checker.violations.isEmpty { checkCalm() }
        if scenario.hasCloud, checker.violations.isEmpty { settleQueue() }
    }

    // MARK: What users do

    /// Sets switches, and keeps them over a restart.
    func set(_ camera: String, _ body: (inout Intent) -> Void) {
        guard let site, var intent = switches[camera] else { return }
        let before = intent
        body(&intent)
        let wall = virtualTime.wallMs
        var values: [(CameraOverride.Key, Bool)] = []
        if intent.enabled != before.enabled { values.append((.enabled, intent.enabled)) }
        if intent.privacy != before.privacy {
            values += [
                (.hard, intent.privacy.hard), (.softRecording, intent.privacy.softRecording),
                (.softLive, intent.privacy.softLive),
            ]
        }
        guard !values.isEmpty else { return }
        do {
            for (key, value) in values {
                try site.catalog.setOverride(
                    CameraOverride(camera: camera, key: key, value: value, sinceWallMs: wall, by: "simulation"))
            }
        } catch { checker.fail("simulation", camera, "an override cannot be kept: \(error)") }
        switches[camera] = intent
        forbiddenSince[camera] = intent.enabled && !intent.blocked ? nil : forbiddenSince[camera] ?? virtualTime.now
        if intent.enabled != before.enabled { site.tell(.enabled(intent.enabled), to: camera, by: "simulation") }
        if intent.privacy != before.privacy { site.tell(.privacy(intent.privacy), to: camera, by: "simulation") }
    }

    func command(_ camera: String) {
        site?.tell(.commanded(TimeControl(initialMs: 20_000, maxMs: 30_000)), to: camera, by: "simulation")
    }
}

/// Hands the scenario of the moment to the loader.
///
/// `@unchecked Sendable`: confined to the simulation's thread.
private final class Loader: @unchecked Sendable {
    private unowned let seedRun: SeedRun

    init(_ seedRun: SeedRun) { self.seedRun = seedRun }

    func load() -> LoadOutcome { seedRun.scenario.load() }
}
