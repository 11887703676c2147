internal import Catalog
internal import Cloud
internal import Foundation
internal import Journal
internal import Machines
internal import ObjectStore
internal import Policies
internal import Synchronization

/// What the machines order, carried out.
extension Uploads {
    /// Carries out one effect of a step that took `event`; false if what had to be kept could not be.
    func perform(_ effect: Upload.Effect, of event: Upload.Event, _ work: UploadWork) -> Bool {
        switch effect {
        case .save(let record, let notice): return save(record, notice, work)
        case .recordAck(let number, let record, let notice): acknowledge(number, record, notice, work)
        case .put(let number): put(number, work)
        case .abortPut: work.order?.task.cancel()
        case .discard(let number, _): discard(number, work)
        case .release:
            // Whatever follows for the clip is told after its upload.
            tellNotices()
            stored(work.camera)
        case .ignored(let why):
            if why != .duplicate, why != .noProgress, why != .late {
                journal.send(
                    .machineIgnored, camera: work.camera,
                    fields: [(.event, event.name), (.job, "\(work.id)"), (.why, why.rawValue)],
                    priority: .debug)
            }
        case .encode(let number): encode(number, work)
        case .poll(let number, let job): poll(number, job, work)
        case .cancelEncode: endEncoding(work)
        case .dropEncoded: dropEncoded(work)
        case .refused, .report, .stopped: break
        }
        return true
    }

    private func save(_ record: Upload.Record, _ notice: Upload.Notice?, _ work: UploadWork) -> Bool {
        let (kept, wallMs) = (UploadRecord.kept(record, work.encode), host.clock.wallMs())
        let told = notice.map(UploadRecord.notice)
        if let notice { tellSoon(isLast: UploadRecord.standing(notice.stage) != .due) }
        do {
            if work.isOpen {
                do {
                    try write(work.key) {
                        try catalog.saveLiveUpload(work.id, kept, failure: work.failure, notice: told, atWallMs: wallMs)
                    }
                    return true
                } catch is CatalogError {
                    // Its clip was closed since the catalog was asked.
                    work.isOpen = false
                }
            }
            try write(work.key) {
                try catalog.saveUpload(
                    work.id, kept, UploadRecord.standing(record.phase), failure: work.failure, notice: told,
                    atWallMs: wallMs)
            }
            return true
        } catch {
            journal.send(
                .uploadsWait, camera: work.camera, fields: [(.job, "\(work.id)"), (.why, "\(error)")], priority: .debug)
            return false
        }
    }

    private func acknowledge(
        _ number: Upload.OrderNumber, _ record: Upload.Record, _ notice: Upload.Notice, _ work: UploadWork
    ) {
        guard let result = work.result else { return later(work, .ackFailed(number)) }
        do {
            let remote = try write(work.key) {
                try catalog.acknowledgeUpload(
                    work.id, UploadRecord.kept(record, work.encode), UploadRecord.standing(record.phase), result.remote,
                    notice: UploadRecord.notice(notice), atWallMs: host.clock.wallMs())
            }
            if remote == nil { wake() }
            tellSoon(isLast: UploadRecord.standing(notice.stage) != .due)
            work.failure = nil
            later(work, .acked(number))
        } catch {
            work.failure = "\(error)"
            later(work, .ackFailed(number))
        }
    }

    /// Something could not be written to the catalog; that is no failed try of an upload.
    struct Unkept: Error, CustomStringConvertible {
        let cause: any Error
        var description: String { "\(cause)" }
    }

    /// Writes to the catalog what is kept of the clip at `key`. Blocking. Throws `Unkept`; no job is taken then until the next look.
    func write<Value>(_ key: String, _ work: () throws -> Value) throws -> Value {
        do { return try host.disk(.upload, key, work) } catch let error as CatalogError where error.isRefusal {
            throw error
        } catch {
            isUnkept = true
            throw Unkept(cause: error)
        }
    }

    /// A fact for the machine of a job, after the step that is under way.
    func later(_ work: UploadWork, _ event: Upload.Event) {
        let (id, token) = (work.id, work.token)
        queue.run {
            self.assumeIsolated { uploads in
                guard let work = uploads.inHand[id], work.token == token else { return }
                uploads.step(work, event)
                uploads.wakeOnce()
            }
        }
    }

