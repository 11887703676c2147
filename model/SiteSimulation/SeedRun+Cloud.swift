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
                guard let remote = try site.catalog.remoteClip(key: job.key) else { return }
                try site.catalog.removeRemote([remote.id], rule: "command", atWallMs: virtualTime.wallMs)
                site.wakeUploads()
            }
            note("job \(job.id) gets an order")
        } catch { note("no order is given: \(error)") }
    }

    /// The store is away for so many hours, while everything else is well; afterwards nothing is lost.
    func outage(hours: Int64) {
        let before = store.answers
        isOutage = true
        become(.away)
        virtualTime.run(until: virtualTime.now + hours * 3_600_000) { !checker.violations.isEmpty }
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
        virtualTime.run(until: virtualTime.now + 17 * 60_000) { !checker.violations.isEmpty }
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
                virtualTime.run(until: virtualTime.now + 60_000) { !checker.violations.isEmpty }
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
        let before = checker.listProblems()
        if before.isEmpty { return }
        virtualTime.run(until: virtualTime.now + 7 * 60_000) { !checker.violations.isEmpty }
        for problem in checker.listProblems().intersection(before).sorted() { checker.fail("K7", nil, problem) }
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
