internal import Machines

/// States modulo translation of time and modulo numbering.
///
/// Times count from the present moment, which is 0; what has passed is 0 or nil; what never comes stays at the end of time. Dial and
/// clip 1 are over; then come those that are still owed, then the open one. Event 2 is the latest, 1 any before it. What the machine
/// only passes on is left out: by what a window began, at which level, why a source was suppressed, under which address a dial was made, since when media has been wanted.
extension Camera {
    func canonical(at now: Instant) -> Camera {
        var camera = self
        camera.intent.policyUntil = intent.policyUntil.flatMap { $0 > now ? $0.since(now) : nil }
        camera.renumberDials(now)
        camera.renumberEvents(now)
        camera.renumberClips(now)
        return camera
    }

    /// The dial of this class; one that is over for a class of clips, so that the function is total.
    func dial(_ number: CameraFact.Number) -> DialNumber {
        switch number {
        case .cur: link.current ?? DialNumber(1)
        case .hung: link.hangingUp?.number ?? DialNumber(1)
        case .late, .c1, .c2: DialNumber(1)
        case .unknown: DialNumber(link.dials + 1)
        }
    }

    /// The clip of this class, in the same way.
    func clip(_ number: CameraFact.Number) -> ClipNumber {
        switch number {
        case .cur: recorder.clip?.number ?? ClipNumber(1)
        case .c1: recorder.closing.first?.number ?? ClipNumber(1)
        case .c2: recorder.closing.dropFirst().first?.number ?? ClipNumber(1)
        case .late, .hung: ClipNumber(1)
        case .unknown: ClipNumber(recorder.clips + 1)
        }
    }

    private mutating func renumberDials(_ now: Instant) {
        link.dials = 1
        if let hangUp = link.hangingUp {
            link.dials += 1
            link.hangingUp?.number = DialNumber(link.dials)
            link.hangingUp?.deadline = hangUp.deadline.since(now)
        }
        if link.current != nil { link.dials += 1 }
        let number = DialNumber(link.dials)
        switch link.state {
        case .off: break
        case .waiting(let until): link.state = .waiting(until: until.since(now))
        case .dialing(_, _, let deadline):
            link.state = .dialing(number, .lan, deadline: deadline.since(now))
        case .synchronizing(_, _, let silence, let patience, let warned):
            link.state = .synchronizing(
                number, .lan, silence: silence.since(now), patience: patience.since(now), warned: warned)
        case .streaming(_, _, let silence, let steady):
            link.state = .streaming(number, .lan, silence: silence.since(now), steady: steady?.since(now))
        }
    }

    private mutating func renumberEvents(_ now: Instant) {
        func renumbered(_ event: EventNumber) -> EventNumber { EventNumber(event.rawValue == trigger.events ? 2 : 1) }
        let latest = EventNumber(trigger.events)
        recorder.eventWithClip =
            recorder.eventWithClip == trigger.active?.number ? recorder.eventWithClip.map(renumbered) : nil
        switch trigger.state {
        case .quiet: break
        case .active(_, let window): trigger.state = .active(renumbered(latest), window.since(now))
        case .silent(let window): trigger.state = .silent(window.since(now))
        case .settling(_, let blindMs): trigger.state = .settling(renumbered(latest), blindMs: blindMs)
        case .blind(let until): trigger.state = .blind(until: until.since(now))
        }
        for index in trigger.sources.indices {
            trigger.sources[index].staleAt = trigger.sources[index].staleAt.since(now)
            if trigger.sources[index].suppressed != nil { trigger.sources[index].suppressed = .blind }
        }
        switch recorder.state {
        case .idle: break
        case .opening(var clip, let deadline):
            clip.event = clip.event.map(renumbered)
            recorder.state = .opening(clip, deadline: deadline)
        case .writing(var clip, let cutAt):
            clip.event = clip.event.map(renumbered)
            recorder.state = .writing(clip, cutAt: cutAt)
        case .cutting(var clip, let why, let grace):
            clip.event = clip.event.map(renumbered)
            clip.ended = nil  // The cut has its reason; the event's is no longer asked for.
            recorder.state = .cutting(clip, why, grace: grace)
        }
        for index in recorder.closing.indices {
            // Only the latest event is still waited for.
            recorder.closing[index].event = recorder.closing[index].event == latest ? EventNumber(2) : nil
        }
        trigger.events = 2
    }

    private mutating func renumberClips(_ now: Instant) {
        recorder.clips = 1
        recorder.wantedSince = nil
        recorder.retryAt = recorder.retryAt?.since(now)
        for index in recorder.closing.indices {
            recorder.clips += 1
            recorder.closing[index].number = ClipNumber(recorder.clips)
            recorder.closing[index].deadline = recorder.closing[index].deadline.since(now)
        }
        if recorder.clip != nil { recorder.clips += 1 }
        let number = ClipNumber(recorder.clips)
        switch recorder.state {
        case .idle: break
        case .opening(var clip, let deadline):
            clip.number = number
            recorder.state = .opening(clip, deadline: deadline.since(now))
        case .writing(var clip, let cutAt):
            clip.number = number
            recorder.state = .writing(clip, cutAt: cutAt.since(now))
        case .cutting(var clip, let why, let grace):
            clip.number = number
            recorder.state = .cutting(clip, why, grace: grace.since(now))
        }
    }
}

extension Instant {
    /// The same moment counted from `now`; 0 if it has passed, the end of time if it never comes.
    func since(_ now: Instant) -> Instant {
        self == Instant(ms: .max) ? self : Instant(ms: max(self - now, 0))
    }
}

extension Trigger.Window {
    /// The window counted from `now`, without what it only passes on.
    func since(_ now: Instant) -> Trigger.Window {
        var window = self
        window.cause = .detection
        window.level = nil
        window.end = end.since(now)
        window.previousEnd = previousEnd?.since(now)
        window.limit = limit.since(now)
        // Its age matters as long as a command could lift the limit.
        window.began = limit == Instant(ms: .max) ? Instant(ms: 0) : window.limit + -(limit - began)
        if let chained { window.chained?.end = chained.end.since(now) }
        return window
    }
}