    /// Begins what is ordered, after what was under way has ended: one transfer of a job at a time.
    func begin(
        _ work: UploadWork, _ number: Upload.OrderNumber?, _ body: @escaping @Sendable (isolated Uploads) async -> Void
    ) {
        work.turns += 1
        let (before, id, token, turn) = (work.order?.task, work.id, work.token, work.turns)
        work.order = (
            number, turn,
            host.begin {
                await before?.value
                await body(self)
                await self.left(id, token, turn)
            }
        )
    }

    /// What was begun has nothing left to do.
    private func left(_ id: UploadID, _ token: Int, _ turn: Int) {
        guard let work = inHand[id], work.token == token, work.order?.turn == turn else { return }
        work.order = nil
        // It is let go of now, and may have a place at the encoder.
        if work.waitsForEncoder { hasChanged = true }
        wakeOnce()
    }

    /// What was under way for a job has ended; the job, if it still is in hand. What has no number ends when all that follows from
    /// it was begun.
    func ended(_ id: UploadID, _ token: Int, _ number: Upload.OrderNumber?) -> UploadWork? {
        guard let work = inHand[id], work.token == token else { return nil }
        if let number, work.order?.number == number { work.order = nil }
        return work
    }

    // MARK: Transfers

    private func put(_ number: Upload.OrderNumber, _ work: UploadWork) {
        // What is sent live goes round by round.
        if work.live != nil { work.live?.hasMore = true } else { transfer(number, work) }
    }

    /// Begins the transfer of a closed clip.
    func transfer(_ number: Upload.OrderNumber, _ work: UploadWork) {
        guard let store, let source = work.source else {
            return later(work, .putFailed(number, .unreachable))
        }
        let (id, token, isRepeated, proofs) = (work.id, work.token, work.isRepeated, work.proofs)
        (work.result, work.isRepeated) = (nil, true)
        let told = listener(work, number, bytes: source.bytes)
        begin(work, number) { uploads in
            let outcome: Result<UploadResult, any Error>
            do {
                let known = try uploads.catalog.objects(of: id)
                let transfer = UploadTransfer(
                    source: source, sender: MediaSender(store, key: source.key),
                    known: Dictionary(known.map { ($0.name, $0) }) { $1 }, proofs: proofs, isRepeated: isRepeated,
                    told: told)
                let (how, description) = try await transfer.run()
                let remote = description.remote(
                    key: source.key, store: store.name, url: store.settings.store.playURL(of: source.key),
                    verified: Verification(how: how, wallMs: uploads.host.clock.wallMs()))
                outcome = .success(UploadResult(remote: remote))
            } catch {
                outcome = .failure(error)
            }
            uploads.sent(id, token, number, outcome)
        }
    }

    private func sent(
        _ id: UploadID, _ token: Int, _ number: Upload.OrderNumber, _ outcome: Result<UploadResult, any Error>
    ) {
        guard let work = ended(id, token, number) else { return }
        switch outcome {
        case .success(let result):
            work.result = result
            work.sentBytes = work.source?.bytes ?? work.sentBytes
            moved()
            step(work, .uploaded(number))
        case .failure(let error):
            if error is CancellationError { break }
            if error is Unkept { return letGo(work) }
            let failure = judge(error, work)
            step(work, .putFailed(number, failure))
        }
        wakeOnce()
    }

    /// Bytes of media arrived.
    fileprivate func progressed(_ id: UploadID, _ token: Int, _ number: Upload.OrderNumber, _ bytes: Int64) {
        guard let work = inHand[id], work.token == token else { return }
        work.sentBytes = bytes
        moved()
        step(work, .progressed(number, bytes: bytes))
        // For lists alone; of the last bytes the acknowledgement says it.
        if bytes < work.source?.bytes ?? .max { try? write(work.key) { try catalog.recordSent(bytes, of: id) } }
        publish(work)
    }

    fileprivate func record(_ object: UploadObject, _ proof: String?, _ id: UploadID, _ token: Int) throws {
        // What a job that is not in hand any more has sent is found at its key.
        guard let work = inHand[id], work.token == token else { throw CancellationError() }
        try write(work.key) { try catalog.recordObject(object, of: id) }
        if let proof { work.proofs[object.name] = proof }
    }

    /// Who hears of a transfer.
    ///
    /// - Parameter bytes: the size of all media; `max` where it is not known yet.
    func listener(_ work: UploadWork, _ number: Upload.OrderNumber, bytes: Int64) -> any TransferListener {
        Told(uploads: self, job: work.id, token: work.token, number: number, bytes: bytes)
    }

