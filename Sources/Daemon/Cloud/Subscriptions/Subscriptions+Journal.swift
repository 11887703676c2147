internal import Catalog
internal import Journal
internal import Machines
internal import Policies
internal import Provider

/// What is told of plans: what they have become, and that they cannot be loaded or kept, once each.
extension Subscriptions {
    /// No answer within its bound.
    static let late = PlanFailure(.unreachable, "the service does not answer within \(PlanRequest.timeoutMs / 1_000) s")

    /// A plan is another one, or its dates are, and that is kept.
    func tellPlan(_ camera: SubscribedCamera) {
        let words = PlanWords(camera.kept, isStored: camera.machine.stored, wallMs: host.clock.wallMs())
        let before = camera.told
        guard words != before else { return }
        camera.told = words
        let hasEnded = before.isActive && !words.isActive
        journal.send(
            .planChanged, camera: camera.name,
            fields: [(.from, before.report.rawValue), (.to, words.report.rawValue)] + words.fields,
            priority: hasEnded ? .warning : nil)
    }

    /// A load failed: told once for each outage.
    func failed(_ failure: PlanFailure) {
        var failing = failing ?? Failing(since: host.clock.now(), words: "", isTold: false)
        failing.words = failure.words
        if !failing.isTold, case .service(let service, _) = provider {
            failing.isTold = true
            journal.send(
                .planLoadFailed,
                fields: [(.why, failure.reason.rawValue), (.url, service.url), (.detail, failure.words)])
        }
        publish(failing: failing)
    }

    /// A load has come: told where one failed before.
    func succeeded() {
        guard let failing else { return }
        journal.send(.planLoaded, fields: [(.durationMs, "\(host.clock.now() - failing.since)")])
        publish(failing: nil)
    }

    /// Something cannot be kept, and is tried again.
    func tellUnkept(_ error: any Error, of camera: String? = nil) {
        journal.send(.planUnkept, camera: camera, fields: [(.detail, "\(error)")])
    }
}
