internal import Catalog
internal import Cloud
internal import Foundation
internal import Journal
internal import Machines
internal import Policies
internal import Provider

/// A request under way.
struct PlanLoad {
    /// Which one.
    let number: Int
    /// Whom it answers, and the numbers of their loads.
    var cameras: [String: Subscription.LoadNumber]
    /// Gives it up.
    let call: any PlanCall
}

/// Loading plans: one request answers all cameras that ask at the time. Nothing waits here: an answer comes as a step of its own.
extension Subscriptions {
    /// A camera's machine asks. The request is made after the steps of all that ask at the same moment.
    func ask(_ camera: String, _ number: Subscription.LoadNumber) {
        asking[camera] = number
        if asking.count == 1 { queue.run { self.assumeIsolated { $0.request() } } }
    }

    /// A camera's machine gives its load up, or is over. A request that answers nobody any more is given up, too.
    func giveUp(_ camera: String) {
        asking[camera] = nil
        guard load?.cameras.removeValue(forKey: camera) != nil, load?.cameras.isEmpty == true else { return }
        load?.call.cancel()
        load = nil
        request()
    }

    /// Another provider, or another login at it: who waits for an answer of the former one waits for that of this one.
    func askAnew() {
        if let load {
            load.call.cancel()
            asking.merge(load.cameras) { waiting, _ in waiting }
        }
        load = nil
        if var failing {
            failing.isTold = false
            publish(failing: failing)
        }
        refreshNow(nil)
        queue.run { self.assumeIsolated { $0.request() } }
    }

    /// Makes the next request, if there is none and somebody waits for one. Blocking: the token may be in a file.
    private func request() {
        guard !isDraining, load == nil, !asking.isEmpty, let provider else { return }
        for camera in byName where asking[camera.name] != nil {
            // The disk has held a step up beyond the bound of its load, and nobody was asked yet: it asks anew.
            if let dates = due(camera), asking[camera.name] == nil { step(camera, .refresh, at: dates) }
        }
        let cameras = asking
        asking = [:]
        guard !cameras.isEmpty else { return }
        switch provider {
        case .always: for (camera, number) in cameras.sorted(by: { $0.key < $1.key }) { came(.always, camera, number) }
        case .service(let service, let credentials):
            do {
                let request = try PlanProvider.request(service, credentials)
                loads += 1
                let number = loads
                let call = host.plans(request) { [weak self, queue] result in
                    queue.run { [weak self] in self?.assumeIsolated { $0.answered(number, result) } }
                }
                load = PlanLoad(number: number, cameras: cameras, call: call)
            } catch {
                let failure = PlanFailure(.unauthorized, "\(error)")
                failed(failure)
                for (camera, number) in cameras.sorted(by: { $0.key < $1.key }) {
                    came(.failure(failure), camera, number)
                }
            }
        }
    }

    /// The service has answered, or could not be asked.
    private func answered(_ number: Int, _ result: Result<[UInt8], PlanFailure>) {
        guard !isDraining, let load, load.number == number, case .service(let service, _) = provider else { return }
        self.load = nil
        let answer = result.flatMap { bytes in
            Result { try PlanAnswer(parsing: Data(bytes)) }
                .mapError { PlanFailure(.invalid, "\($0)") }
        }
        switch answer {
        case .success: succeeded()
        case .failure(let failure): failed(failure)
        }
        for (camera, number) in load.cameras.sorted(by: { $0.key < $1.key }) {
            switch answer {
            case .success(let answer): came(.plans(answer, retentionMs: service.retentionMs), camera, number)
            case .failure(let failure): came(.failure(failure), camera, number)
            }
        }
        request()
    }

    /// What came of a camera's load: a step, or one when it owes nothing.
    func came(_ outcome: SubscribedCamera.Outcome, _ name: String, _ number: Subscription.LoadNumber) {
        guard let camera = cameras[name] else { return }
        guard let dates = due(camera) else { return camera.waiting = (number, outcome) }
        guard case .ask(number, _) = camera.machine.load else {
            // The disk has held this step up beyond the bound of the load: it is asked again at once, not after the wait that follows a
            // service without an answer.
            if case .failure = outcome { return }
            if case .next = camera.machine.load { step(camera, .refresh, at: dates) }
            return
        }
        switch outcome {
        case .failure(let failure):
            camera.kept.failure = failure.words
            step(camera, .loadFailed(number, failure.reason), at: dates)
        case .always:
            camera.kept.loaded(name: nil, manageURL: nil, atWallMs: dates.wallMs)
            let until = dates.instant(ofWallMs: dates.wallMs + PlanProvider.alwaysMs)
            step(
                camera,
                .loaded(
                    number, .active(until: until, retentionMs: Subscription.Kept.defaultRetentionMs)), at: dates)
        case .plans(let answer, let retentionMs):
            camera.kept.loaded(
                name: answer.name(of: name), manageURL: answer.manageURL(of: name), atWallMs: dates.wallMs)
            step(
                camera, .loaded(number, Self.answer(answer.plan(of: name), dates, retentionMs: retentionMs)), at: dates)
        }
    }
}

extension Subscriptions {
    /// A plan for the machine. `retentionMs` holds where the provider says none; an end that it does not date is that of the answer.
    private static func answer(_ plan: PlanAnswer.Plan, _ dates: WallDates, retentionMs standardMs: Int64)
        -> Subscription.Answer
    {
        switch plan {
        case .none: .none
        case .active(let until, let retentionMs):
            .active(until: dates.instant(ofWallMs: until), retentionMs: retentionMs ?? standardMs)
        case .expired(let at, let retentionMs):
            .expired(at: at.map(dates.instant(ofWallMs:)) ?? dates.now, retentionMs: retentionMs ?? standardMs)
        }
    }
}

extension CloudSubscription {
    /// The provider has answered.
    fileprivate mutating func loaded(name: String?, manageURL: String?, atWallMs wallMs: Int64) {
        (planName, self.manageURL, loadedWallMs, failure) = (name, manageURL, wallMs, nil)
    }
}
