internal import Catalog
internal import Cloud
internal import Journal
internal import Machines
internal import ObjectStore
internal import Policies

/// What is made of clips that are there, for whoever plays them (docs/design/cloud.md "Encoding"). The local encoder works on one
/// clip at a time.
extension Uploads {
    /// How many jobs in hand may be with the local encoder: the one that runs, and one that follows it without a wait.
    static let encodingsMax = 2
    /// How long a run may take from the time on at which it was asked for, in milliseconds: it may wait for the one before.
    static let encodingMs: Int64 = 2 * LocalEncoding.runMs
    /// What runs of the local encoder are called in the records of their jobs.
    static let localJob = Upload.EncoderJob("local")

    /// How many jobs in hand may be with the encoder that is configured.
    private var places: Int { store?.settings.encoder == nil ? Self.encodingsMax : Self.remoteMax }

    /// Jobs in hand that are with the encoder, or are to be after a wait.
    private var atEncoder: Int { inHand.values.count { $0.machine.state.phase == .encoding && !$0.waitsForEncoder } }

    /// Takes the next clips that are to be encoded, as far as there are places.
    func takeEncodings() throws {
        guard let store, !isUnkept, gate.words == nil, atEncoder < places, inHand.count < Self.inHandMax
        else {
            return
        }
        let jobs = try catalog.nextEncodings(
            limit: places - atEncoder, to: store.name, except: Set(inHand.keys))
        for job in jobs { try follow(take(job).id, job) }
    }

    /// Begins to encode a clip. Without a place its job is let go of; the catalog knows that it waits.
    func encode(_ number: Upload.OrderNumber, _ work: UploadWork) {
        guard atEncoder <= places else {
            work.waitsForEncoder = true
            return
        }
        guard let store else { return later(work, .encodeRefused(number, .unreachable)) }
        if store.settings.encoder != nil { return order(number, work) }
        run(number, work)
        later(work, .encodeStarted(number, Self.localJob))
    }

    /// Tells how far the encoder is. What an earlier run of the daemon had begun is begun anew.
    func poll(_ number: Upload.OrderNumber, _ job: Upload.EncoderJob, _ work: UploadWork) {
        let isRemote = store?.settings.encoder != nil
        if isRemote, let name = Self.remoteName(job) { return pollRemote(number, name, work) }
        guard !isRemote, job == Self.localJob else {
            work.failure = "another encoder had begun it"
            return later(work, .polled(number, .failed))
        }
        if work.encoding == nil, let order = work.machine.state.encodeOrder { run(order, work) }
        later(work, .polled(number, .running))
    }

    private func run(_ number: Upload.OrderNumber, _ work: UploadWork) {
        guard let store else { return }
        let (id, token, before, run) = (work.id, work.token, lastEncoding, EncodingRun(number))
        let encoding = LocalEncoding(
            job: id, key: work.key, clip: work.clip, renditions: work.encode.sizes, store: store, catalog: catalog,
            reader: reader, scratch: scratch
        ) { [weak self] perMille in
            guard let self else { return }
            queue.run { self.assumeIsolated { $0.encoded(perMille, id, token, number) } }
        }
        run.task = host.begin {
            await before?.value
            let outcome: Result<Void, any Error>
            do {
                try Task.checkCancellation()
                outcome = .success(try await encoding.run())
            } catch {
                outcome = .failure(error)
            }
            await self.encoded(id, token, number, outcome)
        }
        lastEncoding = run.task
        work.encoding = run
    }

    private func encoded(_ perMille: Int, _ id: UploadID, _ token: Int, _ number: Upload.OrderNumber) {
        guard let work = inHand[id], work.token == token, let run = work.encoding, run.order == number else { return }
        run.perMille = perMille
        publish(work)
    }

    private func encoded(
        _ id: UploadID, _ token: Int, _ number: Upload.OrderNumber, _ outcome: Result<Void, any Error>
    ) {
        guard let work = inHand[id], work.token == token, work.encoding?.order == number else { return }
        work.encoding = nil
        switch outcome {
        case .success:
            work.failure = nil
            moved()
            step(work, .webhook(number, .finished))
        case .failure(let error):
            if error is CancellationError { break }
            _ = judge(error, work)
            step(work, .webhook(number, .failed))
        }
        goOn()
    }

    /// The encoder need not go on. What follows for the job waits until it has ended.
    func endEncoding(_ work: UploadWork) {
        guard let run = work.encoding, let task = run.task else { return cancelRemote(work) }
        work.encoding = nil
        task.cancel()
        begin(work, nil) { _ in await task.value }
    }

    /// A clip stays there and is not to be encoded: what was made of it goes. What cannot be removed now goes with the clip.
    func dropEncoded(_ work: UploadWork) {
        guard let store, work.encode != .none else { return }
        let (id, key) = (work.id, work.key)
        let removal = EncodedRemoval(store: store, key: key, catalog: catalog)
        begin(work, nil) { uploads in
            do { try await removal.run() } catch {
                uploads.journal.send(
                    .uploadsWait, fields: [(.job, "\(id)"), (.path, key), (.why, "\(error)")], priority: .debug)
            }
        }
    }
}
