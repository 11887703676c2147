internal import Catalog
internal import Journal
internal import Machines
internal import ObjectStore
internal import Policies

/// Clips that are sent while they are written, round by round (docs/design/cloud.md "Live mode").
extension Uploads {
    /// The first and the longest wait after an outage or a refusal of a job whose clip is written, in milliseconds: what waits is
    /// what a thief takes.
    static let liveBackoffMs: Int64 = 10_000
    static let liveBackoffMaxMs: Int64 = 60_000

    /// Those who record left word. Never blocks.
    nonisolated func follow(_ news: LiveClips.News) {
        switch news {
        case .began: wake()
        case .grew(let clip): queue.run { self.assumeIsolated { $0.grew(clip) } }
        }
    }

    private func grew(_ clip: ClipID) {
        guard let work = inHand.values.first(where: { $0.clip == clip && $0.live != nil }) else { return }
        work.live?.hasMore = true
        startRounds()
    }

    /// Takes the jobs of clips that are being written, as soon as they are wanted. `hours` are not asked for them, and an outage is
    /// waited for by each machine.
    func takeLive() throws {
        guard let store, !gate.isShut, !isUnkept else { return }
        let usable = reader.keys.usable
        for job in try catalog.liveUploads() where inHand[job.id] == nil && job.store == store.name {
            guard inHand.count < Self.inHandMax else { return }
            guard let phase = Upload.Phase(rawValue: job.kept.phase), UploadRecord.standing(phase) == .due else {
                continue
            }
            guard job.keyID.map(usable.contains) ?? true else { continue }
            if phase == .queued {
                // Without a place at work it would wait for one with a deadline.
                guard gate.liveRoom(parallel: store.settings.parallel, inHand: inHand.values) > 0 else { return }
                guard sending.contains(job.camera), job.clip.flatMap({ live[$0] }) != nil else { continue }
            }
            try follow(take(job).id, job)
        }
    }

    /// Keeps up with what becomes of a job's clip: it is written, or closed and to be digested. False where nobody writes it, though
    /// it is open: then the job waits for the clip's end. False, too, where it is closed and the job waits as briefly as if it were
    /// not: it is taken anew when it is its turn, or each of them would go on to ask a store that is away.
    func followClip(_ job: UploadJob, _ work: UploadWork) -> Bool {
        work.isOpen = job.standing == .open
        if work.waitsBriefly, !work.isOpen, work.isWaiting { return false }
        guard [.queued, .uploading].contains(work.machine.state.phase) else { return true }
        guard work.isOpen else {
            work.live = nil
            if work.source == nil { seal(work) }
            return true
        }
        if work.live == nil { work.live = job.clip.flatMap { live[$0] }.map { LiveWork(clip: $0) } }
        return work.live != nil
    }

    /// Begins the next round of clips that have more to send, those first whose last one is longest ago, as far as there are places;
    /// and the last transfer of those that are closed.
    func startRounds(atMost limit: Int = .max) {
        guard let store, !isDraining else { return }
        let room = min(limit, gate.liveRoom(parallel: store.settings.parallel, inHand: inHand.values))
        let waiting = inHand.values.compactMap { work in work.waitingRound.map { (work, $0) } }.sorted {
            ($0.0.live?.lastRound ?? Instant(ms: .min), $0.0.id.rawValue)
                < ($1.0.live?.lastRound ?? Instant(ms: .min), $1.0.id.rawValue)
        }
        for (work, number) in waiting.prefix(max(room, 0)) {
            if let live = work.live { round(number, work, live, store) } else { transfer(number, work) }
        }
    }

    private func round(_ number: Upload.OrderNumber, _ work: UploadWork, _ live: LiveWork, _ store: CloudStore) {
        let (id, token) = (work.id, work.token)
        let told = live.told?.number == number ? live.told?.listener : nil
        let listener = told ?? listener(work, number, bytes: .max)
        work.live?.told = (number, listener)
        work.live?.hasMore = false
        let (keys, keyID, key) = (reader.keys, work.keyID, work.key)
        begin(work, number) { [catalog, pieces] uploads in
            let outcome: Result<LiveRound.Outcome, any Error>
            do {
                let encryption = try keyID.map { try keys.key($0, of: key) }
                let round = LiveRound(
                    clip: live.clip, catalog: catalog, sender: MediaSender(store, key: key), encryption: encryption,
                    files: pieces, told: listener)
                let state = try live.state ?? LiveState(uploads.catalog.objects(of: id))
                outcome = .success(try await round.run(state))
            } catch {
                outcome = .failure(error)
            }
            uploads.roundEnded(id, token, number, outcome)
        }
    }

    private func roundEnded(
        _ id: UploadID, _ token: Int, _ number: Upload.OrderNumber, _ outcome: Result<LiveRound.Outcome, any Error>
    ) {
        guard let work = ended(id, token, number) else { return }
        work.live?.lastRound = host.clock.now()
        switch outcome {
        case .success(let round):
            work.live?.state = round.state
            if round.hasMore { work.live?.hasMore = true }
            work.sentBytes = round.state.sentBytes
            if round.hasSent { moved() }
            // All that there is has been sent: the machine waits without a deadline until the clip grows.
            if work.live?.hasMore == false, case .put(number, _, .some) = work.machine.state {
                step(work, .caughtUp(number))
            }
        case .failure(let error):
            // What is known of the bucket is read anew from what was kept.
            work.live?.state = nil
            work.live?.hasMore = true
            if error is CancellationError { break }
            if error is Unkept { return letGo(work) }
            let failure = judge(error, work)
            step(work, .putFailed(number, failure))
        }
        goOn()
    }
}
