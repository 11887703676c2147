internal import Catalog
internal import Daemon
internal import Journal
internal import Machines

/// Sees everything that a site says and does, and holds it against the rules of docs/design/rules.md.
///
/// `@unchecked Sendable`: confined to the simulation's thread.
final class RuleChecker: @unchecked Sendable {
    /// A rule that did not hold.
    struct Violation {
        let at: Int64
        /// The code of a rule of docs/design/rules.md, or the name of a check of docs/design/simulation.md.
        let rule: String
        let camera: String?
        let words: String
    }

    /// What is known of one camera.
    struct Track {
        /// Labels with virtual time from which they held.
        var labels: [(at: Int64, label: Coverage)] = []
        /// Where the checks of labels have come to.
        var labelsChecked = 0
        var phase: Link.Phase?
        var coverage: Coverage?
        var mode: Mode?
        /// When its machine must step next, by virtual time.
        var deadline: Int64?
        /// Clips that were ordered open and not ordered closed.
        var ordered: Set<UInt32> = []
        /// When the last of them was, by virtual time.
        var orderedAt: Int64 = 0
        /// The last clips in the order in which their ends were told, each with its last frame, and its end where that was told in
        /// order. A camera that was put back may record while a hung disk still keeps a clip of its old self from being closed.
        var clips: [(id: ClipID, frame: Int, end: Moment?)] = []
        /// The pre-roll that the clips of each event have promised.
        var promised: [EventID: Int64] = [:]
        /// When recording became forbidden.
        var bans: [Int64] = []
        /// When a clip was ordered closed without waiting for a key frame, or recording became forbidden: what ends there
        /// ends with its last frame, and the next does not continue it.
        var breaks: [Int64] = []
        var isForbidden = true
        /// Clips that are to end at the next key frame, with when that was ordered, until their end is told.
        var cuts: [UInt32: Int64] = [:]
        /// When a machine of this camera has last stopped in this run of the daemon.
        var stoppedAt: Int64?
        /// Clips whose media is known to be missing, or that recovery closed: stretches in which frames may be lost.
        var losses: [ClosedRange<Int64>] = []

        /// Another machine begins, which knows nothing of the one before.
        mutating func forget() {
            phase = nil
            coverage = nil
            mode = nil
            deadline = nil
            ordered = []
            isForbidden = true
            cuts = [:]
        }
    }

    let virtualTime: VirtualTime
    let conditions: HostConditions
    var story = RunLog()
    var violations: [Violation] = []
    var tracks: [String: Track] = [:]
    var cameras: [String: ScriptedCamera] = [:]
    var ignored: [Camera.Ignored: Int] = [:]
    var clipsAudited = 0
    var framesFound = 0
    var deletions: [String: Int] = [:]
    var protected: Set<ClipID> = []
    var deleted: Set<ClipID> = []
    /// The site that is looked at; nil between two runs of the daemon.
    var site: HostedSite?
    /// When the wall clock was last set, by virtual time.
    var clockSetAt: Int64 = -1_000_000
    /// When the boot in progress was, by virtual time; and each that ever was.
    private(set) var bootedAt: Int64 = 0
    var boots: [String: Int64] = [:]
    var root = ""
    /// The store to which clips are sent, and whether any are.
    var store: SimulatedStore?
    var hasCloud = false
    /// The name of the policy that a camera is configured with; nil for one that is not configured.
    var policy: (_ camera: String) -> String? = { _ in nil }
    /// What was told of each upload, by job: the last number and stage, and in which run of the daemon it was told.
    var notices: [Int64: (number: Int, stage: String, run: Int, at: Int64)] = [:]
    private(set) var uploadsDone = 0
    /// The keys of the clips whose policy sends them while they are recorded.
    private(set) var sentLive: Set<String> = []
    /// Jobs whose uploads have counted, be it that the copy went later.
    private(set) var counted: Set<UploadID> = []
    /// Jobs that a person told to be cancelled.
    var cancelled: Set<UploadID> = []
    /// Whether the last run of the daemon was killed.
    private var wasKilled = false
    /// How much of the last media a kill and a power cut may take, in milliseconds: the fragment in flight; and a sync interval, what a
    /// slow disk had not taken.
    private static let killMs: Int64 = 10_000 + 2_000
    private static let powerCutMs: Int64 = 10_000 + 5_000 + 10_000 + 2_000
    /// The most lists of days that the store was seen to have.
    var listsSeen = 0
    /// Counts the runs of the daemon.
    private(set) var runs = 0
    /// Clips whose media was looked at.
    var audited: Set<ClipID> = []

    init(virtualTime: VirtualTime, conditions: HostConditions) {
        self.virtualTime = virtualTime
        self.conditions = conditions
    }

