public import Machines

// The notation of model/README.md "Lines".
extension SubscriptionWorld {
    /// The state: the plan, then fields.
    public func text(of state: Subscription) -> String {
        func ticks(_ instant: Instant) -> String { "\(instant.ms / Self.tickMs)" }
        let stopped = state.load == .stopped
        let head =
            switch state.kept.plan {
            case .none: "none"
            case .active(let until): "active:\(stopped ? "-" : ticks(until))"
            case .expired: "expired"
            }
        var line = LineText(head: head)
        switch state.kept.gone {
        case .unknown: break
        case .at(let end): line.field("gone", ticks(end))
        case .over: line.field("gone", "0")
        }
        line.flag("stored", state.stored)
        line.flag("failed", state.failed)
        switch state.load {
        case .ask(_, let until): line.field("ask", ticks(until))
        case .next(let at): line.field("next", ticks(at))
        case .stopped: line.flag("stopped", true)
        }
        return line.text
    }

    /// The event.
    public func text(of event: Event) -> String {
        switch event {
        case .tick: "tick"
        case .refresh: "refresh"
        case .drain: "drain"
        case .stored(let stored): .call("stored", stored ? "1" : "0")
        case .loaded(let number, .none): .call("loaded", number.rawValue, "none")
        case .loaded(let number, .active(let left)): .call("loaded", number.rawValue, "active", "\(left)")
        case .loaded(let number, .expired(let left)): .call("loaded", number.rawValue, "expired", "\(left)")
        case .loadFailed(let number): .call("loadFailed", number.rawValue)
        }
    }

    /// The effect, without its number.
    public func text(of effect: Subscription.Effect) -> String? {
        switch effect {
        case .load: "load"
        case .abandon: "abandon"
        case .uploads(let allowed): .call("uploads", allowed ? "on" : "off")
        case .purgeRemote(let rule): .call("purgeRemote", rule.rawValue)
        case .report(let report): .call("report", report.rawValue)
        case .ignored(let why): .call("ignored", why.rawValue)
        case .stopped: "stopped"
        }
    }
}
