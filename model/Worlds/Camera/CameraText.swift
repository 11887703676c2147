internal import Machines

extension Camera {
    /// A canonical state as a line of a golden graph.
    func line(policy: String) -> String {
        var line = LineText(head: "\(link.phase.rawValue)/\(trigger.word)/\(recorder.word)")
        line.flag("en", intent.enabled, resting: true)
        line.field("pol", policy)
        line.field("next", intent.policyUntil.left)
        line.flag("hard", intent.privacy.hard)
        line.flag("soft", intent.privacy.softRecording)
        line.flag("softLive", intent.privacy.softLive)
        line.field("viewers", "\(intent.viewers)", resting: "0")
        line.field("storage", intent.storage.rawValue, resting: "ok")
        line.flag("drain", intent.draining)
        line.flag("stopped", stopped)
        line.flag("ring", keepsMedia)
        line.field("label", label?.rawValue ?? "-", resting: "")
        line.field("lt", link.deadline.left)
        line.field("key", link.patience.left)
        line.flag("warned", link.warned)
        line.field("fails", "\(link.failures)", resting: "0")
        line.field("steady", link.steady.left)
        line.flag("worked", link.worked == true)
        line.field("other", link.other?.rawValue ?? "-")
        line.field("hang", (link.hangingUp?.deadline).left)
        line.field("win", trigger.windowText)
        line.field("blind", trigger.blindUntil.left)
        line.field("src", (trigger.sources.first?.staleAt).left)
        line.flag("told", trigger.sources.first?.suppressed != nil)
        line.flag("first", asksForPreRoll)
        line.field("rt", recorder.deadline.left)
        line.field("of", recorder.ownerText)
        line.field("why", recorder.cutText)
        line.field("more", "\(recorder.graces ?? 0)", resting: "0")
        line.field("rfails", "\(recorder.failures)", resting: "0")
        line.field("closing", recorder.closingText)
        return line.text
    }

    /// The event has had no clip yet.
    var asksForPreRoll: Bool { trigger.active.map { $0.number != recorder.eventWithClip } ?? false }
}

extension Optional where Wrapped == Instant {
    /// Ticks that remain: `-` for unset, `*` for never.
    var left: String {
        guard let at = self else { return "-" }
        return at.ms == .max ? "*" : "\(at.ms / 1_000)"
    }
}

extension Link {
    /// The state's own deadline, apart from a missing key frame.
    var deadline: Instant? {
        switch state {
        case .off: nil
        case .waiting(let until): until
        case .dialing(_, _, let deadline): deadline
        case .synchronizing(_, _, let silence, _, _), .streaming(_, _, let silence, _): silence
        }
    }

    /// The bound for a key frame.
    var patience: Instant? { if case .synchronizing(_, _, _, let patience, _) = state { patience } else { nil } }

    /// When the failures are forgotten.
    var steady: Instant? { if case .streaming(_, _, _, let steady) = state { steady } else { nil } }

    /// A missing key frame has been reported.
    var warned: Bool { if case .synchronizing(_, _, _, _, let warned) = state { warned } else { false } }
}

extension Trigger {
    var word: String {
        switch state {
        case .quiet: "quiet"
        case .active: "active"
        case .silent: "silent"
        case .settling: "settling"
        case .blind: "blind"
        }
    }

    /// The window that runs, loud or silent.
    var window: Window? {
        switch state {
        case .active(_, let window), .silent(let window): window
        case .quiet, .settling, .blind: nil
        }
    }

    /// When the blind time is over.
    var blindUntil: Instant? { if case .blind(let until) = state { until } else { nil } }

    /// `end/previous/limit/command/sensitivity/A/B/M/chained`; while settling only B is kept.
    fileprivate var windowText: String {
        if case .settling(_, let blindMs) = state { return "-/-/-/0/0/0/\(blindMs / 1_000)/0/-" }
        guard let window else { return "-" }
        let times = [window.end, window.previousEnd, window.limit].map(\.left)
        let numbers = [Int64(window.sensitivity.rawValue), window.augmentationMs / 1_000, window.blindMs / 1_000]
        let longest = window.limit.ms == .max ? "*" : "\((window.limit - window.began) / 1_000)"
        let texts = times + [window.commanded.digit] + numbers.map { "\($0)" } + [longest, (window.chained?.end).left]
        return texts.joined(separator: "/")
    }
}

