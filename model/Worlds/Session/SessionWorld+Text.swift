public import Machines

// The notation of model/README.md "Session".
extension SessionWorld {
    /// The phase, then the fields that are not at rest.
    public func text(of state: State) -> String {
        let form = state.form
        var ending = "-"
        if case .ended(let why) = form.phase { ending = why.rawValue }
        var line = LineText(head: Self.text(of: form.phase))
        line.field("why", ending)
        line.flag("up", form.up)
        line.field("day", form.day.map(Self.text(of:)) ?? "-")
        line.field("ask", form.order.map(Self.asked) ?? "-")
        line.field("bound", Self.ticks(form.boundMs))
        line.field("left", Self.ticks(form.leftMs))
        line.field("def", form.definition?.rawValue ?? "-")
        line.flag("sound", form.sound)
        line.flag("talk", form.talk)
        line.flag("rec", form.record)
        line.field("speed", form.speed.map { Self.speed($0.rawValue) } ?? "-")
        line.flag("over", form.reach == .overHoles)
        line.flag("priv", form.privacy)
        return line.text
    }

    /// The event's name, with a class for a number.
    public func text(of event: Event) -> String {
        switch event {
        case .tick: "tick"
        case .request(let request): Self.text(of: request)
        case .did(let number): .call("did", number.rawValue)
        case .failed(let number): .call("failed", number.rawValue, "x")
        case .clipEnded(let number, let next): .call("clipEnded", number.rawValue, Self.text(of: next))
        case .connectionLost: "connectionLost"
        case .privacy(let privacy): .call("privacy", privacy ? "1" : "0")
        case .close: "close"
        case .drain: "drain"
        }
    }

    /// The effect's name, without its number.
    public func text(of effect: Session.Effect) -> String? {
        switch effect {
        case .order(_, let order): Self.text(of: order)
        case .abandon: "abandon"
        case .recordOff: "recordOff"
        case .talkOff: "talkOff"
        case .mute: "mute"
        case .stopPreview: "stopPreview"
        case .stopPlayback: "stopPlayback"
        case .disconnect: "disconnect"
        case .setSpeed(let speed): .call("setSpeed", Self.speed(speed.rawValue))
        case .playOn: "playOn"
        case .report(let report): "report(\(Self.text(of: report)))"
        case .refused(let step, let why): .call("refused", step.rawValue, why.rawValue)
        case .ignored(let why): .call("ignored", why.rawValue)
        }
    }

    private static func text(of phase: Session.Phase) -> String {
        switch phase {
        case .idle: "idle"
        case .startingPreview: "startingPreview"
        case .previewing: "previewing"
        case .startingPlayback: "startingPlayback"
        case .playing: "playing"
        case .paused: "paused"
        case .ended: "ended"
        }
    }

    private static func text(of request: Session.Request) -> String {
        let step = request.step.rawValue
        switch request {
        case .connect, .pause, .resume, .listDays, .stopPreview, .stopPlayback, .extend: return step
        case .startPreview(let definition, let others): return .call(step, definition.rawValue, String(others))
        case .startPlayback(let day, let position, let reach):
            return .call(step, text(of: day), position != inside ? "outside" : reach == .overHoles ? "over" : "in")
        case .speed(let hundredths): return .call(step, speed(hundredths))
        case .definition(let definition): return .call(step, definition.rawValue)
        case .mute(let on), .talk(let on), .record(let on): return .call(step, on ? "on" : "off")
        case .listClips(let day): return .call(step, text(of: day))
        }
    }

    /// As an effect.
    private static func text(of order: Session.Order) -> String {
        switch order {
        case .connect: "connect"
        case .startPreview(let definition): .call("startPreview", definition.rawValue)
        case .startPlayback(_, let day, _): .call("startPlayback", text(of: day))
        case .pause: "pause"
        case .resume: "resume"
        case .setDefinition(let definition): .call("setDefinition", definition.rawValue)
        case .unmute: "unmute"
        case .talkOn: "talkOn"
        case .recordOn: "recordOn"
        case .listDays: "listDays"
        case .listClips(let day): .call("listClips", text(of: day))
        }
    }

    /// As the field `ask`.
    private static func asked(_ order: Session.Order) -> String {
        switch order {
        case .setDefinition(let definition): "definition:\(definition.rawValue)"
        case .unmute: "unmute"
        case .listClips(let day): "listClips:\(text(of: day))"
        case .connect, .startPreview, .startPlayback, .pause, .resume, .talkOn, .recordOn, .listDays:
            order.step.rawValue
        }
    }

    private static func text(of report: Session.Report) -> String {
        switch report {
        case .connected: "connected"
        case .previewing(let definition): "previewing,\(definition.rawValue)"
        case .playing: "playing"
        case .paused: "paused"
        case .stopped: "stopped"
        case .finished(.hole): "finished,hole"
        case .finished(.end): "finished,end"
        case .lost: "lost"
        case .definition(let definition): "definition,\(definition.rawValue)"
        case .soundOn: "sound,on"
        case .talkOn: "talk,on"
        case .recordOn: "record,on"
        case .days: "days"
        case .clips(let day): "clips,\(text(of: day))"
        case .extended: "extended"
        case .failed(let step, let why): "failed,\(step.rawValue),\(text(of: why))"
        case .ended(let why): "ended,\(why.rawValue)"
        }
    }

    /// `x` is whatever the world says.
    private static func text(of failure: Session.Failure) -> String {
        switch failure {
        case .timeout, .lost: failure.rawValue
        case .unreachable, .unauthorized, .unsupported: "x"
        }
    }

    private static func text(of next: Session.Next) -> String {
        switch next {
        case .follows: "follows"
        case .hole: "hole"
        case .end: "end"
        }
    }

    private static func text(of day: Session.Day) -> String { String(day.rawValue) }

    /// `2` stands for every speed but 1, as one of them is in the alphabets; what is none of the seven is `outside`.
    private static func speed(_ hundredths: Int) -> String {
        guard let speed = Session.Speed(rawValue: hundredths) else { return "outside" }
        return speed == .normal ? "1" : "2"
    }

    /// `*`: never.
    private static func ticks(_ ms: Int64?) -> String { ms.map { $0 == .max ? "*" : String($0 / tickMs) } ?? "-" }
}
