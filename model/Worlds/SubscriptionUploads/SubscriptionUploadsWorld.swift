public import Machines

/// The subscription of a camera and an upload of it, with what passes between them (docs/design/subscription.md "With uploads").
/// What the subscription orders reaches the job in the same turn; that something is stored is told it later. The job's clip is
/// closed and wants no encoding. The alphabet of model/SubscriptionUploads.tla.
public struct SubscriptionUploadsWorld: World {
    /// Both machines.
    public struct State: Hashable, Sendable {
        /// The subscription.
        public internal(set) var plan: Subscription
        var upload: UploadWorld.State

        /// The job.
        public var job: Upload { upload.job }
        /// A plan holds.
        var isActive: Bool { plan.hasPlan }
        /// A plan holds, or its retention is not over.
        var isCovered: Bool { isActive || plan.goneMs != 0 }
        /// The subscription has not heard whether something counts.
        var owesStored: Bool { plan.stored != job.counted }
    }

    /// What can come in.
    public enum Event: Hashable, Sendable {
        /// Time passes for both, for the subscription first.
        case tick
        /// The provider answers.
        case plan(SubscriptionWorld.Event)
        /// The subscription is told whether something counts.
        case stored
        /// Cloud and catalog answer, or somebody gives an order to the job.
        case job(UploadWorld.Event)
        /// Both are made anew from what is kept; if `kept`, an acknowledgement under way became durable.
        case restart(kept: Bool)
    }

    /// What one of the machines orders.
    public enum Effect: Hashable, Sendable {
        case plan(Subscription.Effect)
        case job(Upload.Effect)
    }

    /// The provider does not move the dates of a plan that has ended, and what is owed is told before the next tick.
    public let steady: Bool
    let plan: SubscriptionWorld
    let upload: UploadWorld

    /// A world, with the bounds of model/cfg/SubscriptionUploads.edges.cfg.
    public init(steady: Bool = false) {
        self.steady = steady
        plan = SubscriptionWorld(answer: 1, retry: 2, refresh: 2, retention: 2, untils: [2], gones: [0, 2])
        upload = UploadWorld(retries: 1, put: 2, answer: 1, poll: 1, run: 1)
    }

    /// A camera that never had a plan, and a new job of it.
    public var initial: [State] {
        let job = Upload(encode: false, seal: UploadWorld.seal, timing: upload.timing)
        let first = UploadWorld.State(job: UploadWorld.normal(job, at: UploadWorld.zero), durable: job.record)
        return [
            State(plan: plan.restored(Subscription.Kept(retentionMs: plan.retentionMs), stored: false), upload: first)
        ]
    }

    /// Every event of the alphabet.
    public func successors(of state: State) -> [(action: Labelled<Event, Effect>, next: State)] {
        events(of: state).map { event in
            var next = state
            let effects = take(event, &next)
            return (Labelled(event, effects), next)
        }
    }

    private func events(of state: State) -> [Event] {
        var events: [Event] = loads(of: state)
        switch state.job.state {
        case .put: events += [.job(.uploaded(.cur)), .job(.putFailed(.cur, .unreachable))]
        case .ack: events += [.job(.acked(.cur)), .job(.ackFailed(.cur))]
        case .discard: events += [.job(.discarded(.cur)), .job(.discardFailed(.cur, .unreachable))]
        default: break
        }
        if state.job.state != .deleted { events.append(.job(.delete)) }
        if state.job.state == .purged { events.append(.job(.reUpload)) }
        if state.owesStored { events.append(.stored) }
        if !steady || !state.owesStored { events.append(.tick) }
        return steady ? events : events + [.restart(kept: false), .restart(kept: true)]
    }

    private func loads(of state: State) -> [Event] {
        guard case .ask = state.plan.load else { return [] }
        let none: [Event] = [.plan(.loaded(.cur, .none)), .plan(.loadFailed(.cur))]
        if steady, state.plan.kept.plan != .none || state.plan.goneMs != nil { return none }
        return none + plan.untils.map { .plan(.loaded(.cur, .active($0))) }
            + plan.gones.map { .plan(.loaded(.cur, .expired($0))) }
    }

    // MARK: The shell between them

    private func take(_ event: Event, _ state: inout State) -> [Effect] {
        switch event {
        case .tick:
            let first = step(.tick, ofPlan: &state)
            return first + step(.tick, ofJob: &state)
        case .plan(let event): return step(event, ofPlan: &state)
        case .stored: return step(.stored(state.job.counted), ofPlan: &state)
        case .job(let event): return step(event, ofJob: &state)
        case .restart(let kept): return restart(kept: kept, &state)
        }
    }

    private func step(_ event: SubscriptionWorld.Event, ofPlan state: inout State) -> [Effect] {
        let (effects, next) = plan.step(event, in: state.plan)
        state.plan = next
        var all: [Effect] = []
        for effect in effects { all += [.plan(effect)] + perform(effect, &state) }
        return all
    }

    /// What the subscription orders of the job.
    private func perform(_ effect: Subscription.Effect, _ state: inout State) -> [Effect] {
        switch effect {
        case .uploads(let allowed): step(.allow(allowed), ofJob: &state)
        case .purgeRemote: step(.purge, ofJob: &state)
        case .load, .abandon, .report, .ignored, .stopped: []
        }
    }

    private func step(_ event: UploadWorld.Event, ofJob state: inout State) -> [Effect] {
        let (effects, next) = upload.step(event, in: state.upload)
        state.upload = next
        return effects.map { .job($0) }
    }

    /// What is stored is read from the jobs, and each job is told whether uploads are allowed.
    private func restart(kept: Bool, _ state: inout State) -> [Effect] {
        _ = step(.restart(kept: kept), ofJob: &state)
        state.plan = plan.restored(state.plan.kept, stored: state.job.counted)
        return state.plan.uploadsAllowed ? step(.allow(true), ofJob: &state) : []
    }
}
