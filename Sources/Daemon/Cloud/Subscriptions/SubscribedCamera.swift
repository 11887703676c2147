internal import Catalog
internal import Cloud
internal import Machines
internal import Provider

/// One camera with a subscription: its machine and what it holds. Confined to `Subscriptions`.
final class SubscribedCamera {
    let name: String
    var machine: Subscription
    var seq: UInt64 = 0
    var last: Instant
    /// What is to be kept of it. Its dates are wall times: they are the truth, and the machine's instants follow from them.
    var kept: CloudSubscription
    /// What the catalog keeps; nil where it has nothing.
    var saved: CloudSubscription?
    /// What the machine has ordered and was not carried out yet, in order: while it is not empty, or `kept` is not saved, the
    /// machine takes no step.
    var owed: [Subscription.Effect] = []
    /// When what is owed is tried again; nil while nothing is.
    var retryAt: Instant?
    /// Whether it was told that something is owed.
    var isOwedTold = false
    /// An answer that came meanwhile.
    var waiting: (number: Subscription.LoadNumber, outcome: Outcome)?
    /// Clips that the purge under way has taken out so far.
    var purged = 0
    /// Whether its clips may be uploaded, as others were told.
    var isAllowed = false
    /// What the journal was told last.
    var told: PlanWords
    /// What it has in the cloud.
    var stored: Stored
    /// Clips in the cloud older than this go, in milliseconds; nil for no limit but the plan's.
    var ageMs: Int64?

    init(_ name: String, _ kept: CloudSubscription, saved: CloudSubscription?, stored: Stored, at dates: WallDates) {
        self.name = name
        self.kept = kept
        self.saved = saved
        self.stored = stored
        told = PlanWords(kept, isStored: stored.clips > 0, wallMs: dates.wallMs)
        last = dates.now
        // Its first deadline comes after its first step, which therefore changes nothing: from it the trace says what it began with.
        let begin = dates.now + 1
        let before = kept.machineKept(dates, by: begin)
        machine = Subscription(before, stored: stored.clips > 0, at: begin)
        self.kept.follow(machine, from: before, dates)
    }

    /// What came of a load.
    enum Outcome: Sendable {
        /// A plan without an end.
        case always
        /// What the service says; how long clips outlive their plan where it does not say, in milliseconds.
        case plans(PlanAnswer, retentionMs: Int64)
        /// Why nothing came.
        case failure(PlanFailure)
    }

    /// What a camera has in the cloud.
    struct Stored: Hashable, Sendable {
        /// Its clips.
        var clips: Int64 = 0
        /// Their bytes.
        var bytes: Int64 = 0
    }

    /// Everything it has ordered is carried out, and what is to be kept is.
    var isSettled: Bool { owed.isEmpty && kept == saved }

    /// What others may see of it.
    struct View: Sendable {
        /// The camera.
        let camera: String
        /// The one of six states.
        let report: Subscription.Report
        /// What is kept of it: plan, dates, name, address, last answer, failure.
        let kept: CloudSubscription
        /// What it has in the cloud.
        let stored: Stored
        /// Whether its clips may be uploaded.
        let isAllowed: Bool
        /// Clips in the cloud older than this go, in milliseconds; nil for no limit but the plan's.
        let ageMs: Int64?
    }

    /// As it is now.
    var view: View {
        View(
            camera: name, report: machine.report, kept: kept, stored: stored, isAllowed: isAllowed, ageMs: ageMs)
    }
}

extension CloudSubscription {
    /// What a camera begins with that never had a plan.
    init(of camera: String) {
        self.init(
            camera: camera, plan: .none, retentionMs: Subscription.Kept.defaultRetentionMs,
            state: Subscription.Report.noService.rawValue)
    }

    /// For a machine that begins at `begin`.
    func machineKept(_ dates: WallDates, by begin: Instant) -> Subscription.Kept {
        let plan: Subscription.Plan =
            switch plan {
            case .none: .none
            case .active(let until): .active(until: dates.instant(ofWallMs: until))
            case .expired: .expired
            }
        let gone: Subscription.Gone =
            switch gone {
            case .unknown: .unknown
            case .at(let wallMs) where dates.instant(ofWallMs: wallMs) <= begin: .over
            case .at(let wallMs): .at(dates.instant(ofWallMs: wallMs))
            case .over: .over
            }
        return Subscription.Kept(plan: plan, gone: gone, retentionMs: retentionMs)
    }

    /// Follows the machine, which knew `before`, and was answered `answer` in this step. What has not changed keeps its dates.
    mutating func follow(
        _ machine: Subscription, from before: Subscription.Kept, answer: Subscription.Answer? = nil, _ dates: WallDates
    ) {
        let kept = machine.kept
        state = machine.report.rawValue
        retentionMs = kept.retentionMs
        if kept.gone != before.gone {
            gone =
                switch kept.gone {
                case .unknown: .unknown
                case .at(let instant): .at(wallMs: dates.wallMs(of: instant))
                case .over: .over
                }
        }
        guard kept.plan != before.plan || answer != nil else { return }
        switch (kept.plan, answer) {
        case (.none, _): plan = .none
        case (.active(let until), _): plan = .active(untilWallMs: dates.wallMs(of: until))
        case (.expired, .active(let until, _)): plan = .expired(atWallMs: dates.wallMs(of: until))
        case (.expired, .expired(let at, _)): plan = .expired(atWallMs: dates.wallMs(of: min(at, dates.now)))
        // It ended by itself.
        case (.expired, _): if case .active(let until) = plan { plan = .expired(atWallMs: until) }
        }
    }
}