    func fail(_ rule: String, _ camera: String?, _ words: String) {
        violations.append(Violation(at: virtualTime.now, rule: rule, camera: camera, words: words))
        story.note("VIOLATED \(rule): \(words)", at: virtualTime.now)
    }

    /// A new run of the daemon begins: its machines know nothing of the ones before.
    func begin(boot: String, at: Int64) {
        boots[boot] = at
        bootedAt = at
        runs += 1
        for name in tracks.keys {
            tracks[name]?.forget()
            tracks[name]?.stoppedAt = nil
        }
    }

    /// A run of the daemon is over; `powerCut` is nil if it ended in order. A kill loses at most the fragment in flight, a power cut what
    /// was written since the last sync as well; and what a slow disk had not taken. A fragment is as much longer as a frame is.
    func end(powerCut: Bool?) {
        wasKilled = powerCut == false
        let bound: Int64 =
            switch powerCut {
            case nil: 0
            case false?: Self.killMs
            case true?: Self.powerCutMs
            }
        for name in tracks.keys {
            tracks[name]?.labels.append((virtualTime.now, .recorderDown))
            let frameMs = cameras[name]?.frameMs ?? 0
            let lost = conditions.isCalm(sinceMs: 120_000) ? bound + (powerCut == true ? 2 : 1) * frameMs : 300_000
            // What waits for a frame that ends its fragment waits for as long as the camera may be silent. That frame may just have
            // come: what it ended is written, and synced, a moment later.
            let (now, sent, momentMs) = (virtualTime.now, cameras[name]?.sent ?? [], bound - 10_000)
            let isSilent = now - (sent.last?.at ?? now)
            let wasSilent = now - (sent.last { $0.at <= now - momentMs }?.at ?? now) - momentMs - frameMs
            let silent = min(max(0, isSilent, wasSilent), 10_000 + conditions.latenessMax)
            if powerCut != nil {
                tracks[name]?.losses.append(virtualTime.now - silent - lost...virtualTime.now + 1_000)
            }
        }
    }

    /// The power is cut before a recovery is over: what the death before it had left in memory alone may be lost, too, so as much as
    /// in a power cut at that death.
    func cutPowerInRecovery() {
        guard wasKilled else { return }
        for name in tracks.keys {
            guard let loss = tracks[name]?.losses.last else { continue }
            let more = Self.powerCutMs - Self.killMs + (cameras[name]?.frameMs ?? 0)
            tracks[name]?.losses.append(loss.lowerBound - more...loss.upperBound)
        }
        wasKilled = false
    }

    /// Looks at the clips that recovery closed, and those closed in order whose end nobody was left to tell; the storage monitor's first
    /// look may have deleted some again.
    func auditRecovered() {
        // One that died tells nothing of what it did.
        guard let catalog = site?.catalog else { return }
        // All of them: the wall clock may have been set, and what was recorded last need not be the newest.
        let clips = (try? catalog.clips(ClipQuery(limit: ClipQuery.limitMax))) ?? []
        for clip in clips.sorted(by: { $0.id.rawValue < $1.id.rawValue }) where clip.state == .closed {
            if audited.contains(clip.id) { continue }
            audit(clip.id)
            checkQueued(clip.id, clip.camera)
        }
        if !deleted.isSubset(of: audited) { unseen() }
        audited.formUnion(deleted)
    }

    /// Media was recovered and deleted before anybody could look at it.
    private func unseen() {
        for name in tracks.keys { tracks[name]?.losses.append(virtualTime.now - 1_500_000...virtualTime.now) }
    }

    func hear(_ observed: JournalObservation) {
        switch observed {
        case .record(let kind, let camera, let fields):
            story.record(kind, camera, fields, at: virtualTime.now)
            record(kind, camera, fields)
        case .step(let camera, _, _, let input, let state, let effects):
            guard let event = input as? Camera.Event, let machine = state as? Camera,
                let effects = effects as? [Camera.Effect]
            else { return fail("simulation", camera, "a step of another kind") }
            story.step(camera, event, machine, effects, at: virtualTime.now)
            step(camera, event, machine, effects)
        }
    }

    // MARK: Steps

