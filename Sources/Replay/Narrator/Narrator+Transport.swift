public import Machines

extension Narrator {
    /// What a transport was told.
    public func words(_ event: PushTransport.Event) -> String {
        switch event {
        case .tick: "time passed"
        case .motion(let level, let zones): "motion of level \(level.rawValue), \(Self.words(zones))"
        case .held(let isOn): isOn ? "a source of the camera is on" : "no source of the camera is on any more"
        case .triggered(let control?): "somebody orders to record, \(Self.words(control))"
        case .triggered(nil): "somebody orders to record"
        case .status(let status): "it is set \(status.rawValue)"
        case .modified(let trigger, let expiry): "it is modified: \(words(trigger, expiry))"
        case .blocked(let why?): "the camera may not record: \(Self.words(why))"
        case .blocked(nil): "the camera may record"
        case .deallocated: "somebody takes it away"
        case .drain: "Vigil stops, or the camera was taken out of the configuration"
        }
    }

    private func words(_ trigger: PushTransport.Trigger, _ expiry: Instant?) -> String {
        let trigger =
            switch trigger {
            case .motion(let zones, let sensitivity, let control):
                "triggered by motion, \(zones.map(Self.words) ?? "anywhere"), of sensitivity \(sensitivity), "
                    + Self.words(control)
            case .command: "triggered by command"
            case .continuous: "records always"
            }
        return trigger + (expiry.map { ", until \(time($0))" } ?? "")
    }

    private static func words(_ control: TimeControl) -> String {
        "for \(length(control.initialMs)), prolonged by \(length(control.augmentationMs)), "
            + "at most \(length(control.maxMs)), blind for \(length(control.blindMs))"
    }

    /// One order of a transport.
    func words(_ effect: PushTransport.Effect) -> String {
        switch effect {
        case .begin(let number, let cause): "begin recording \(number.rawValue): \(Self.words(cause))"
        case .end(let number, let why): "end recording \(number.rawValue): \(Self.words(why))"
        case .refused(let why): "refused: \(Self.words(why))"
        case .ignored(let why): "ignored: \(Self.words(why))"
        case .removed(.deallocated): "forget the transport: it was taken away"
        case .removed(.expired): "forget the transport: its time is over"
        case .stopped: "stopped"
        }
    }

    private static func words(_ cause: PushTransport.Cause) -> String {
        switch cause {
        case .motion: "motion counts"
        case .command: "by command"
        case .continuous: "it records always"
        }
    }

    private static func words(_ block: PushTransport.Block) -> String {
        switch block {
        case .privacy: "a privacy switch covers the recording"
        case .disabled: "its recording toggle is off"
        case .off: "the mode of its policy is off"
        }
    }

    private static func words(_ why: PushTransport.Why) -> String {
        switch why {
        case .quiet: "nothing prolonged it"
        case .limit: "it reached its max length"
        case .inactive: "the transport was set inactive"
        case .modified: "its trigger is of another kind now"
        case .privacy: words(PushTransport.Block.privacy)
        case .disabled: "the recording toggle of the camera is off"
        case .off: "the mode of the camera's policy is off"
        case .deallocated: "the transport was taken away"
        case .expired: "the time of the transport is over"
        case .draining: "Vigil stops"
        }
    }

    private static func words(_ why: PushTransport.Refusal) -> String {
        switch why {
        case .blocked: "the camera may not record"
        case .inactive: "the transport is inactive"
        case .continuous: "it records always"
        case .noTimeControl: "neither the request nor the transport has a time control"
        }
    }

    private static func words(_ why: PushTransport.Ignored) -> String {
        switch why {
        case .duplicate: "it changes nothing"
        case .trigger: "the transport does not look at motion"
        case .blocked: "the camera may not record"
        case .zone: "it is in none of the zones"
        case .sensitivity: "the transport is not that sensitive"
        case .blind: "blind time after a recording"
        case .early: "the window is not prolonged now"
        case .over: "the transport is over"
        }
    }

    /// The whole machine in one line.
    public func summary(_ machine: PushTransport) -> String {
        var parts: [String]
        switch machine.phase {
        case .idle: parts = ["nothing is detected"]
        case .detected(let window):
            parts = ["detected until \(time(window.end)), at the latest until \(time(window.limit))"]
            if window.commanded { parts.append("a command took part") }
        case .blind(let until): parts = ["blind until \(time(until))"]
        case .over: parts = ["over"]
        }
        if let number = machine.recording { parts.append("recording \(number.rawValue) goes on") }
        parts.append(machine.status.rawValue)
        if let block = machine.block { parts.append("the camera may not record: \(Self.words(block))") }
        if machine.held { parts.append("a source of the camera is on") }
        parts.append(words(machine.trigger, machine.expiry))
        return parts.joined(separator: ", ")
    }
}
