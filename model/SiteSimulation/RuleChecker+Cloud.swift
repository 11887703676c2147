internal import Catalog
internal import Cloud
internal import Daemon
internal import Foundation
internal import Hashing
internal import Machines

/// What docs/design/cloud.md promises of the queue and of the bucket.
extension RuleChecker {
    /// K5: the stages of a job are told in their order, none left out, and each once in a run of the daemon, unless what says that it
    /// was told could not be written. A removal leaves the number of an acknowledgement out that the disk did not take before it.
    func checkNotice(_ camera: String?, _ job: String?, _ number: String?, _ stage: String?) {
        guard let job = job.flatMap({ Int64($0) }), let number = number.flatMap({ Int($0) }), let stage else {
            return fail("words", camera, "a stage of an upload without job, number or name")
        }
        let last = notices[job]
        if let last, number <= last.number {
            let mayRepeat = last.run < runs || !conditions.isCalm(sinceMs: 30_000)
            if !mayRepeat { fail("K5", camera, "stage \(number) of job \(job) is told twice") }
            return
        }
        let isAfterRefusedRecord =
            last.map {
                stage == "removing" && $0.stage == "uploading" && number == $0.number + 2
                    && !conditions.isCalm(sinceMs: virtualTime.now - $0.at)
            } ?? false
        if number != (last?.number ?? 0) + 1, !isAfterRefusedRecord {
            fail("K5", camera, "stage \(number) of job \(job) follows \(last?.number ?? 0)")
        }
        notices[job] = (number, stage, runs, virtualTime.now)
    }

    /// K1: a clip whose policy sends it has a job as soon as it is closed.
    func checkQueued(_ id: ClipID, _ camera: String?) {
        guard hasCloud, let catalog = site?.catalog, let clip = try? catalog.clip(id), clip.state == .closed,
            clip.tracks.contains(where: { $0.fragments > 0 }), let cloud = Scenario.clouds[clip.opened.policy]
        else { return }
        // A clip that was opened late has the job that the policy of that moment says: another one, or none while the camera was taken
        // out of the configuration.
        guard policy(clip.camera) == clip.opened.policy, let bootedAt = boots[clip.opened.bootID],
            cameras[clip.camera]?.policyAt ?? 0 <= clip.start.monotonicMs + bootedAt
        else { return }
        // Of others an event in it decides.
        guard cloud.contains("upload: all") || clip.opened.cause != .continuous else { return }
        if (try? catalog.upload(of: id)) == .some(nil) { fail("K1", camera, "clip \(id) is closed and has no job") }
    }

    /// K1: an event that begins while a continuous clip is written makes it one that is sent, where the policy sends those with events.
    func checkWanted(_ camera: String?) {
        guard hasCloud, let catalog = site?.catalog, let camera, let track = tracks[camera],
            conditions.isCalm(sinceMs: 400_000),
            policy(camera).flatMap({ Scenario.clouds[$0] })?.contains("upload: events") == true, track.cuts.isEmpty,
            track.ordered.count == 1, virtualTime.now - track.orderedAt > 5_000,
            let open = try? catalog.openClips().filter({ $0.camera == camera }), open.count == 1,
            open[0].opened.policy == policy(camera)
        else { return }
        let id = open[0].id
        virtualTime.after(2_000) { [self] in
            guard conditions.isCalm(sinceMs: 400_000), site?.catalog === catalog, !deleted.contains(id) else { return }
            guard let job = try? catalog.upload(of: id), job.isWanted else {
                return fail("K1", camera, "an event began in clip \(id), and nobody wants it sent")
            }
        }
    }

    /// K6: a description says what is there, and goes last.
    func checkDescription(_ key: String) {
        guard let store, key.hasPrefix("clips/"), let end = key.lastIndex(of: "/") else { return }
        let (folder, name) = (key[...end], key[key.index(after: end)...])
        guard name == CloudKeys.description else { return }
        guard let body = store.objects[key] else {
            let left = store.objects.keys.filter { $0.hasPrefix(folder) && !$0.hasSuffix(CloudKeys.liveDescription) }
            if let first = left.min() {
                fail("K6", nil, "the description of \(folder) went, and \(first) is still there")
            }
            return
        }
        guard let description = try? ClipDescription(parsing: Data(body)) else { return }
        for object in description.tracks.flatMap({ $0.objects }) where store.objects[folder + object.name] == nil {
            fail("K6", description.camera, "\(key) is there, and \(object.name) is not")
        }
    }

    /// After a calm no removal is owed that was asked for before it.
    func checkOwed(beforeWallMs: Int64) {
        guard let catalog = site?.catalog else { return }
        do {
            for owed in try catalog.remoteDeletions(limit: .max) where owed.wallMs <= beforeWallMs {
                fail(
                    "K4", owed.camera,
                    "\(owed.key) is to go by \(owed.rule), and long after it has not: \(owed.failure ?? "")")
            }
        } catch { fail("simulation", nil, "\(error)") }
    }

