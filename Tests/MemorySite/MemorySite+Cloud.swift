internal import Machines
public import Server
internal import Synchronization

extension MemorySite {
    /// Job 1 of camera `front` failed, job 2 of camera `back` waits.
    static let uploads = [(1 as Int64, "front", Upload.Phase.uploadFailed), (2, "back", .queued)].map {
        id, camera, phase in
        UploadInfo(
            id: id, clip: id, camera: camera, start: origin, queued: origin, phase: phase, bytes: 1_000, sentBytes: 500,
            importance: "event", owner: "shop", note: nil, url: "https://store.example/clips/\(id)/index.m3u8",
            verified: nil, why: phase == .queued ? nil : "the store refused it")
    }

    /// Camera `front` has a plan, and `back` none.
    public func cloud(in scope: CameraScope) async throws -> CloudStatus {
        let cameras = [("front", Subscription.Report.validData, 12), ("back", .noService, 0)].map {
            camera, state, clips in
            CloudStatus.Camera(
                camera: camera, state: state, words: state.rawValue, plan: "Seven days", planEnd: nil, deletedAt: nil,
                manageUrl: nil, loaded: Self.origin, why: nil, sends: clips > 0, clips: Int64(clips), bytes: 1_000)
        }
        return CloudStatus(
            store: "https://store.example/clips", why: nil, provider: nil,
            webhook: scope.names == nil
                ? .init(address: "https://hooks.example", waiting: 2, failingSince: Self.origin, why: "it is away")
                : nil,
            cameras: cameras.filter { scope.contains($0.camera) })
    }

    /// Nobody is asked.
    public func refreshCloud(in scope: CameraScope) async throws -> CloudStatus { try await cloud(in: scope) }

    /// One clip of each camera, of which only the cloud has that of `front`.
    public func cloudLapse(on: WallTime, in scope: CameraScope) async throws -> CloudLapse {
        let one = CloudLapse.Sum(clips: 1, bytes: 1_000)
        return CloudLapse(
            on: on, bytesPerSecond: nil,
            cameras: ["back", "front"].filter(scope.contains).map { camera in
                let alone = camera == "front" ? one : CloudLapse.Sum()
                let day = CloudLapse.Day(
                    day: "2026-11-21", from: Self.origin, to: Self.origin, stored: one, alone: alone,
                    aged: CloudLapse.Sum(), goneFrom: on, goneTo: on)
                return CloudLapse.Camera(
                    camera: camera, goneAt: on, stored: one, alone: alone, fetchSeconds: nil, days: [day])
            })
    }

    /// One clip of each camera, on the day of the origin.
    public func cloudDays(camera: String, month: CalendarMonth) async throws -> [CloudDay] {
        [CloudDay(day: "\(month)-01", from: Self.origin, to: Self.origin, storedMs: 1_000, events: 1)]
    }

    /// One clip that only the cloud has.
    public func cloudSlices(camera: String, _ filter: CloudFilter) async throws -> [CloudSlice] {
        [CloudSlice(clip: -1, start: filter.from, end: filter.to, isEvent: true, isComplete: true, bytes: 1_000)]
    }

    /// One event.
    public func cloudEvents(camera: String, _ filter: CloudFilter) async throws -> [CloudEvent] {
        filter.offset > 0
            ? []
            : [
                CloudEvent(
                    id: 1, start: filter.from, end: nil, cause: "motion", level: 5, detections: 1, zones: ["door"],
                    hasPicture: true, clips: [-1])
            ]
    }

    /// Something that begins like a picture.
    public func cloudPicture(camera: String, event: Int64) async throws -> [UInt8] {
        guard event == 1 else { throw SiteError(.notFound, what: "event \(event)", why: "there is none", remedy: "-") }
        return [0xFF, 0xD8, 0xFF, 0xD9]
    }

    /// A list with the time for which it is signed.
    public func signedList(clip: Int64, _ list: SignedList, seconds: Int) async throws -> [UInt8] {
        Array("#EXTM3U \(clip) \(list.rawValue) \(seconds)\n".utf8)
    }

    /// A key that opens nothing.
    public func clipKey(clip: Int64) async throws -> CloudClipKey {
        CloudClipKey(
            clip: clip, scheme: "cbcs", kid: "00112233-4455-6677-8899-aabbccddeeff",
            key: "00112233445566778899aabbccddeeff")
    }

    /// Says that it waits.
    public func fetch(clip: Int64, by caller: Caller) async throws -> CloudFetch {
        contents.withLock { $0.callers.append(caller) }
        return CloudFetch(
            clip: clip > 0 ? -clip : clip, camera: "front", start: WallTime(ms: 0), end: WallTime(ms: 1_000), bytes: 9)
    }

    /// Says that it was given up.
    public func cancelFetch(clip: Int64) async throws -> CloudFetch {
        var fetch = CloudFetch(
            clip: clip > 0 ? -clip : clip, camera: "front", start: WallTime(ms: 0), end: WallTime(ms: 1_000), bytes: 9)
        fetch.phase = .cancelled
        return fetch
    }

    /// One that was kept.
    public func cloudFetches(in scope: CameraScope) async throws -> [CloudFetch] {
        guard scope.contains("front") else { return [] }
        var fetch = CloudFetch(clip: -1, camera: "front", start: WallTime(ms: 0), end: WallTime(ms: 1_000), bytes: 9)
        (fetch.phase, fetch.fetchedBytes, fetch.kept) = (.kept, 9, 7)
        return [fetch]
    }