    /// What a transfer tells the worker, so much at a time that a step is worth it.
    private final class Told: TransferListener {
        /// How long it waits between two, in milliseconds.
        private static let pauseMs: Int64 = 5_000

        private let uploads: Uploads
        private let job: UploadID
        private let token: Int
        private let number: Upload.OrderNumber
        /// Size of all media.
        private let bytes: Int64
        private let last = Mutex<(bytes: Int64, at: Instant?)>((0, nil))

        init(uploads: Uploads, job: UploadID, token: Int, number: Upload.OrderNumber, bytes: Int64) {
            (self.uploads, self.job, self.token, self.number, self.bytes) = (uploads, job, token, number, bytes)
        }

        func progressed(_ arrived: Int64) {
            let now = uploads.host.clock.now()
            let isEnough = last.withLock { last in
                let isStep =
                    arrived - last.bytes >= Upload.Timing().stepBytes
                    && (last.at.map { now - $0 >= Self.pauseMs } ?? true)
                guard isStep || arrived == bytes && last.bytes < bytes else { return false }
                last = (arrived, now)
                return true
            }
            if !isEnough { return }
            uploads.queue.run { [uploads, job, token, number] in
                uploads.assumeIsolated { $0.progressed(job, token, number, arrived) }
            }
        }

        func record(_ object: UploadObject, proof: String?) async throws {
            try await uploads.record(object, proof, job, token)
        }
    }

    // MARK: Removals

    private func discard(_ number: Upload.OrderNumber, _ work: UploadWork) {
        guard let store else { return later(work, .discardFailed(number, .unreachable)) }
        let (id, token, key) = (work.id, work.token, work.key)
        begin(work, number) { uploads in
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await uploads.removal(of: key, from: store).run())
            } catch {
                outcome = .failure(error)
            }
            uploads.discarded(id, token, number, store.name, outcome)
        }
    }

    private func discarded(
        _ id: UploadID, _ token: Int, _ number: Upload.OrderNumber, _ store: String, _ outcome: Result<Void, any Error>
    ) {
        guard let work = ended(id, token, number) else { return }
        let wallMs = host.clock.wallMs()
        do {
            switch outcome {
            case .success:
                try write(work.key) {
                    try catalog.forgetObjects(of: id)
                    try catalog.settleRemoteDeletion(key: work.key, store: store, atWallMs: wallMs)
                }
                (work.sentBytes, work.isRepeated, work.proofs) = (0, false, [:])
                moved()
                stored(work.camera)
                step(work, .discarded(number))
            case .failure(let error):
                if error is CancellationError { return }
                let failure = judge(error, work)
                try write(work.key) {
                    try catalog.settleRemoteDeletion(
                        key: work.key, store: store, failure: work.failure ?? "\(error)", atWallMs: wallMs)
                }
                step(work, .discardFailed(number, failure))
            }
        } catch {
            step(work, .discardFailed(number, .unreachable))
        }
        goOn()
    }
}

extension CatalogError {
    /// Whether what was asked cannot be done, be the disk as it may.
    fileprivate var isRefusal: Bool { if case .refused = cause { true } else { false } }
}

extension WorkQueue {
    /// What `work` comes to on this queue.
    func result<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            run { continuation.resume(returning: Result { try work() }) }
        }
    }
}

extension Upload.Aim {
    /// What begins a removal for it anew.
    var order: Upload.Event {
        switch self {
        case .cancelled: .cancel
        case .purged: .purge
        case .deleted: .delete
        }
    }
}

extension Upload.Event {
    /// The event's name, as in VIGIL_EVENT.
    var name: String {
        switch self {
        case .tick: "tick"
        case .progressed: "progressed"
        case .caughtUp: "caughtUp"
        case .uploaded: "uploaded"
        case .putFailed: "putFailed"
        case .acked: "acked"
        case .ackFailed: "ackFailed"
        case .encodeStarted: "encodeStarted"
        case .encodeRefused: "encodeRefused"
        case .polled: "polled"
        case .pollFailed: "pollFailed"
        case .webhook: "webhook"
        case .discarded: "discarded"
        case .discardFailed: "discardFailed"
        case .sealed: "sealed"
        case .sourceGone: "sourceGone"
        case .allow: "allow"
        case .cancel: "cancel"
        case .purge: "purge"
        case .delete: "delete"
        case .reUpload: "reUpload"
        case .reEncode: "reEncode"
        case .drain: "drain"
        }
    }
}
