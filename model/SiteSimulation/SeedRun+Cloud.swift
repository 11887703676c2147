internal import Catalog
internal import Daemon
internal import Machines

extension SeedRun {
    /// What the store does, and what people do with the queue, now and then, for as long as the simulation lasts.
    func planStore() {
        virtualTime.after(virtualTime.random.number(20_000...300_000)) { [self] in
            if isStorm, daemonRun != nil { virtualTime.random.chance(70) ? turnStore() : order() }
            planStore()
        }
    }

    private func turnStore() {
        let percent = virtualTime.random.one(of: [5, 30, 90] as [Int64])
        let weather: SimulatedStore.Weather = virtualTime.random.one(of: [
            .slow(virtualTime.random.one(of: [2_000, 20_000, 90_000])), .away, .away, .silent, .refusing,
            .busy(percent), .failing(percent), .losingAnswers(percent), .lying(percent), .damaging(percent),
        ])
        become(weather)
        virtualTime.after(virtualTime.random.number(5_000...900_000)) { [self] in if !isOutage { become(.fine) } }
    }

    private func become(_ weather: SimulatedStore.Weather) {
        store.weather = weather
        note("the store is \(weather)")
    }

    /// What a person does with a job, or with what the cloud has of a clip.
    private func order() {
        guard let site else { return }
        do {
            let jobs = try site.catalog.uploads(UploadQuery(limit: 20))
            guard !jobs.isEmpty else { return }
            let job = virtualTime.random.one(of: jobs)
            switch virtualTime.random.number(0...2) {
            case 0:
                checker.cancelled.insert(job.id)
                site.tell(.cancel, to: job.id, by: "simulation")
            case 1: site.tell(.reUpload, to: job.id, by: "simulation")
            default:
                // Jobs that are over do not stay for ever: the ledger alone knows of what is to go then.
                if virtualTime.random.chance(30) { _ = try site.catalog.trimUploads(keeping: 5) }
                guard let remote = try site.catalog.remoteClip(key: job.key) else { return }
                try site.catalog.removeRemote([remote.id], rule: "command", atWallMs: virtualTime.wallMs)
                site.wakeUploads()
            }
            note("job \(job.id) gets an order")
        } catch { note("no order is given: \(error)") }
    }

    /// The store is away for an hour or some, and there is little room: whatever a rule would delete, what is guarded stays.
    func longOutage() {
        for name in scenario.names where virtualTime.random.chance(60) {
            scenario.assigned[name] = virtualTime.random.one(of: Scenario.guarding)
            checker.cameras[name]?.policyAt = virtualTime.now
        }
        site?.reload()
        let room = conditions.roomBytes
        conditions.roomBytes = virtualTime.random.one(of: [100_000, 400_000, 4_000_000])
        outage(
            ms: virtualTime.random.number(30...150) * 60_000,
            virtualTime.random.one(of: [.away, .silent, .refusing]))
        conditions.roomBytes = room
    }

    /// The store is away for so long, while everything else is well; afterwards nothing is lost.
    func outage(ms: Int64, _ weather: SimulatedStore.Weather = .away) {
        let before = store.answers
        isOutage = true
        become(weather)
        go(until: virtualTime.now + ms)
        if store.answers != before { checker.fail("simulation", nil, "the store answered while it was away") }
        isOutage = false
        become(.fine)
        if checker.violations.isEmpty { settleQueue() }
    }

    /// After a calm everything that was queued before it is sent, or refused with a reason: a store that is well again is tried within
    /// the longest wait, and whoever asks for a failed job gets it sent.
    func settleQueue() {
        let before = virtualTime.wallMs
        // The longest time for which a store that refused is left alone, and a transfer.
        go(until: virtualTime.now + 17 * 60_000)
        for job in jobs([.failed]) where job.failure?.hasPrefix(HostedSite.refusedBegin) == true {
            checker.fail(
                "queue", job.camera,
                "job \(job.id) waits for a person, and the store refuses nobody: \(job.failure ?? "")")
        }
        for round in 0..<3 {
            let failed = jobs([.failed])
            if failed.isEmpty, round > 0 { break }
            for job in failed { site?.tell(.reUpload, to: job.id, by: "simulation") }
            for _ in 0..<240 {
                go(until: virtualTime.now + 60_000)
                guard checker.violations.isEmpty else { return }
                if jobs([.due]).allSatisfy({ ($0.queuedWallMs ?? .max) > before }) { break }
            }
        }
        for job in jobs([.due, .failed]) where (job.queuedWallMs ?? .max) <= before {
            checker.fail(
                "queue", job.camera,
                "job \(job.id) is \(job.kept.phase) long after the store is well: \(job.failure ?? "")")
        }
        if checker.violations.isEmpty { checker.checkOwed(beforeWallMs: before) }
        if checker.violations.isEmpty { checker.checkBucket() }
        if checker.violations.isEmpty { checker.checkJobs() }
        if checker.violations.isEmpty { settleLists() }
    }

    /// K7: clips come and go on; what is wrong with a list is put right within minutes.
    private func settleLists() {
        checkLists()
        if checker.violations.isEmpty, virtualTime.random.chance(40) { deleteWhileQuiet() }
    }

    private func checkLists() {
        let before = checker.listProblems()
        if before.isEmpty { return }
        go(until: virtualTime.now + 7 * 60_000)
        for problem in checker.listProblems().intersection(before).sorted() { checker.fail("K7", nil, problem) }
    }

    /// Nothing is recorded, and somebody deletes clips one after another from a slow store: no clip comes afterwards with which a list
    /// would be put right by chance.
    private func deleteWhileQuiet() {
        guard let catalog = site?.catalog else { return }
        note("nothing is recorded, and clips are deleted")
        let switches = switches
        for name in scenario.names { set(name) { $0.enabled = false } }
        go(until: virtualTime.now + 10 * 60_000)
        store.weather = .slow(20_000)
        do {
            for camera in scenario.names {
                let slices = try catalog.remoteSlices(camera: camera, fromWallMs: 0, toWallMs: .max)
                for slice in slices.suffix(3) {
                    try catalog.removeRemote([slice.id], rule: "command", atWallMs: virtualTime.wallMs)
                    site?.wakeUploads()
                    go(until: virtualTime.now + virtualTime.random.number(100...10_000))
                }
            }
        } catch { checker.fail("simulation", nil, "\(error)") }
        store.weather = .fine
        go(until: virtualTime.now + 10 * 60_000)
        // The age of clips in the cloud may have taken one a moment ago.
        checkLists()
        for name in scenario.names { set(name) { $0 = switches[name] ?? Intent() } }
        go(until: virtualTime.now + 60_000)
    }

    private func jobs(_ standings: Set<UploadStanding>) -> [UploadJob] {
        do {
            return try site?.catalog.uploads(UploadQuery(standings: standings, limit: ClipQuery.limitMax)) ?? []
        } catch {
            checker.fail("simulation", nil, "\(error)")
            return []
        }
    }
}
