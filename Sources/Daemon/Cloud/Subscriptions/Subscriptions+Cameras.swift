internal import Catalog
internal import Journal
internal import Machines
internal import Policies

/// Cameras come and go, and their machines begin anew after the clock was set.
extension Subscriptions {
    /// Puts a configuration in force. Blocking. What cannot be read or kept is tried again: nobody uploads whose plan is not known.
    func use(_ loaded: LoadedConfiguration) {
        guard !isDraining else { return }
        let wanted = Self.wanted(loaded)
        let provider = loaded.configuration.cloud.map { PlanProvider($0, loaded.configuration) }
        let isOther = provider != self.provider
        self.provider = provider
        for camera in byName where wanted[camera.name] == nil { leave(camera) }
        for (name, ageMs) in wanted { cameras[name]?.ageMs = ageMs }
        do {
            try enter(wanted)
            postponed = nil
            isUnkeptTold = false
        } catch {
            postponed = (loaded, host.clock.now() + Self.retryMs)
            if !isUnkeptTold { tellUnkept(error) }
            isUnkeptTold = true
        }
        if isOther { askAnew() }
        timer = timer ?? queue.timer { [weak self] in self?.assumeIsolated { $0.wake() } }
        retentionAt = retentionAt ?? host.clock.now() + Self.retentionMs
        setTimer()
    }

    /// The cameras that send something, and how old what they sent may become, in milliseconds.
    static func wanted(_ loaded: LoadedConfiguration) -> [String: Int64?] {
        guard loaded.configuration.cloud != nil else { return [:] }
        var wanted: [String: Int64?] = [:]
        for camera in loaded.configuration.cameras {
            guard let rules = loaded.policies[camera.policy]?.cloud, rules.upload != .none else { continue }
            wanted.updateValue(rules.retentionMs, forKey: camera.name)
        }
        return wanted
    }

    /// Begins with what the catalog keeps of each camera. Of those that have no subscription any more no active plan is kept: a
    /// plan that nobody follows would keep their clips waiting for an upload for ever.
    private func enter(_ wanted: [String: Int64?]) throws {
        let known = Dictionary(
            try catalog.subscriptions().map { ($0.camera, $0) }, uniquingKeysWith: { first, _ in first })
        let usage = try storedNow()
        for (name, var kept) in known.sorted(by: { $0.key < $1.key }) where wanted[name] == nil {
            guard case .active = kept.plan else { continue }
            (kept.plan, kept.gone, kept.state) = (.none, .unknown, Subscription.Report.noService.rawValue)
            try keep(kept)
        }
        for (name, ageMs) in wanted.sorted(by: { $0.key < $1.key }) where cameras[name] == nil {
            let camera = begin(
                name, known[name] ?? CloudSubscription(of: name), saved: known[name],
                stored: usage[name] ?? SubscribedCamera.Stored(), isAllowed: false)
            camera.ageMs = ageMs
            publish(name, camera.view)
        }
    }

    /// A machine that begins now with what is kept.
    @discardableResult
    private func begin(
        _ name: String, _ kept: CloudSubscription, saved: CloudSubscription?, stored: SubscribedCamera.Stored,
        isAllowed: Bool
    ) -> SubscribedCamera {
        let dates = WallDates(ages)
        let camera = SubscribedCamera(name, kept, saved: saved, stored: stored, at: dates)
        cameras[name] = camera
        camera.isAllowed = isAllowed
        if camera.machine.uploadsAllowed != isAllowed { camera.owed = [.uploads(camera.machine.uploadsAllowed)] }
        step(camera, .tick, at: dates)
        return camera
    }

    /// The camera has no subscription any more.
    private func leave(_ camera: SubscribedCamera) {
        end(camera)
        cameras[camera.name] = nil
        publish(camera.name, nil)
        if camera.isAllowed { onAllowed(camera.name, false) }
    }

    /// Ends a machine. Nothing that it orders is owed but what its trace has: whoever ends it says what follows.
    private func end(_ camera: SubscribedCamera) {
        let now = max(host.clock.now(), camera.last)
        let effects = camera.machine.step(.drain, at: now)
        steps.step(
            subscription: camera.name, seq: camera.seq + 1, at: now, event: .drain, machine: camera.machine,
            effects: effects)
        steps.forget(subscription: camera.name)
        giveUp(camera.name)
    }

    /// The wall clock was set: each machine begins anew, with the instants to which its dates come now. What it owed it orders
    /// again, and whether uploads are allowed is told only where that is something else now.
    func beginAnew() {
        guard !isDraining else { return }
        for camera in byName {
            end(camera)
            let anew = begin(
                camera.name, camera.kept, saved: camera.saved, stored: camera.stored, isAllowed: camera.isAllowed)
            (anew.ageMs, anew.purged) = (camera.ageMs, camera.purged)
            publish(camera.name, anew.view)
        }
    }
}