    /// Nothing is found.
    public func rebuildCloud(by caller: Caller) async throws -> CloudRebuild {
        contents.withLock { $0.callers.append(caller) }
        return CloudRebuild()
    }

    /// Nothing is under way.
    public func cloudRebuild() async throws -> CloudRebuild { CloudRebuild() }

    /// The jobs of the world.
    public func uploads(_ filter: UploadFilter, in scope: CameraScope) async throws -> Page<UploadInfo> {
        let before = filter.after.flatMap(Int64.init) ?? .max
        let jobs = contents.withLock { $0.uploads }
            .filter { scope.contains($0.camera) && $0.id < before && (filter.clip ?? $0.clip) == $0.clip }
            .sorted { $0.id > $1.id }
        let page = Array(jobs.prefix(filter.limit))
        return Page(items: page, next: page.count < jobs.count ? page.last.map { "\($0.id)" } : nil)
    }

    /// Their totals.
    public func uploadTotals(in scope: CameraScope) async throws -> UploadTotals {
        let jobs = contents.withLock { $0.uploads }.filter { scope.contains($0.camera) }
        let phases = Dictionary(grouping: jobs, by: \.phase).map { phase, jobs in
            UploadTotals.Phase(
                phase: phase, jobs: jobs.count, bytes: jobs.reduce(0) { $0 + $1.bytes },
                sentBytes: jobs.reduce(0) { $0 + $1.sentBytes })
        }
        return UploadTotals(
            store: "https://store.example/clips", why: nil, transfers: 0,
            phases: phases.sorted { $0.phase.rawValue < $1.phase.rawValue })
    }

    /// The camera of a job of the world.
    public func camera(ofUpload job: Int64) async throws -> String? {
        contents.withLock { $0.uploads.first { $0.id == job }?.camera }
    }

    /// Enters a job for a clip of the world.
    public func push(clip: Int64, _ command: PushCommand, by caller: Caller) async throws -> UploadInfo {
        try contents.withLock { contents in
            contents.callers.append(caller)
            guard let found = contents.clips.first(where: { $0.id == clip }) else {
                throw SiteError(
                    .notFound, what: "clip \(clip)", why: "there is none", remedy: "`vigil clips` lists them")
            }
            let job = UploadInfo(
                id: (contents.uploads.map(\.id).max() ?? 0) + 1, clip: clip, camera: found.camera, start: found.start,
                queued: found.start, phase: .queued, bytes: 0, sentBytes: 0, importance: "asked", owner: "\(caller)",
                note: command.note, url: "https://store.example/clips/\(clip)/index.m3u8", verified: nil, why: nil)
            contents.uploads.append(job)
            return job
        }
    }

    /// Queues a job of the world again.
    public func retryUpload(_ job: Int64, by caller: Caller) async throws -> UploadInfo {
        try change(job, by: caller, from: [.uploadFailed, .purged], to: .queued)
    }

    /// Cancels a job of the world.
    public func cancelUpload(_ job: Int64, by caller: Caller) async throws -> UploadInfo {
        try change(job, by: caller, from: [.queued, .uploading, .uploadFailed], to: .cancelled)
    }

    /// Queues all again that failed.
    public func retryUploads(in scope: CameraScope, by caller: Caller) async throws -> OrderedUploads {
        changeAll(in: scope, by: caller, from: [.uploadFailed], to: .queued)
    }

    /// Cancels all that wait.
    public func cancelUploads(in scope: CameraScope, by caller: Caller) async throws -> OrderedUploads {
        changeAll(in: scope, by: caller, from: [.queued, .uploading, .uploadFailed], to: .cancelled)
    }

    private func change(
        _ job: Int64, by caller: Caller, from phases: Set<Upload.Phase>, to phase: Upload.Phase
    ) throws -> UploadInfo {
        try contents.withLock { contents in
            contents.callers.append(caller)
            guard let index = contents.uploads.firstIndex(where: { $0.id == job }) else {
                throw SiteError(
                    .notFound, what: "upload \(job)", why: "there is none", remedy: "`vigil cloud queue` lists them")
            }
            guard phases.contains(contents.uploads[index].phase) else {
                throw SiteError(
                    .conflict, what: "upload \(job)", why: "it is \(contents.uploads[index].phase.rawValue)",
                    remedy: "nothing to do")
            }
            contents.uploads[index].phase = phase
            return contents.uploads[index]
        }
    }

    /// Takes what is signed with `v1,right`.
    public func encoderNotice(_ notice: EncoderNotice) async throws {
        guard notice.signature == "v1,right" else {
            throw SiteError(
                .unauthenticated, what: "the notice was not taken", why: "its signature is not right",
                remedy: "sign it with the secret")
        }
    }

    private func changeAll(
        in scope: CameraScope, by caller: Caller, from phases: Set<Upload.Phase>, to phase: Upload.Phase
    ) -> OrderedUploads {
        contents.withLock { contents in
            contents.callers.append(caller)
            let indices = contents.uploads.indices.filter {
                scope.contains(contents.uploads[$0].camera) && phases.contains(contents.uploads[$0].phase)
            }
            for index in indices { contents.uploads[index].phase = phase }
            return OrderedUploads(jobs: indices.count)
        }
    }
}
