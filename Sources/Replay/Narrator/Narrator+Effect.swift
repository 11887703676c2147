internal import Journal
public import Machines

extension Narrator {
    /// What a step ordered, in its order; `nothing` for no effect. What is entered is told by the report that follows it.
    public func words(_ effects: [Camera.Effect]) -> String {
        let told = effects.filter { effect in
            switch effect {
            case .beginEvent, .endEvent, .noteSuppressed, .label: false
            default: true
            }
        }
        return told.isEmpty ? "nothing" : told.map(words).joined(separator: "; ")
    }

    /// One order.
    public func words(_ effect: Camera.Effect) -> String {
        switch effect {
        case .dial(let dial, let endpoint): "dial \(dial.rawValue) over \(endpoint.rawValue)"
        case .hangUp(let dial): "hang up dial \(dial.rawValue)"
        case .keepMedia(let keep): keep ? "keep media for the pre-roll" : "purge the pre-roll and keep none"
        case .openClip(let order): "open clip \(order.number.rawValue) for \(words(order))"
        case .closeClip(let clip, let point, let why):
            "close clip \(clip.rawValue) \(point == .now ? "now" : "at the next key frame"): \(Vocabulary.words(why))"
        case .beginEvent(let event, let cause, _): "enter event \(event.rawValue), begun by \(Vocabulary.words(cause))"
        case .endEvent(let event, let why): "enter the end of event \(event.rawValue): \(Self.words(why))"
        case .noteDetection(let event, _): "note the detection for event \(event.rawValue)"
        case .noteSuppressed(_, let why, let event):
            "note that the detection does not count: \(Self.words(why))"
                + (event.map { ", event \($0.rawValue)" } ?? "")
        case .label(let label): "enter the label \(Vocabulary.words(label))"
        case .report(let report): words(report)
        case .ignored(let why): "ignored: \(Self.words(why))"
        case .stopped: "stopped: nothing is open, and no answer is awaited"
        }
    }

    private func words(_ order: Camera.ClipOrder) -> String {
        let event = order.event.map { " of event \($0.rawValue)" } ?? ""
        let preRoll = order.preRollMs > 0 ? "\(Self.length(order.preRollMs)) before " : ""
        return "\(Vocabulary.words(order.cause))\(event), from \(preRoll)\(time(order.trigger))"
    }

    private func words(_ report: Camera.Report) -> String {
        switch report {
        case .link(let from, let to, let failure, let retryMs):
            "link \(from.rawValue) → \(to.rawValue)" + (failure.map { ", \(Vocabulary.words($0))" } ?? "")
                + (retryMs.map { ", again in \(Self.length($0))" } ?? "")
        case .noKeyFrame(let dial): "packets of dial \(dial.rawValue) come, but no key frame"
        case .hangUpOverdue(let dial): "the hang-up of dial \(dial.rawValue) is overdue and no longer waited for"
        case .eventBegan(let event, let cause, _, let until):
            "event \(event.rawValue) began by \(Vocabulary.words(cause)), until \(time(until))"
        case .eventProlonged(let event, let until): "event \(event.rawValue) goes on until \(time(until))"
        case .eventEnded(let event, let why): "event \(event.rawValue) ended: \(Self.words(why))"
        case .suppressed(_, let why): "the detection does not count: \(Self.words(why))"
        case .refused(let why): "the command is refused: \(Self.words(why))"
        case .sourceExpired(let source): "source \(source.rawValue) was not refreshed and counts no longer"
        case .clipOpened(let clip, let start, let shortfall):
            "clip \(clip.rawValue) is open from \(time(start))\(Self.words(shortfall))"
        case .clipFailed(let clip, let retryMs):
            "clip \(clip.rawValue) failed\(retryMs.map { ", again in \(Self.length($0))" } ?? ", and is not tried again")"
        case .clipEnded(let clip, let why): "clip \(clip.rawValue) ended: \(Vocabulary.words(why))"
        case .clipClosed(let clip, let complete): "clip \(clip.rawValue) is \(complete ? "durable" : "incomplete")"
        case .clipOverdue(let clip): "the closing of clip \(clip.rawValue) is overdue and no longer waited for"
        case .enabled(let enabled): "recording \(enabled ? "enabled" : "disabled")"
        case .privacy(let privacy): "privacy \(Self.words(privacy))"
        case .mode(let from, let to): "mode \(from.rawValue) → \(to.rawValue)"
        case .storage(let from, let to): "storage \(from.rawValue) → \(to.rawValue)"
        case .coverage(let from, let to): "coverage \(Vocabulary.words(from)) → \(Vocabulary.words(to))"
        }
    }

    private static func words(_ why: Camera.Ignored) -> String {
        switch why {
        case .late: "it answers an order that is over"
        case .duplicate: "it changes nothing"
        case .early: "it cannot be true yet"
        case .unknown: "it answers an order that was never given"
        case .full: "no more sources can be on"
        case .invalid: "a value is out of its range"
        case .stopped: "the machine has stopped"
        }
    }

    private static func words(_ why: Trigger.Why) -> String {
        switch why {
        case .quiet: "nothing prolonged it"
        case .limit: "it reached its max length"
        case .disabled: "recording is disabled"
        case .privacy: "privacy covers the recording"
        case .policy: "the policy's mode is off"
        case .draining: "Vigil stops"
        }
    }

    /// Why a detection did not count, or a command was refused.
    public static func words(_ why: Camera.Suppression) -> String {
        switch why {
        case .sensitivity: "the policy is not that sensitive"
        case .zone: "it is in no zone of the policy"
        case .blind: "blind time after an event"
        case .disabled: "recording is disabled"
        case .privacy: "privacy covers the recording"
        case .off: "the policy's mode is off"
        case .draining: "Vigil stops"
        }
    }
}
