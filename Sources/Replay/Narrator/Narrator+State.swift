internal import Journal
public import Machines

extension Narrator {
    /// The label of the moment, and why it is that.
    public func coverage(_ machine: Camera) -> String {
        let label = Vocabulary.words(machine.coverage)
        let why: String
        switch machine.coverage {
        case .recorded: why = "media goes into a clip"
        case .idle: why = "event mode, and nothing calls for recording"
        case .blind: why = "blind time after an event"
        case .offByPolicy: why = "the policy's mode is off"
        case .offBySchedule: why = "the policy's schedule has switched recording off"
        case .disabled: why = "the recording toggle is off"
        case .privacy: why = "privacy is on: \(Self.words(machine.intent.privacy))"
        case .linkLost: why = "the link is wanted, and is \(machine.link.phase.rawValue)"
        case .storage:
            why = machine.intent.storage == .lost ? "nothing can be written" : "the last clip could not be written"
        case .recorderDown: why = "Vigil stops"
        case .deleted: why = "it was recorded and is deleted"
        }
        return "\(label), \(why)"
    }

    /// What the link is doing.
    public func link(_ machine: Camera) -> String {
        let link = machine.link
        var parts: [String]
        switch link.state {
        case .off: parts = ["off"]
        case .waiting(let until): parts = ["waiting until \(time(until)) to dial again"]
        case .dialing(let dial, let endpoint, _):
            parts = ["dialling over \(endpoint.rawValue) with dial \(dial.rawValue)"]
        case .synchronizing(let dial, let endpoint, _, _, let warned):
            parts = ["connected over \(endpoint.rawValue) with dial \(dial.rawValue), waiting for a key frame"]
            if warned { parts.append("that is reported") }
        case .streaming(let dial, let endpoint, _, _):
            parts = ["streaming over \(endpoint.rawValue) with dial \(dial.rawValue)"]
        }
        if let hangUp = link.hangingUp { parts.append("dial \(hangUp.number.rawValue) is being hung up") }
        if link.failures > 0 { parts.append("failures since it last streamed for long: \(link.failures)") }
        if !machine.linkWanted { parts.append("no link is wanted") }
        return parts.joined(separator: ", ")
    }

    /// What the trigger is doing.
    func trigger(_ machine: Camera) -> String {
        let trigger = machine.trigger
        var parts: [String]
        switch trigger.state {
        case .quiet: parts = ["quiet"]
        case .active(let event, let window): parts = ["event \(event.rawValue) is active, \(words(window))"]
        case .silent(let window): parts = ["a silent window runs while recording is disabled, \(words(window))"]
        case .settling(let event, let blindMs):
            parts = [
                "event \(event.rawValue) is over; \(Self.length(blindMs)) of blind time follow when its clip is durable"
            ]
        case .blind(let until): parts = ["blind until \(time(until))"]
        }
        for source in trigger.sources {
            let told = source.suppressed.map { ", suppressed at first: \(Self.words($0))" } ?? ""
            parts.append("source \(source.number.rawValue) is on until \(time(source.staleAt)) unless refreshed\(told)")
        }
        return parts.joined(separator: ", ")
    }

    private func words(_ window: Trigger.Window) -> String {
        "since \(time(window.began)) by \(Vocabulary.words(window.cause)), until \(time(window.end)), "
            + "at the latest until \(time(window.limit))"
            + (window.chained.map { ", then the rest of a command until \(time($0.end))" } ?? "")
    }

    /// What the recorder is doing.
    func recorder(_ machine: Camera) -> String {
        let recorder = machine.recorder
        var parts: [String]
        switch recorder.state {
        case .idle: parts = [machine.mediaWanted ? "no clip is open, though media is wanted" : "no clip is open"]
        case .opening(let clip, _):
            parts = ["\(words(clip)) is being opened"]
            if let ended = clip.ended { parts.append("and is to end at once: \(Vocabulary.words(ended))") }
        case .writing(let clip, let cutAt): parts = ["\(words(clip)) is being written, to be cut at \(time(cutAt))"]
        case .cutting(let clip, let why, let grace):
            let goesOn = machine.mediaWanted && recorder.graces ?? 0 < machine.timing.moreGraces ?? 0
            let until = goesOn ? "which is waited for beyond \(time(grace)), too" : "at \(time(grace)) at the latest"
            parts = ["\(words(clip)) is to be cut at the next key frame, \(until): \(Vocabulary.words(why))"]
        }
        for clip in recorder.closing { parts.append("clip \(clip.number.rawValue) is being closed") }
        if let retryAt = recorder.retryAt { parts.append("the next clip is tried at \(time(retryAt))") }
        return parts.joined(separator: ", ")
    }

    private func words(_ clip: Recorder.Clip) -> String {
        "clip \(clip.number.rawValue)" + (clip.event.map { " of event \($0.rawValue)" } ?? "")
    }

    /// What is asked of the camera.
    public func intent(_ machine: Camera) -> String {
        let intent = machine.intent
        var parts = ["recording \(intent.enabled ? "enabled" : "disabled")"]
        parts.append(words(intent.policy, until: intent.policyUntil))
        if intent.privacy != Privacy() { parts.append("privacy \(Self.words(intent.privacy))") }
        if intent.storage != .ok { parts.append("storage \(intent.storage.rawValue)") }
        if intent.viewers > 0 { parts.append("viewers: \(intent.viewers)") }
        if intent.draining { parts.append("Vigil stops") }
        return parts.joined(separator: ", ")
    }
}
