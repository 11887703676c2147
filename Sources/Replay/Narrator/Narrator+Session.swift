internal import Journal
public import Machines

extension Narrator {
    /// What a session was told.
    public func words(_ event: Session.Event) -> String {
        switch event {
        case .tick: "time passed"
        case .request(let request): "the viewer asks: \(words(request))"
        case .did(let order): "order \(order.rawValue) was carried out"
        case .failed(let order, let why): "order \(order.rawValue) failed: \(Vocabulary.words(why))"
        case .clipEnded(let start, .follows): "the clip of start \(start.rawValue) ended, and another one follows"
        case .clipEnded(let start, .hole(let next)):
            "the clip of start \(start.rawValue) ended at a hole, which ends at \(clock(next))"
        case .clipEnded(let start, .end): "the clip of start \(start.rawValue) ended, the last one of its day"
        case .connectionLost: "the connection was lost"
        case .privacy(let isOn): "live privacy is \(isOn ? "on" : "off")"
        case .close: "the viewer closed the session"
        case .drain: "Vigil stops"
        }
    }

    private func words(_ request: Session.Request) -> String {
        switch request {
        case .startPreview(let definition, let others):
            "startPreview in \(definition.rawValue), \(others) others are live"
        case .startPlayback(let day, let position, let reach):
            "startPlayback of clip \(position.clip) of \(Self.day(day)) at \(clock(position.playTimeMs))"
                + (reach == .overHoles ? ", over holes" : "")
        case .speed(let hundredths): "speed \(Self.hundredths(hundredths))"
        case .definition(let definition): "definition \(definition.rawValue)"
        case .mute(let isOn), .talk(let isOn), .record(let isOn): "\(request.step.rawValue) \(isOn ? "on" : "off")"
        case .listClips(let day): "listClips of \(Self.day(day))"
        case .connect, .pause, .resume, .listDays, .stopPreview, .stopPlayback, .extend: request.step.rawValue
        }
    }

    /// One order of a session.
    func words(_ effect: Session.Effect) -> String {
        switch effect {
        case .order(let number, let order): "order \(number.rawValue): \(words(order))"
        case .abandon(let number): "give order \(number.rawValue) up"
        case .recordOff: "end what the viewer records"
        case .talkOff: "end talk-back"
        case .mute: "end the sound"
        case .stopPreview: "end the live picture"
        case .stopPlayback: "end playback"
        case .disconnect: "end the connection"
        case .setSpeed(let speed): "play at \(Self.hundredths(speed.rawValue))"
        case .playOn(let start): "go on with the next clip of start \(start.rawValue)"
        case .report(let report): Self.words(report)
        case .refused(let step, let why): "\(step.rawValue) is refused: \(Vocabulary.words(why))"
        case .ignored(let why): "ignored: \(Self.words(why))"
        }
    }

    private func words(_ order: Session.Order) -> String {
        switch order {
        case .startPreview(let definition): "show the live picture in \(definition.rawValue)"
        case .startPlayback(let start, _, let position):
            "show clip \(position.clip) from \(clock(position.playTimeMs)) on, start \(start.rawValue)"
        case .setDefinition(let definition): "show \(definition.rawValue)"
        case .listClips(let day): "list the clips of \(Self.day(day))"
        case .connect, .pause, .resume, .unmute, .talkOn, .recordOn, .listDays: order.step.rawValue
        }
    }

    private static func words(_ report: Session.Report) -> String {
        switch report {
        case .connected: "connected"
        case .previewing(let definition): "the live picture is shown in \(definition.rawValue)"
        case .playing: "a clip plays"
        case .paused: "paused"
        case .stopped: "stopped"
        case .finished(.hole): "finished at a hole"
        case .finished(.end): "finished at the end of the day"
        case .lost: "the connection is lost"
        case .definition(let definition): "the live picture is \(definition.rawValue)"
        case .soundOn: "the sound is heard"
        case .talkOn: "the viewer is heard"
        case .recordOn: "what is shown is recorded"
        case .days: "the days are listed"
        case .clips(let day): "the clips of \(Self.day(day)) are listed"
        case .extended: "extended"
        case .failed(let step, let why): "\(step.rawValue) failed: \(Vocabulary.words(why))"
        case .ended(let why): "ended: \(Vocabulary.words(why))"
        }
    }

    private static func words(_ why: Session.Ignored) -> String {
        switch why {
        case .late: "it answers an order that is over"
        case .duplicate: "it changes nothing"
        case .unknown: "it answers an order that was never given"
        case .notConnected: "there is no connection"
        case .notLimited: "nothing limits the session now"
        case .ended: "the session has ended"
        }
    }

    /// The whole machine in one line.
    public func summary(_ machine: Session) -> String {
        var parts = ["\(machine.phaseName)", machine.up ? "connected" : "not connected"]
        if case .ended(let why) = machine.phase { parts[0] += ", \(Vocabulary.words(why))" }
        if let ask = machine.ask {
            parts.append("order \(ask.number.rawValue) is outstanding until \(time(ask.until))")
        }
        if let left = machine.left { parts.append("until \(time(left))") }
        if let day = machine.day { parts.append("the clips of \(Self.day(day)) are listed") }
        if machine.reach == .overHoles { parts.append("to be played over holes") }
        if machine.sound { parts.append("the sound is on") }
        if machine.record { parts.append("recording") }
        if machine.privacy { parts.append("live privacy is on") }
        return parts.joined(separator: ", ")
    }

    private static func day(_ day: Session.Day) -> String { "day \(day.rawValue)" }

    private static func hundredths(_ hundredths: Int) -> String {
        hundredths % 100 == 0 ? "\(hundredths / 100)×" : "\(Double(hundredths) / 100)×"
    }
}

extension Session {
    /// The phase's name.
    public var phaseName: String {
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
}