    /// K3, D4: what waits for its upload is deleted by no rule before the store has it.
    func checkGuard(_ id: ClipID, _ camera: String?, _ rule: String) {
        // A camera that sends nothing any more has no plan, and nothing waits for one. What a rule took while it was out of the
        // configuration may be told a moment after it is back.
        guard rule != "command", let camera, policy(camera).map({ Scenario.clouds[$0] != nil }) ?? false,
            let catalog = site?.catalog, let store, let since = cameras[camera]?.policyAt,
            virtualTime.now - since > 5_000
        else { return }
        guard let job = try? catalog.uploads(UploadQuery(clip: id)).first, job.isGuarded, job.isWanted else { return }
        // That it ended as cancelled says nothing: so does a job whose clip a rule has deleted.
        let isGivenUp =
            job.removal != nil || cancelled.contains(job.id) || counted.contains(job.id)
            || job.kept.phase == Upload.Phase.purged.rawValue
        let isThere = store.objects[CloudKeys.folder(of: job.key) + CloudKeys.description] != nil
        if !isGivenUp, !isThere {
            fail("K3", camera, "clip \(id) was deleted by \(rule), and the store does not have it")
        }
    }

    /// The phases of jobs that have ended without a copy.
    private static let ended = [Upload.Phase.cancelled, .deleted, .purged, .removing, .removeFailed].map(\.rawValue)

    /// No job is lost: each that was told to be queued is in the queue, or was told to be over.
    func checkJobs() {
        guard let catalog = site?.catalog else { return }
        for (job, told) in notices.sorted(by: { $0.key < $1.key }) {
            guard ["queued", "uploading", "uploadFailed"].contains(told.stage) else { continue }
            if (try? catalog.upload(UploadID(rawValue: job))) == .some(nil) {
                fail("queue", nil, "job \(job) was told \(told.stage) and is not in the queue")
            }
        }
    }

    /// After a calm the bucket and the catalog agree: K2, K4 and K6.
    func checkBucket() {
        guard let catalog = site?.catalog, let store else { return }
        do {
            var kept = Set(try catalog.remoteDeletions(limit: .max).map(\.key))
            var query = UploadQuery(limit: ClipQuery.limitMax)
            while true {
                let page = try catalog.uploads(query)
                kept.formUnion(page.filter { !Self.ended.contains($0.kept.phase) }.map(\.key))
                guard page.count == query.limit, let last = page.last else { break }
                query.after = last.id
            }
            for camera in cameras.keys.sorted() {
                for slice in try catalog.remoteSlices(camera: camera, fromWallMs: 0, toWallMs: .max) {
                    guard let known = try catalog.remoteClip(slice.id) else { continue }
                    kept.insert(known.key)
                    guard let (remote, body) = try catalog.remoteOnly(slice.id) else { continue }
                    check(remote, try ClipDescription(parsing: body), store)
                }
            }
            for key in store.objects.keys.sorted() where key.hasPrefix("clips/") {
                let folder = String(key[..<(key.lastIndex(of: "/") ?? key.endIndex)])
                if !kept.contains(folder) { fail("K4", nil, "nobody knows \(key)") }
            }
        } catch { fail("simulation", nil, "\(error)") }
    }

    /// What of the lists of days is not as K7 has it at this moment, in words. The days are those of UTC, as the scenario has them.
    func listProblems() -> Set<String> {
        guard let catalog = site?.catalog, let store else { return [] }
        var (wanted, named) = (Set<String>(), [String]())
        do {
            for camera in try catalog.remoteUsage().map(\.camera) {
                for slice in try catalog.remoteSlices(camera: camera, fromWallMs: 0, toWallMs: .max) {
                    guard let key = try catalog.remoteClip(slice.id)?.key else { continue }
                    let day = CivilDate(daysSince1970: slice.startWallMs / 86_400_000)
                    wanted.insert("days/\(camera)/\(day).m3u8: \(key)")
                }
            }
        } catch { fail("simulation", nil, "\(error)") }
        for (list, body) in store.objects where list.hasPrefix("days/") {
            for line in String(decoding: body, as: UTF8.self).split(separator: "\n") where line.hasPrefix("# ../../") {
                named.append("\(list): \(line.dropFirst("# ../../".count).dropLast("/index.m3u8".count))")
            }
        }
        listsSeen = max(listsSeen, store.objects.keys.count { $0.hasPrefix("days/") })
        var problems = Set(wanted.subtracting(named).map { "\($0) is not named" })
        problems.formUnion(Set(named).subtracting(wanted).map { "\($0) is named, and the catalog does not have it" })
        var seen = Set<String>()
        for clip in named where !seen.insert(clip).inserted { problems.insert("\(clip) is named twice") }
        return problems
    }

    private func check(_ remote: RemoteClip, _ description: ClipDescription, _ store: SimulatedStore) {
        let folder = CloudKeys.folder(of: remote.key)
        guard store.objects[folder + CloudKeys.description] != nil else {
            return fail("K2", remote.camera, "\(remote.key) counts, and has no description")
        }
        for object in description.tracks.flatMap(\.objects) {
            guard let bytes = store.objects[folder + object.name] else {
                return fail("K2", remote.camera, "\(remote.key) counts, and \(object.name) is not there")
            }
            if SHA256.hex(bytes) != object.sha256 {
                fail("K2", remote.camera, "\(remote.key) counts, and \(object.name) has other bytes")
            }
        }
    }
}
