internal import Journal
public import Machines

extension Narrator {
    /// What a cloud subscription was told.
    public func words(_ event: Subscription.Event) -> String {
        switch event {
        case .tick: "time passed"
        case .loaded(let number, let answer): "load \(number.rawValue) says: \(words(answer))"
        case .loadFailed(let number, let why): "load \(number.rawValue) failed: \(Vocabulary.words(why))"
        case .stored(let isStored): isStored ? "recordings are in the cloud" : "no recordings are in the cloud"
        case .refresh: "somebody asks for news of the plan"
        case .drain: "Vigil stops, the camera sends nothing any more, or the clock was set"
        }
    }

    private func words(_ answer: Subscription.Answer) -> String {
        switch answer {
        case .none: "there is no plan"
        case .active(let until, let retention):
            "the plan is active until \(time(until)), and recordings outlive it by \(Self.length(retention))"
        case .expired(let at, let retention):
            "the plan ended at \(time(at)), and recordings outlive it by \(Self.length(retention))"
        }
    }

    /// One order of a cloud subscription.
    func words(_ effect: Subscription.Effect) -> String {
        switch effect {
        case .load(let number): "load \(number.rawValue): ask the provider"
        case .abandon(let number): "give load \(number.rawValue) up"
        case .uploads(let isAllowed): isAllowed ? "uploads are allowed" : "uploads are not allowed"
        case .purgeRemote(let rule): "delete all recordings from the cloud by rule \(rule.rawValue)"
        case .report(let report): Vocabulary.words(report)
        case .ignored(let why): "ignored: \(Self.words(why))"
        case .stopped: "stopped"
        }
    }

    private static func words(_ why: Subscription.Ignored) -> String {
        switch why {
        case .late: "it answers a load that is over"
        case .duplicate: "it changes nothing"
        case .unknown: "it answers a load that was never ordered"
        case .stopped: "the subscription has stopped"
        }
    }

    /// The whole machine in one line.
    public func summary(_ machine: Subscription) -> String {
        var parts = [Vocabulary.words(machine.report)]
        switch machine.kept.plan {
        case .none: parts.append("no plan")
        case .active(let until): parts.append("active until \(time(until))")
        case .expired: parts.append("ended")
        }
        switch machine.kept.gone {
        case .unknown: break
        case .at(let end): parts.append("recordings are deleted at \(time(end))")
        case .over: parts.append("the retention of recordings has passed")
        }
        switch machine.load {
        case .ask(let number, let until): parts.append("load \(number.rawValue) is outstanding until \(time(until))")
        case .next(let at): parts.append("the next load comes at \(time(at))")
        case .stopped: parts.append("stopped")
        }
        return parts.joined(separator: ", ")
    }
}
