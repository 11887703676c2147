internal import Catalog
internal import Journal
internal import Machines

/// Removals that the ledger owes and no job's machine carries out: of clips whose jobs are gone, and of clips that a rebuild found.
struct LedgerRemovals {
    private var task: Task<Void, Never>?
    private var next: Instant?
    private var waits: Int64 = 0

    /// How long it waits after a failure at first, and at most, in milliseconds.
    private static let waitMs: Int64 = 30_000
    private static let waitMaxMs: Int64 = 15 * 60_000

    /// Whether one may be begun.
    func isFree(at now: Instant) -> Bool { task == nil && (next.map { $0 <= now } ?? true) }

    mutating func begin(_ task: Task<Void, Never>) { self.task = task }

    mutating func ended(_ isDone: Bool, at now: Instant) {
        task = nil
        waits = isDone ? 0 : min(waits == 0 ? Self.waitMs : waits * 2, Self.waitMaxMs)
        next = isDone ? nil : now + waits
    }

    func cancel() { task?.cancel() }
}

extension Uploads {
    /// How many entries of the ledger are looked at: most of them belong to jobs.
    private static let owedMost = 1_000

    /// How the store stands, for lists.
    func storeView() -> StoreView {
        StoreView(
            name: store?.name, problem: storeProblem ?? keyProblem ?? gate.words,
            transfers: inHand.values.count { $0.isAtWork })
    }

    /// What the lists of days go by: a store that refuses, is away or is tried is left alone.
    var situation: DayLists.Situation {
        DayLists.Situation(
            store: gate.words == nil && !gate.isTrial ? store : nil, zone: zone,
            isBusy: inHand.values.contains { $0.isAtWork })
    }

    /// What takes a clip out of the bucket.
    func removal(of key: String, from store: CloudStore) -> UploadRemoval {
        UploadRemoval(store: store, key: key, cache: reader.cache, files: pieces)
    }

    /// Removes the next remote clip that the ledger owes, one at a time.
    func removeOwed() throws {
        guard let store, removals.isFree(at: host.clock.now()), gate.words == nil else { return }
        let owed = try catalog.remoteDeletions(limit: Self.owedMost).first {
            $0.upload == nil && $0.store == store.name
        }
        guard let owed else { return }
        removals.begin(
            host.begin { [removal = removal(of: owed.key, from: store)] in
                var failure: (any Error)?
                do { try await removal.run() } catch { failure = error }
                await self.removed(owed, failure)
            })
    }

    private func removed(_ owed: RemoteDeletion, _ failure: (any Error)?) {
        let (now, wallMs) = (host.clock.now(), host.clock.wallMs())
        var isDone = failure == nil
        do {
            try write(owed.key) {
                try catalog.settleRemoteDeletion(
                    key: owed.key, store: owed.store, failure: failure.map { "\($0)" }, atWallMs: wallMs)
            }
        } catch { isDone = false }
        removals.ended(isDone, at: now)
        if failure == nil {
            journal.send(
                .remoteDeleted, camera: owed.camera, fields: [(.path, owed.key), (.rule, owed.rule)])
            stored(owed.camera)
        } else if owed.failure == nil {
            journal.send(
                .remoteDeletionFailed, camera: owed.camera,
                fields: [(.path, owed.key), (.rule, owed.rule), (.why, failure.map { "\($0)" } ?? "")])
        }
        if isDone { goOn() }
    }

    // MARK: Notices

    /// Stages may have been reached that nobody was told yet, by a job or by the catalog. `isLast`: no other follows soon that it
    /// could be told with.
    func tellSoon(isLast: Bool = false) {
        let by = host.clock.now() + (isLast ? 0 : Self.untoldMs)
        tellBy = min(tellBy ?? by, by)
        hasChanged = true
    }

    /// Tells the stages that jobs have reached if it is time.
    func tellDueNotices() {
        guard let tellBy else { return }
        let rest = tellBy - host.clock.now()
        if rest > 0 { tellTimer?.set(afterMs: rest) } else { tellNotices() }
    }

    /// Tells each stage that a job has reached, once, in its order.
    func tellNotices() {
        if isUnkept { return }
        tellBy = nil
        do {
            try NoticeTeller(catalog: catalog, journal: journal).tell { notices in
                told()
                try write("notices") { try catalog.markTold(notices) }
            }
        } catch {
            tellSoon()
            tellTimer?.set(afterMs: Self.untoldMs)
            journal.send(.uploadsWait, fields: [(.why, "\(error)")], priority: .debug)
        }
    }
}
