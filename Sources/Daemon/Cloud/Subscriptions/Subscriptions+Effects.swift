internal import Catalog
internal import Journal
internal import Machines

/// What the machines order, carried out, and the rules of age.
extension Subscriptions {
    /// Carries out one order. What throws is owed as it was.
    func perform(_ effect: Subscription.Effect, _ camera: SubscribedCamera) throws {
        switch effect {
        case .load(let number): ask(camera.name, number)
        case .abandon: giveUp(camera.name)
        case .uploads(let isAllowed):
            camera.isAllowed = isAllowed
            publish(camera.name, camera.view)
            onAllowed(camera.name, isAllowed)
        case .purgeRemote(let rule): try purge(camera, rule)
        case .ignored(let why):
            guard why != .duplicate else { return }
            journal.send(
                .machineIgnored, camera: camera.name, fields: [(.event, "subscription"), (.why, why.rawValue)])
        // The journal is told by what is kept, and others see the machine.
        case .report, .stopped: break
        }
    }

    /// Takes every clip of a camera out of the cloud's lists. Blocking, and in one turn: nothing may be uploaded in between, so no
    /// clip of a plan that is renewed meanwhile goes with them.
    private func purge(_ camera: SubscribedCamera, _ rule: Subscription.Rule) throws {
        while true {
            let page = try catalog.oldestRemote(camera: camera.name, limit: Self.pageMax)
            guard !page.isEmpty else { break }
            let removed = try remove(page.map(\.id), of: camera, rule.rawValue, atWallMs: host.clock.wallMs())
            // What stays though it was to go would be given again and again.
            guard removed > 0 else { throw DaemonFailure("the catalog keeps \(page.count) clips that were to go") }
            camera.purged += removed
        }
        camera.stored = SubscribedCamera.Stored()
        guard camera.purged > 0 else { return }
        journal.send(
            .cloudPurged, camera: camera.name,
            fields: [(.rule, rule.rawValue), (.count, "\(camera.purged)")] + camera.told.fields)
        camera.purged = 0
        onPurged(camera.name)
    }

    /// Applies the rules of age to the cameras whose plan is active. Blocking.
    func retain(atWallMs wallMs: Int64) {
        for camera in byName where camera.isSettled && camera.machine.uploadsAllowed {
            guard let ageMs = camera.ageMs else { continue }
            do {
                try retain(camera, ageMs, atWallMs: wallMs)
                isUnkeptTold = false
            } catch {
                if !isUnkeptTold { tellUnkept(error, of: camera.name) }
                isUnkeptTold = true
            }
        }
    }

    private func retain(_ camera: SubscribedCamera, _ ageMs: Int64, atWallMs wallMs: Int64) throws {
        var count = 0
        defer {
            if count > 0 {
                journal.send(
                    .cloudClipsExpired, camera: camera.name,
                    fields: [(.rule, CloudRetentionPlan.Rule.cloudAge.rawValue), (.count, "\(count)")])
                onPurged(camera.name)
                storedChanged(camera.name)
            }
        }
        for _ in 0..<Self.pagesMax {
            let page = try catalog.oldestRemote(camera: camera.name, limit: Self.pageMax)
            let plan = CloudRetentionPlan(
                page, limits: [camera.name: CloudRetentionPlan.Limits(ageMs: ageMs)], nowMs: ages.wallMs())
            guard let rule = plan.deletions.first?.rule else { return }
            count += try remove(plan.deletions.map(\.id), of: camera, rule.rawValue, atWallMs: wallMs)
            if plan.deletions.count < Self.pageMax { return }
        }
    }

    /// Takes clips out of every list and owes the deletion of their objects, durably.
    private func remove(_ ids: [Int64], of camera: SubscribedCamera, _ rule: String, atWallMs wallMs: Int64) throws
        -> Int
    {
        try host.disk(.subscription, camera.name) {
            try catalog.removeRemote(ids.map(RemoteClipID.init(rawValue:)), rule: rule, atWallMs: wallMs).count
        }
    }
}