    private func step(_ camera: String, _ event: Camera.Event, _ machine: Camera, _ effects: [Camera.Effect]) {
        var track = tracks[camera] ?? Track()
        // L2 and all other bounds rest on it.
        if let deadline = track.deadline, virtualTime.now > deadline + 3 * conditions.latenessMax + 10 {
            fail("timer", camera, "a deadline was taken \(virtualTime.now - deadline) ms late")
        }
        track.deadline = machine.nextDeadline.map { max($0.ms + bootedAt, virtualTime.now) }
        // Nothing is left of a clip that no key frame was there for. Until that was known it was being opened (S13, the eighth label).
        if case .keyframeMissing(let number) = event, track.ordered.remove(number.rawValue) != nil {
            track.losses.append(track.orderedAt...virtualTime.now)
        }
        for effect in effects {
            switch effect {
            case .dial(let number, _): dialed(camera, number)
            case .openClip(let order):
                if !track.ordered.isEmpty { fail("S1", camera, "clip \(order.number.rawValue) ordered beside another") }
                track.ordered.insert(order.number.rawValue)
                track.orderedAt = virtualTime.now
                let wantedAt = (order.trigger + -order.preRollMs).ms + bootedAt
                // Where the next event began before the cut was told: what came between the two was wanted by nobody.
                if case .cut = event, changed(event) < wantedAt { track.losses.append(changed(event)...wantedAt) }
            case .closeClip(let number, .now, _):
                track.ordered.remove(number.rawValue)
                track.breaks.append(virtualTime.now)
            case .closeClip(let number, .keyframe, _): track.cuts[number.rawValue] = virtualTime.now
            case .report(let report): heard(report, camera, &track)
            case .ignored(let why):
                ignored[why, default: 0] += 1
                if why == .unknown || why == .full || why == .invalid {
                    fail("S9", camera, "a fact was ignored as \(why.rawValue)")
                }
            case .stopped:
                // Where a clip was cut meanwhile the machine was not told, and has ordered no other.
                for at in track.cuts.values.sorted() {
                    track.losses.append(at - conditions.handoverMax...virtualTime.now)
                }
            case .hangUp, .keepMedia, .beginEvent, .endEvent, .noteDetection, .noteSuppressed, .label: break
            }
        }
        switch event {
        case .cut(let number, _), .streamChanged(let number, _), .writeFailed(let number), .closed(let number, _):
            track.cuts[number.rawValue] = nil
        default: break
        }
        if !machine.intent.eventsAllowed, !track.isForbidden {
            track.bans.append(virtualTime.now)
            track.breaks.append(virtualTime.now)
        }
        track.isForbidden = !machine.intent.eventsAllowed
        if machine.stopped { track.stoppedAt = virtualTime.now }
        // Where a cut was told late, what came meanwhile was wanted by nobody, or is in the next clip.
        if changed(event) < virtualTime.now - 5_000 { track.losses.append(changed(event)...virtualTime.now) }
        // What a deadline within the step has ordered, the event may have ended in the same step.
        if !track.ordered.isEmpty, !machine.intent.recordingWanted {
            fail("S6", camera, "a clip is left open while none is wanted")
        }
        if track.labels.last?.label != machine.coverage {
            track.labels.append((changed(event), machine.coverage))
        }
        if machine.stopped { track.forget() }
        tracks[camera] = track
    }

    private func heard(_ report: Camera.Report, _ camera: String, _ track: inout Track) {
        switch report {
        case .link(let from, let to, _, _):
            if let phase = track.phase, phase != from { fail("S11", camera, "link from \(from), it was \(phase)") }
            track.phase = to
        case .coverage(let from, let to):
            if let label = track.coverage, label != from { fail("S13", camera, "label from \(from), it was \(label)") }
            track.coverage = to
        case .mode(let from, let to):
            if let mode = track.mode, mode != from { fail("S11", camera, "mode from \(from), it was \(mode)") }
            track.mode = to
        case .clipEnded(let number, _): track.ordered.remove(number.rawValue)
        case .clipFailed(let number, _): track.ordered.remove(number.rawValue)
        default: break
        }
    }

    /// S10: the dial before has ended, or its hang-up is overdue.
    private func dialed(_ camera: String, _ number: DialNumber) {
        // A try to reach the camera is given up first: H2 is about that.
        let dials = cameras[camera]?.openDials.filter { !$0.isTry } ?? []
        guard let hung = dials.max(by: { $0.number < $1.number }) else { return }
        if hung.stoppedAt == nil {
            fail("S10", camera, "dial \(number.rawValue) while another is open that nobody hung up")
        } else if let stopped = hung.stoppedAt, virtualTime.now - stopped < 5_000 - 3 * conditions.latenessMax - 10 {
            fail("S10", camera, "dial \(number.rawValue) while the one before is hung up for less than its bound")
        }
    }

    // MARK: Records

