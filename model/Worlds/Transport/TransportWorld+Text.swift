public import Machines

// The notation of model/README.md "Lines".
extension TransportWorld {
    /// The state: the phase, then fields.
    public func text(of state: PushTransport) -> String {
        func ticks(_ instant: Instant) -> String { "\(instant.ms / Self.tickMs)" }
        let head =
            switch state.phase {
            case .idle: "idle"
            case .detected(let window): "detected:\(ticks(window.end))"
            case .blind(let until): "blind:\(ticks(until))"
            case .over: "over"
            }
        var line = LineText(head: head)
        if case .detected(let window) = state.phase {
            line.field("limit", ticks(window.limit))
            line.field("next", window.previousEnd.map(ticks) ?? "-")
            line.field("aug", "\(window.augmentationMs / Self.tickMs)")
            line.field("blind", "\(window.blindMs / Self.tickMs)")
            line.flag("commanded", window.commanded)
        }
        line.field("kind", Self.kind(state.trigger).rawValue, resting: "motion")
        line.flag("active", state.status == .active)
        line.field("block", state.block?.rawValue ?? "-")
        line.flag("held", state.held)
        line.field("expiry", state.expiry.map(ticks) ?? "-")
        line.flag("recording", state.recording != nil)
        return line.text
    }

    static func kind(_ trigger: PushTransport.Trigger) -> Kind {
        switch trigger {
        case .motion: .motion
        case .command: .command
        case .continuous: .continuous
        }
    }

    /// The event.
    public func text(of event: Event) -> String {
        switch event {
        case .tick: "tick"
        case .deallocated: "deallocated"
        case .drain: "drain"
        case .motion(let motion): .call("motion", motion.rawValue)
        case .held(let held): .call("held", held ? "1" : "0")
        case .triggered(let brings): .call("triggered", brings ? "control" : "-")
        case .status(let status): .call("status", status.rawValue)
        case .modified(let kind, let expires): .call("modified", kind.rawValue, expires ? "\(expiry)" : "-")
        case .blocked(let block): .call("blocked", block?.rawValue ?? "-")
        }
    }

    /// The effect, without its number.
    public func text(of effect: PushTransport.Effect) -> String? {
        switch effect {
        case .begin(_, let cause): .call("begin", cause.rawValue)
        case .end(_, let why): .call("end", why.rawValue)
        case .refused(let why): .call("refused", why.rawValue)
        case .ignored(let why): .call("ignored", why.rawValue)
        case .removed(let how): .call("removed", how.rawValue)
        case .stopped: "stopped"
        }
    }
}
