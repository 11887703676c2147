internal import Catalog
internal import Journal
internal import Machines
internal import Policies
internal import Server

extension DaemonSite {
    func uploads(_ filter: UploadFilter, in scope: CameraScope) async throws -> Page<UploadInfo> {
        var query = UploadQuery(
            cameras: scope.names, clip: filter.clip.map { ClipID(rawValue: $0) },
            standings: Set(filter.standings.map(\.catalog)), limit: filter.limit)
        if let after = filter.after {
            guard let id = Int64(after), id > 0 else { throw Self.badCursor(after) }
            query.after = UploadID(rawValue: id)
        }
        let wanted = query
        let jobs = try await Blocking.run { [catalog] in try catalog.uploads(wanted) }
        return Page(items: jobs.map(info), next: jobs.count == filter.limit ? jobs.last.map { "\($0.id)" } : nil)
    }

    func uploadTotals(in scope: CameraScope) async throws -> UploadTotals {
        let totals = try await Blocking.run { [catalog] in try catalog.uploadTotals(cameras: scope.names) }
        let store = await uploadQueue.storeView()
        var phases: [UploadTotals.Phase] = []
        // A phase may be in several standings: a job that waits for its clip's end is queued, too.
        for phase in Upload.Phase.allCases {
            let of = totals.filter { $0.phase == phase.rawValue && $0.standing != .open }
            guard !of.isEmpty else { continue }
            phases.append(
                UploadTotals.Phase(
                    phase: phase, jobs: of.reduce(0) { $0 + $1.jobs }, bytes: of.reduce(0) { $0 + $1.bytes },
                    sentBytes: of.reduce(0) { $0 + $1.sentBytes }))
        }
        return UploadTotals(store: store.name, why: store.problem, transfers: store.transfers, phases: phases)
    }

    func camera(ofUpload job: Int64) async throws -> String? {
        try await Blocking.run { [catalog] in try catalog.upload(UploadID(rawValue: job))?.camera }
    }

    func push(clip: Int64, _ command: PushCommand, by caller: Caller) async throws -> UploadInfo {
        func refuse(_ why: String, _ remedy: String) -> SiteError {
            SiteError(.conflict, what: "clip \(clip) was not entered into the upload queue", why: why, remedy: remedy)
        }
        let id = ClipID(rawValue: clip)
        guard let found = try await Blocking.run({ [catalog] in try catalog.clip(id) }) else {
            throw SiteError(
                .notFound, what: "clip \(clip)", why: "there is none of this id",
                remedy: "`vigil clips` lists what there is")
        }
        guard let key = found.tracks.first.flatMap({ ClipPaths(parsing: $0.path)?.stem }) else {
            throw refuse("it has no track", "nothing to do")
        }
        guard let upload = choices.job(pushed: key, camera: found.camera, owner: "\(caller)", note: command.note) else {
            throw refuse("no store is configured", "name one in vigil.yaml: cloud.store")
        }
        let policy = pool.camera(found.camera)?.assignment.policy
        if case .service? = configuration.current.cloud?.provider,
            policy?.cloud.upload ?? CloudRules.Upload.none == CloudRules.Upload.none
        {
            throw refuse(
                "the policy of camera \(found.camera) sends nothing, so nobody asks for its plan",
                "set cloud: { upload: events } in the policy, or leave cloud.subscription out of vigil.yaml")
        }
        let wallMs = clock.wallMs()
        do {
            let job = try await Blocking.run { [catalog] in
                try catalog.enqueueUpload(of: id, upload, atWallMs: wallMs)
            }
            uploadQueue.wake()
            return info(job)
        } catch let error as CatalogError {
            guard case .refused(let why) = error.cause else { throw error }
            throw refuse(why, "`vigil cloud queue` shows where it is")
        }
    }

    func retryUpload(_ job: Int64, by caller: Caller) async throws -> UploadInfo {
        try await order(.reUpload, job, "tried again", by: caller)
    }

    func cancelUpload(_ job: Int64, by caller: Caller) async throws -> UploadInfo {
        try await order(.cancel, job, "cancelled", by: caller)
    }

    func retryUploads(in scope: CameraScope, by caller: Caller) async throws -> OrderedUploads {
        await uploadQueue.askStore()
        webhook.retry()
        return try await order(.reUpload, all: [.failed], in: scope, by: caller)
    }

    func cancelUploads(in scope: CameraScope, by caller: Caller) async throws -> OrderedUploads {
        try await order(.cancel, all: [.due, .failed], in: scope, by: caller)
    }

