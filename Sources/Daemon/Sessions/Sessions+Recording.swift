internal import Catalog
internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Server

/// What a viewer records is a stretch of what the camera sends: the camera is ordered to record for as long as the viewer
/// wishes, and what it records meanwhile is protected.
extension Sessions {
    /// For how long the camera is ordered to record at a time, and when it is ordered anew, in milliseconds: so it records at
    /// least while the viewer wishes it, and at most so much longer.
    static let recordMs: Int64 = 30_000
    static let recordAgainMs: Int64 = 20_000
    /// How long an event gets that way, in milliseconds; what the viewer wishes beyond is the next one, chained to it.
    static let recordMaxMs: Int64 = 600_000
    /// When clips are protected for the first time, in milliseconds: one may be opened first.
    static let protectMs: Int64 = 2_000

    func recordOn(_ number: Session.OrderNumber, _ viewer: Viewer) {
        guard let camera = pool.camera(viewer.camera) else { return answer(viewer.id, number, .unreachable) }
        let (id, sinceMs) = (viewer.id, host.clock.wallMs())
        let reply = order(camera, viewer)
        Task {
            let failure = Self.failure(await reply.answer(withinMs: CameraInbox.answerMs))
            guard viewers[id]?.machine.ask?.number == number else { return }
            answered(id, number, failure)
            // The session's time, or that of the answer, may have been over first.
            guard let viewer = viewers[id], viewer.machine.record else { return }
            viewer.recordsSinceMs = sinceMs
            viewer.recordTimer.set(afterMs: Self.protectMs)
        }
    }

    func recordOff(_ viewer: Viewer) {
        guard let sinceMs = viewer.recordsSinceMs else { return }
        viewer.recordsSinceMs = nil
        viewer.recordTimer.set(afterMs: nil)
        let (id, camera, by) = (viewer.id, viewer.camera, viewer.by)
        writing.append(
            Task { [journal] in
                let (count, why) = await protect(camera, since: sinceMs)
                journal.send(
                    .sessionRecorded, camera: camera,
                    fields: [(.user, by), (.count, "\(count)"), (.session, id)] + (why.map { [(.why, $0)] } ?? []))
            })
        // Those that are done are let go; there are as many as sessions at most.
        if writing.count > Self.siteMax { writing.removeFirst() }
    }

    /// Time to order the camera to record on, and to protect what it has recorded.
    func recordDue(_ id: String) {
        guard let viewer = viewers[id], let sinceMs = viewer.recordsSinceMs else { return }
        guard let camera = pool.camera(viewer.camera) else { return }
        let reply = order(camera, viewer)
        viewer.recordTimer.set(afterMs: Self.recordAgainMs)
        Task {
            _ = await protect(camera.name, since: sinceMs)
            guard Self.failure(await reply.answer(withinMs: CameraInbox.answerMs)) != nil else { return }
            endRecording(id)
        }
    }

    /// The camera may not record any more: what the viewer records ends. It is told as what it is, a wish that is off.
    func endRecording(_ id: String) {
        guard let viewer = viewers[id], viewer.machine.record || viewer.machine.ask?.order == .recordOn else { return }
        step(viewer, .request(.record(false)), at: due(viewer))
    }

    /// A camera may not record any more, for whatever reason: what its viewers record ends. Any thread; taken after what came
    /// before.
    nonisolated func cameraMayNotRecord(_ camera: String) {
        queue.run {
            self.assumeIsolated { sessions in
                for viewer in sessions.viewers.values where viewer.camera == camera { sessions.endRecording(viewer.id) }
            }
        }
    }

    private func order(_ camera: CameraRuntime, _ viewer: Viewer) -> FactReply {
        let control = camera.actor.view.machine.intent.policy.timeControl
        let command = TimeControl(
            initialMs: Self.recordMs, augmentationMs: control.augmentationMs, maxMs: Self.recordMaxMs)
        return camera.actor.inbox.request(.commanded(command), by: viewer.by)
    }

    private static func failure(_ answer: FactReply.Answer) -> Session.Failure? {
        switch answer {
        case .taken(let effects, _):
            for case .report(.refused) in effects { return .unsupported }
            return nil
        case .stopped: return .unreachable
        case .full, .late: return .timeout
        }
    }

    /// Protects what the camera has recorded since a moment; gives how many clips, and what went wrong.
    private func protect(_ camera: String, since sinceMs: Int64) async -> (count: Int, why: String?) {
        do {
            let count = try await Blocking.always { [catalog] in
                let clips = try catalog.clips(
                    ClipQuery(camera: camera, fromWallMs: sinceMs, limit: ClipQuery.limitMax, includingOpen: true))
                return try catalog.protect(clips.map(\.id), true).count
            }
            return (count, nil)
        } catch {
            return (0, "\(error)")
        }
    }
}
