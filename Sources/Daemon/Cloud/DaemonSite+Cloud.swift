internal import Catalog
internal import Journal
internal import Machines
internal import Policies
internal import Server

extension DaemonSite {
    func cloud(in scope: CameraScope) async throws -> CloudStatus {
        let store = await uploadQueue.storeView()
        var provider: String?
        if case .service(let service)? = configuration.current.cloud?.provider { provider = service.url }
        let wallMs = clock.wallMs()
        let keys = lookup.remote.reader.keys
        let key = keys.current
        return CloudStatus(
            store: store.name, why: store.problem, provider: provider,
            encryption: keys.isEncrypting ? CloudStatus.Encryption(keyID: key?.key.id, backup: key?.backup) : nil,
            webhook: try await webhookStatus(in: scope),
            cameras: subscriptions.views.filter { scope.contains($0.camera) }.map {
                CloudStatus.Camera($0, wallMs: wallMs)
            })
    }

    /// Whom the stages are told to. What waits is of all cameras: who may see some alone is not told.
    private func webhookStatus(in scope: CameraScope) async throws -> CloudStatus.Webhook? {
        guard scope.names == nil, let view = webhook.view else { return nil }
        let waiting = try await Blocking.run { [catalog] in try catalog.webhook()?.waiting ?? 0 }
        return CloudStatus.Webhook(
            address: view.origin, waiting: Int64(waiting),
            failingSince: view.outage.map { WallTime(ms: $0.sinceWallMs) }, why: view.outage?.words)
    }

    func refreshCloud(in scope: CameraScope) async throws -> CloudStatus {
        if let names = scope.names {
            for camera in names { subscriptions.refresh(camera: camera) }
        } else {
            subscriptions.refresh(camera: nil)
        }
        return try await cloud(in: scope)
    }
}

extension CloudStatus.Camera {
    /// What there is to tell of a camera's plan at `wallMs`.
    fileprivate init(_ view: SubscribedCamera.View, wallMs: Int64) {
        let plan = PlanWords(view.kept, isStored: view.stored.clips > 0, wallMs: wallMs)
        self.init(
            camera: view.camera, state: view.report, words: Vocabulary.words(view.report),
            plan: view.kept.planName, planEnd: plan.endWallMs.map { WallTime(ms: $0) },
            deletedAt: plan.goneWallMs.map { WallTime(ms: $0) }, manageUrl: view.kept.manageURL,
            loaded: view.kept.loadedWallMs.map { WallTime(ms: $0) }, why: view.kept.failure, sends: view.isAllowed,
            clips: view.stored.clips, bytes: view.stored.bytes)
    }
}