    func encoderNotice(_ notice: EncoderNotice) async throws { try await uploadQueue.encoderNotice(notice) }

    private func order(
        _ event: Upload.Event, _ job: Int64, _ done: String, by caller: Caller
    ) async throws -> UploadInfo {
        let id = UploadID(rawValue: job)
        func refuse(_ why: String, _ remedy: String) -> SiteError {
            SiteError(.conflict, what: "upload \(job) was not \(done)", why: why, remedy: remedy)
        }
        do {
            if let why = try await uploadQueue.ask(id, event, by: "\(caller)") {
                throw refuse(why.words, "`vigil cloud queue` shows where it is")
            }
        } catch Uploads.Absent.open {
            throw refuse("its clip is being written", "ask again when that has ended")
        } catch Uploads.Absent.gone {
            throw Self.noUpload(job)
        }
        guard let now = try await Blocking.run({ [catalog] in try catalog.upload(id) }) else {
            throw Self.noUpload(job)
        }
        return info(now)
    }

    /// Gives an order to every job that stands so, a page at a time; those that cannot follow it are left out.
    private func order(
        _ event: Upload.Event, all standings: Set<UploadStanding>, in scope: CameraScope, by caller: Caller
    ) async throws -> OrderedUploads {
        var (query, ordered) = (UploadQuery(cameras: scope.names, standings: standings, limit: 1_000), 0)
        while true {
            let page = query
            let jobs = try await Blocking.run { [catalog] in try catalog.uploads(page) }
            for job in jobs where try await uploadQueue.ask(job.id, event, by: "\(caller)") == nil { ordered += 1 }
            guard jobs.count == page.limit, let last = jobs.last else { break }
            query.after = last.id
        }
        // What is sent while it is recorded, too.
        for job in try await Blocking.run({ [catalog] in try catalog.liveUploads() }) where scope.contains(job.camera) {
            guard event == .cancel || job.kept.phase == Upload.Phase.uploadFailed.rawValue else { continue }
            if try await uploadQueue.ask(job.id, event, by: "\(caller)") == nil { ordered += 1 }
        }
        return OrderedUploads(jobs: ordered)
    }

    private static func noUpload(_ job: Int64) -> SiteError {
        SiteError(
            .notFound, what: "upload \(job)", why: "there is no job of this id",
            remedy: "`vigil cloud queue` lists what there is")
    }

    private func info(_ job: UploadJob) -> UploadInfo {
        let now = uploadQueue.progress(of: job.id)
        let sentBytes = now?.sentBytes ?? job.sentBytes
        let encode = UploadRecord.encode(job)
        let keys = uploadQueue.reader.keys
        let isLocked = job.keyID.map { !$0.isEmpty && !keys.usable.contains($0) } ?? false
        let waitsFor =
            isLocked && job.standing != .over
            ? "it waits for key \(job.keyID ?? ""), which the configuration does not name" : nil
        return UploadInfo(
            id: job.id.rawValue, clip: job.clip?.rawValue, camera: job.camera, start: WallTime(ms: job.startWallMs),
            queued: job.queuedWallMs.map { WallTime(ms: $0) }, phase: now?.phase ?? UploadRecord.read(job).phase,
            bytes: job.bytes, sentBytes: job.standing == .open ? sentBytes : min(sentBytes, job.bytes),
            encode: encode == .none ? nil : encode.rawValue,
            encodedPercent: now?.encodedPerMille.map { $0 / 10 }, importance: job.importance.word, owner: job.owner,
            note: job.note, url: job.url,
            verified: job.verified?.how, why: now?.failure ?? waitsFor ?? job.failure)
    }
}

extension UploadFilter.Standing {
    /// The catalog's word.
    fileprivate var catalog: UploadStanding {
        switch self {
        case .open: .open
        case .due: .due
        case .failed: .failed
        case .over: .over
        }
    }
}

extension UploadImportance {
    /// The interface's word.
    fileprivate var word: String {
        switch self {
        case .continuous: "continuous"
        case .event: "event"
        case .command: "command"
        case .asked: "asked"
        }
    }
}

extension Upload.Refusal {
    /// Why an order was refused, in words.
    fileprivate var words: String {
        switch self {
        case .done: "it is done"
        case .cancelled: "it was cancelled before"
        case .removed: "what was sent is being removed, or is gone"
        case .notFailed: "it has not failed"
        }
    }
}