    private func record(_ kind: MessageKind, _ camera: String?, _ fields: [(Field, String)]) {
        func value(_ field: Field) -> String? { fields.first { $0.0 == field }?.1 }
        func clip() -> ClipID? { value(.clip).flatMap { Int64($0) }.map(ClipID.init) }
        for field in kind.needed.sorted(by: { $0.rawValue < $1.rawValue })
        where field == .camera ? camera == nil : value(field) == nil {
            fail("words", camera, "\(kind) has no \(field.rawValue), which the catalog's words name")
        }
        switch kind {
        case .uploadStage, .uploadDone, .uploadFailed, .uploadEnded:
            checkNotice(camera, value(.job), value(.notice), kind == .uploadDone ? "done" : value(.stage))
            if let path = value(.path), value(.owner).flatMap({ Scenario.clouds[$0] })?.contains("live: true") == true {
                sentLive.insert(path)
            }
            if kind == .uploadDone {
                uploadsDone += 1
                if let job = value(.job).flatMap({ Int64($0) }) { counted.insert(UploadID(rawValue: job)) }
            }
            // Nobody else writes into the store.
            if value(.why)?.contains("holds other content") == true {
                fail("queue", camera, "what an earlier try left is taken for somebody else's: \(value(.why) ?? "")")
            }
        default: break
        }
        switch kind {
        // Retention may be faster than the word of the closing.
        case .clipClosed:
            if let id = clip() {
                let lengthMs = value(.durationMs).flatMap { Int64($0) } ?? 0
                isTaken(id, camera) ? lose(camera, lengthMs: lengthMs) : audit(id)
                checkQueued(id, camera)
            }
        case .eventBegan: checkWanted(camera)
        case .clipRecovered:
            if let id = clip(), site != nil {
                audit(id)
                checkQueued(id, camera)
            }
        // Media behind a change that came too late for the machine to open another clip.
        case .machineIgnored: if value(.event) == "streamChanged" || value(.event) == "cut" { lose(camera) }
        // A machine that has stopped is told nothing of it, be it that the camera was put back and has another one.
        case .streamChanged: if let camera, let id = clip(), isOfStopped(id, camera) { lose(camera) }
        // Media is written only after its row, so a file that no row claims holds none; what was deleted does not come back.
        case .fileSetAside:
            if let to = value(.to), case .success(let frames) = TrackFrames.frames(path: root + "/" + to),
                !frames.isEmpty
            {
                fail("D2", camera, "\(to) was set aside and holds \(frames.count) frames")
            }
        case .clipIncomplete, .writeFailed, .ringOverrun, .clipOpenFailed: lose(camera)
        case .clipDeleted: if let id = clip() { delete(id, camera, value(.rule) ?? "") }
        default: break
        }
    }

    /// Whether retention has taken a clip or is taking it, be it that it has not said so yet.
    private func isTaken(_ id: ClipID, _ camera: String?) -> Bool {
        if deleted.contains(id) { return true }
        guard let catalog = site?.catalog, let camera else { return false }
        if let clip = try? catalog.clip(id) { return clip.state == .deleting }
        let ledger = (try? catalog.deletions(camera: camera, fromWallMs: 0, toWallMs: .max)) ?? []
        return ledger.contains { $0.clip == id }
    }

    /// Whether the machine has stopped by which a clip was begun.
    private func isOfStopped(_ id: ClipID, _ camera: String) -> Bool {
        guard let stoppedAt = tracks[camera]?.stoppedAt, let clip = try? site?.catalog.clip(id),
            let bootedAt = boots[clip.opened.bootID]
        else { return false }
        return clip.start.monotonicMs + bootedAt <= stoppedAt
    }

    /// What the camera sends around now may be missing, and it has been said; so may a clip of this length that is over.
    func lose(_ camera: String?, lengthMs: Int64 = 0) {
        for name in cameras.keys.sorted() where camera == nil || camera == name {
            tracks[name, default: Track()].losses.append(
                virtualTime.now - 120_000 - lengthMs...virtualTime.now + 60_000)
        }
    }

    /// S12: each deletion names its rule, and is in the ledger under it; what is protected stays.
    private func delete(_ id: ClipID, _ camera: String?, _ rule: String) {
        deletions[rule, default: 0] += 1
        deleted.insert(id)
        checkGuard(id, camera, rule)
        if RetentionPlan.Rule(rawValue: rule) == nil { fail("S12", camera, "clip \(id) deleted by no rule: \(rule)") }
        if protected.contains(id) { fail("D4", camera, "clip \(id) is protected and was deleted") }
        guard let catalog = site?.catalog, let camera else { return }
        let ledger = (try? catalog.deletions(camera: camera, fromWallMs: 0, toWallMs: .max)) ?? []
        if ledger.last(where: { $0.clip == id })?.rule != rule {
            fail("S12", camera, "clip \(id) is not in the ledger under \(rule)")
        }
        if (try? catalog.clip(id)) != .some(nil) { fail("D7", camera, "clip \(id) is told deleted and has a row") }
    }
}