extension Recorder {
    var word: String {
        switch state {
        case .idle: "idle"
        case .opening: "opening"
        case .writing: "writing"
        case .cutting: "cutting"
        }
    }

    /// The state's deadline: retry wait, bound of the opening, clip length, forced cut.
    var deadline: Instant? {
        switch state {
        case .idle: retryAt
        case .opening(_, let deadline): deadline
        case .writing(_, let cutAt): cutAt
        case .cutting(_, _, let grace): grace
        }
    }

    fileprivate var ownerText: String {
        guard let clip else { return "-" }
        return clip.event.map { $0 == EventNumber(2) ? "cur" : "old" } ?? "none"
    }

    fileprivate var cutText: String {
        if case .cutting(_, let why, _) = state { return why.rawValue }
        return clip?.ended?.rawValue ?? "-"
    }

    fileprivate var closingText: String {
        if closing.isEmpty { return "-" }
        let clips = closing.map {
            "\(Optional($0.deadline).left):\($0.event == nil ? "-" : "cur"):\($0.opened ? "open" : "opening")"
        }
        return clips.joined(separator: "+")
    }
}

extension Camera.Effect {
    /// As model/README.md writes it. Numbers, and what follows from the state (until when, after which wait), are left out.
    var text: String {
        switch self {
        case .dial(_, let endpoint): .call("dial", endpoint.rawValue)
        case .hangUp: "hangUp"
        case .keepMedia(let keep): keep ? "keepRing" : "purgeRing"
        case .openClip(let order):
            .call("openClip", order.event == nil ? "continuous" : "event", order.preRollMs > 0 ? "preroll" : "-")
        case .closeClip(_, let point, let why): .call("closeClip", point.rawValue, why.rawValue)
        case .beginEvent: "beginEvent"
        case .endEvent(_, let why): .call("endEvent", why.rawValue)
        case .noteDetection: "noteDetection"
        case .noteSuppressed(_, let why, _): .call("noteSuppressed", why.rawValue)
        case .label(let label): .call("label", label.rawValue)
        case .report(let report): report.text
        case .ignored(let why): .call("ignored", why.rawValue)
        case .stopped: "stopped"
        }
    }
}

extension Camera.Report {
    fileprivate var text: String {
        switch self {
        case .link(let from, let to, nil, _): .call("report", "link", from.rawValue, to.rawValue)
        case .link(let from, let to, let failure?, _):
            .call("report", "link", from.rawValue, to.rawValue, failure.rawValue)
        case .noKeyFrame: .call("report", "noKeyFrameYet")
        case .hangUpOverdue: .call("report", "hangUpOverdue")
        case .eventBegan: .call("report", "eventBegan")
        case .eventProlonged: .call("report", "eventProlonged")
        case .eventEnded(_, let why): .call("report", "eventEnded", why.rawValue)
        case .suppressed(_, let why): .call("report", "suppressed", why.rawValue)
        case .refused(let why): .call("refused", why.rawValue)
        case .sourceExpired: .call("report", "sourceExpired")
        case .clipOpened: .call("report", "clipOpened")
        case .clipFailed: .call("report", "clipFailed")
        case .clipEnded(_, let why): .call("report", "clipEnded", why.rawValue)
        case .clipClosed(_, let complete): .call("report", "clipClosed", complete ? "complete" : "incomplete")
        case .clipOverdue: .call("report", "closeOverdue")
        case .enabled(let on): .call("report", "enabled", on.digit)
        case .privacy(let privacy): .call("report", "privacy", privacy.hard.digit, privacy.softRecording.digit)
        case .mode(let from, let to): .call("report", "mode", from.rawValue, to.rawValue)
        case .storage(let from, let to): .call("report", "storage", from.rawValue, to.rawValue)
        case .coverage(let from, let to): .call("report", "coverage", from.rawValue, to.rawValue)
        }
    }
}
