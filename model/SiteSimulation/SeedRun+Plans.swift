internal import Catalog
internal import Daemon
internal import Machines

extension SeedRun {
    /// What happens to a camera, now and then, for as long as the simulation lasts.
    func plan(camera name: String) {
        virtualTime.after(virtualTime.random.number(5_000...180_000)) { [self] in
            if isStorm { trouble(name) }
            plan(camera: name)
        }
    }

    /// What moves before a camera, as long as the simulation lasts.
    func move(_ name: String) {
        virtualTime.after(virtualTime.random.number(2_000...120_000)) { [self] in
            let level = virtualTime.random.one(of: Sensitivity.allCases)
            site?.tell(.detected(level: level, zones: .anywhere), to: name, by: "simulation")
            move(name)
        }
    }

    private func trouble(_ name: String) {
        guard let site, let camera = checker.cameras[name] else { return }
        switch virtualTime.random.number(0...99) {
        case 0..<30:
            camera.behaviour =
                virtualTime.random.chance(35) ? .good : virtualTime.random.one(of: ScriptedCamera.Behaviour.allCases)
            note("\(name) becomes \(camera.behaviour)")
        case 30..<50: flip(name)
        case 50..<62:
            scenario.assigned[name] = virtualTime.random.one(of: Scenario.policyNames)
            camera.policyAt = virtualTime.now
            note("\(name) gets the policy \(scenario.assigned[name] ?? "")")
            site.reload()
        case 62..<66:
            scenario.revision += 1
            note("the addresses change")
            site.reload()
        case 66..<74: command(name)
        case 74..<82:
            let source = SourceNumber(rawValue: UInt8(virtualTime.random.number(0...3)))
            site.tell(.asserted(source, staleMs: virtualTime.random.number(1_000...90_000)), to: name, by: "simulation")
            if virtualTime.random.chance(50) {
                virtualTime.after(virtualTime.random.number(500...60_000)) { [self] in
                    self.site?.tell(.cleared(source), to: name, by: "simulation")
                }
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
        if virtualTime.random.chance(50) { view(name) }
        switch virtualTime.random.number(0...4) {
        case 0: flip(name) { $0.privacy.hard.toggle() }
        case 1: flip(name) { $0.privacy.softRecording.toggle() }
        case 2: flip(name) { $0.privacy.softLive.toggle() }
        default: flip(name) { $0.enabled.toggle() }
        }
    }

    private func flip(_ name: String, _ body: @escaping (inout Intent) -> Void) {
        set(name, body)
        guard virtualTime.random.chance(80) else { return }
        virtualTime.after(virtualTime.random.one(of: [1, 100, 2_000, 30_000])) { [self] in
            guard isStorm else { return }
            set(name, body)
            if virtualTime.random.chance(40) { flip(name, body) }
        }
    }

    /// Turns a switch now and then while a frame has arrived and is not handed over: back, if recording is forbidden.
    func flip(_ name: String, beforeFrameIn ms: Int64) {
        guard isStorm, let intent = switches[name] else { return }
        let isAllowed = intent.enabled && !intent.blocked
        guard virtualTime.random.chance(isAllowed ? 3 : 30) else { return }
        virtualTime.after(virtualTime.random.number(0...ms)) { [self] in
            guard isStorm else { return }
            if isAllowed { flip(name) } else { set(name) { $0 = Intent() } }
        }
    }

    /// Takes a camera out of the configuration, and puts it back.
    private func remove(_ name: String) {
        let policy = scenario.assigned[name]
        scenario.assigned[name] = nil
        note("\(name) is taken out of the configuration")
        site?.reload()
        virtualTime.after(virtualTime.random.one(of: [1, 100, 2_000, 60_000])) { [self] in
            guard isStorm, scenario.assigned[name] == nil else { return }
            scenario.assigned[name] = policy
            checker.cameras[name]?.policyAt = virtualTime.now
            note("\(name) is put back")
            site?.reload()
        }
    }

    private func protect(_ name: String) {
        guard let catalog = site?.catalog, let oldest = try? catalog.clips(.init(camera: name, limit: 1)).first else {
            return
        }
        let isOn = !checker.protected.contains(oldest.id)
        guard let changed = try? catalog.protect([oldest.id], isOn), changed.contains(oldest.id) else { return }
        if isOn { checker.protected.insert(oldest.id) } else { checker.protected.remove(oldest.id) }
    }

    /// What happens to the machine, now and then.
    func planWeather() {
        virtualTime.after(virtualTime.random.number(20_000...400_000)) { [self] in
            if isStorm, daemonRun != nil { turn() }
            planWeather()
        }
    }

    private func turn() {
        let ms = virtualTime.random.number(2_000...90_000)
        switch virtualTime.random.number(0...99) {
        case 0..<25: conditions.disk = .slow(virtualTime.random.one(of: [100, 2_000, 9_000, 20_000]))
        case 25..<35: conditions.disk = .hung(until: virtualTime.now + ms)
        case 35..<47: conditions.disk = .failing(.eio, percent: virtualTime.random.one(of: [3, 20, 60]))
        case 47..<53: conditions.disk = .failing(.torn, percent: virtualTime.random.one(of: [10, 60]))
        case 53..<57: conditions.stallsNext = true
        case 57..<60: conditions.disk = .full(.enospc)
        case 60..<63: conditions.disk = .full(.edquot)
        case 63..<65: conditions.disk = .readOnly
        case 65..<72: conditions.disk = .gone
        case 72..<82: conditions.isFilled = true
        case 82..<90: setClock()
        default: conditions.roomBytes = virtualTime.random.one(of: [100_000, 400_000, 4_000_000])
        }
        if conditions.disk != .fine {
            virtualTime.after(virtualTime.random.number(0...ms)) { [self] in
                if isStorm { flip(virtualTime.random.one(of: scenario.names)) }
            }
        }
        note("disk \(conditions.disk), filled \(conditions.isFilled), room \(conditions.roomBytes)")
        virtualTime.after(ms) { [self] in
            guard isStorm else { return }
            conditions.disk = .fine
            conditions.isFilled = false
            note("the disk is fine")
        }
    }

    private func setClock() {
        // As NTP does: seldom at once, mostly by running faster or slower, by 500 millionths at most (adjtimex(2)).
        let step = virtualTime.random.chance(50) ? virtualTime.random.number(-7_200_000...7_200_000) : 0
        let skew = virtualTime.random.number(-500...500)
        virtualTime.setWall(by: step, skew: skew)
        if step != 0 { checker.clockSetAt = virtualTime.now }
        note("the clock is set by \(step) ms and slewed by \(skew) millionths")
    }
}
