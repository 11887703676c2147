internal import Catalog
internal import Daemon
internal import Machines

extension Director {
    /// What happens to a camera, now and then, for as long as the world lasts.
    func plan(camera name: String) {
        world.after(world.dice.number(5_000...180_000)) { [self] in
            if isStorm { trouble(name) }
            plan(camera: name)
        }
    }

    /// What moves before a camera, as long as the world lasts.
    func move(_ name: String) {
        world.after(world.dice.number(2_000...120_000)) { [self] in
            let level = world.dice.one(of: Sensitivity.allCases)
            site?.tell(.detected(level: level, zones: .anywhere), to: name)
            move(name)
        }
    }

    private func trouble(_ name: String) {
        guard let site, let camera = witness.cameras[name] else { return }
        switch world.dice.number(0...99) {
        case 0..<30:
            camera.mood = world.dice.chance(35) ? .good : world.dice.one(of: ScriptedCamera.Mood.allCases)
            note("\(name) becomes \(camera.mood)")
        case 30..<50: flip(name)
        case 50..<62:
            scenario.assigned[name] = world.dice.one(of: Scenario.policyNames)
            camera.policyAt = world.now
            note("\(name) gets the policy \(scenario.assigned[name] ?? "")")
            site.reload()
        case 62..<66:
            scenario.revision += 1
            note("the addresses change")
            site.reload()
        case 66..<74: command(name)
        case 74..<82:
            let source = SourceNumber(rawValue: UInt8(world.dice.number(0...3)))
            site.tell(.asserted(source, staleMs: world.dice.number(1_000...90_000)), to: name)
            if world.dice.chance(50) {
                world.after(world.dice.number(500...60_000)) { [self] in self.site?.tell(.cleared(source), to: name) }
            }
        case 82..<90: view(name)
        case 90..<95: protect(name)
        case 95..<98: remove(name)
        default: break
        }
    }

    /// Turns a switch, and mostly back soon, once or more: it is what comes close together that goes wrong. A viewer keeps
    /// the link, so that the camera goes on sending what is forbidden.
    private func flip(_ name: String) {
        if world.dice.chance(50) { view(name) }
        switch world.dice.number(0...3) {
        case 0: flip(name) { $0.privacy.hard.toggle() }
        case 1: flip(name) { $0.privacy.softRecording.toggle() }
        default: flip(name) { $0.enabled.toggle() }
        }
    }

    private func flip(_ name: String, _ body: @escaping (inout Intent) -> Void) {
        set(name, body)
        guard world.dice.chance(80) else { return }
        world.after(world.dice.one(of: [1, 100, 2_000, 30_000])) { [self] in
            guard isStorm else { return }
            set(name, body)
            if world.dice.chance(40) { flip(name, body) }
        }
    }

    /// Turns a switch now and then while a frame has arrived and is not handed over: back, if recording is forbidden.
    func flip(_ name: String, beforeFrameIn ms: Int64) {
        guard isStorm, let intent = switches[name] else { return }
        let isAllowed = intent.enabled && !intent.blocked
        guard world.dice.chance(isAllowed ? 3 : 30) else { return }
        world.after(world.dice.number(0...ms)) { [self] in
            guard isStorm else { return }
            if isAllowed { flip(name) } else { set(name) { $0 = Intent() } }
        }
    }

    /// Somebody looks for a while.
    private func view(_ name: String) {
        site?.tell(.viewers(1), to: name)
        world.after(world.dice.number(1_000...300_000)) { [self] in site?.tell(.viewers(0), to: name) }
    }

    /// Takes a camera out of the configuration, and puts it back.
    private func remove(_ name: String) {
        let policy = scenario.assigned[name]
        scenario.assigned[name] = nil
        note("\(name) is taken out of the configuration")
        site?.reload()
        world.after(world.dice.one(of: [1, 100, 2_000, 60_000])) { [self] in
            guard isStorm, scenario.assigned[name] == nil else { return }
            scenario.assigned[name] = policy
            witness.cameras[name]?.policyAt = world.now
            note("\(name) is put back")
            site?.reload()
        }
    }

    private func protect(_ name: String) {
        guard let catalog = site?.catalog, let oldest = try? catalog.clips(.init(camera: name, limit: 1)).first else {
            return
        }
        let isOn = !witness.protected.contains(oldest.id)
        guard let changed = try? catalog.protect([oldest.id], isOn), changed.contains(oldest.id) else { return }
        if isOn { witness.protected.insert(oldest.id) } else { witness.protected.remove(oldest.id) }
    }

    /// What happens to the machine, now and then.
    func planWeather() {
        world.after(world.dice.number(20_000...400_000)) { [self] in
            if isStorm, life != nil { turn() }
            planWeather()
        }
    }

    private func turn() {
        let ms = world.dice.number(2_000...90_000)
        switch world.dice.number(0...99) {
        case 0..<25: weather.disk = .slow(world.dice.one(of: [100, 2_000, 9_000, 20_000]))
        case 25..<35: weather.disk = .hung(until: world.now + ms)
        case 35..<55: weather.disk = .failing(percent: world.dice.one(of: [3, 20, 60]))
        case 55..<65: weather.disk = .full
        case 65..<72: weather.disk = .gone
        case 72..<82: weather.isFilled = true
        case 82..<90: setClock()
        default: weather.roomBytes = world.dice.one(of: [100_000, 400_000, 4_000_000])
        }
        if weather.disk != .fine {
            world.after(world.dice.number(0...ms)) { [self] in if isStorm { flip(world.dice.one(of: scenario.names)) } }
        }
        note("disk \(weather.disk), filled \(weather.isFilled), room \(weather.roomBytes)")
        world.after(ms) { [self] in
            guard isStorm else { return }
            weather.disk = .fine
            weather.isFilled = false
            note("the disk is fine")
        }
    }

    private func setClock() {
        // As NTP does: seldom at once, mostly by running faster or slower, by 500 millionths at most (adjtimex(2)).
        let step = world.dice.chance(50) ? world.dice.number(-7_200_000...7_200_000) : 0
        let skew = world.dice.number(-500...500)
        world.setWall(by: step, skew: skew)
        if step != 0 { witness.clockSetAt = world.now }
        note("the clock is set by \(step) ms and slewed by \(skew) millionths")
    }
}
