internal import Catalog
internal import Journal
internal import Machines
internal import ObjectStore
internal import Policies

/// What the store's answers mean for the queue (docs/design/cloud.md "Outages and refusals").
extension Uploads {
    /// What the words begin with by which a job failed of what was not about its clip.
    static let refusedBegin = "the store refuses every clip: "
    static let brokenBegin = "the store failed by itself: "

    /// What an error means for the machine; the gate and the journal learn what it means for all.
    func judge(_ error: any Error, _ work: UploadWork) -> Upload.Failure {
        let now = host.clock.now()
        work.failure = "\(error)"
        guard let error = error as? StoreError else { return error is MediaSender.OtherContent ? .final : .again }
        switch error.cause {
        case .unreachable(let why), .tls(let why):
            if gate.unreachable(at: now) {
                journal.send(.storeUnreachable, fields: [(.why, "\(why); \(error.remedy)")])
            }
            return .unreachable
        case .slowDown:
            gate.slowDown(from: store?.settings.parallel ?? 1, at: now)
            return .busy
        case .refused, .noCredentials, .wrongRegion, .skewed, .noBucket, .full:
            let words = "\(error)"
            work.failure = Self.refusedBegin + words
            if gate.refused(work.id, words, at: now) { journal.send(.storeRefused, fields: [(.why, words)]) }
            return .again
        case .server:
            // Whether it is about this clip, nobody knows: its tries are used up, and no other job is begun meanwhile.
            work.failure = Self.brokenBegin + "\(error)"
            if gate.unreachable(at: now) {
                journal.send(.storeUnreachable, fields: [(.why, Self.brokenBegin + "\(error)")])
            }
            return .again
        case .mismatch, .invalid, .notFound, .preconditionFailed, .exists, .source: return .again
        }
    }

    /// The store took something: what stood in the way is over.
    func moved() {
        let now = host.clock.now()
        // What is tried after a refusal is in nobody's way, and its success is news all the same.
        let wasClosed = gate.words != nil || gate.isTrial
        let outageMs = gate.moved(at: now)
        guard wasClosed || !hasMoved else { return }
        if wasClosed {
            journal.send(.storeReachable, fields: outageMs.map { [(.durationMs, "\($0)")] } ?? [])
        }
        (hasMoved, owesRetry) = (true, true)
        later { $0.retryRefused() }
    }

    /// Gives those another try that failed only because the store refused everybody. What the catalog cannot tell or keep now, and
    /// whom there is no place for, is looked for again at the next look.
    func retryRefused() {
        guard owesRetry, !isUnkept,
            let failed = try? catalog.uploads(UploadQuery(standings: [.failed], limit: 1_000)),
            let live = try? catalog.liveUploads()
        else { return }
        let refused = (failed + live.filter { $0.kept.phase == Upload.Phase.uploadFailed.rawValue }).filter {
            let why = $0.failure ?? ""
            return why.hasPrefix(Self.refusedBegin) || why.hasPrefix(Self.brokenBegin)
        }
        for job in refused where inHand.count < Self.inHandMax && !isUnkept {
            _ = try? ask(job.id, .reUpload, by: "vigil")
        }
        owesRetry = !refused.isEmpty
    }

    private func later(_ body: @escaping @Sendable (isolated Uploads) -> Void) {
        queue.run { self.assumeIsolated { body($0) } }
    }

    /// Asks a store that refused whether it still does.
    func probe() {
        guard let store, gate.wantsProbe(at: host.clock.now()) else { return }
        host.begin {
            let isAnswered = (try? await store.client.list(prefix: store.folder(of: "clips"), max: 1)) != nil
            await self.probed(isAnswered)
        }
    }

    private func probed(_ isAnswered: Bool) {
        gate.probed(isAnswered, at: host.clock.now())
        goOn()
    }
}
