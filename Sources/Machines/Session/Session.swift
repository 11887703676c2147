/// The machine of one viewer of one camera: the live picture or recorded clips, never both (docs/design/rules.md "A session").
///
/// Owns every decision about one viewer; carries no picture, does not count the other viewers, never reads a clock, draws a
/// random number, logs, traps or waits. Called by one actor per viewer, which journals each event, steps, and hands the
/// effects to the shell in their order.
///
///              startPreview                   did
///        ┌────────────────► startingPreview ───────► previewing
///        │ ◄─────────────────────┴──────────────────────┘
///        │     failed, stopPreview, connection lost
///      idle
///        │     failed, stopPlayback, connection lost, clip ended at a hole that is not played over, or at the end
///        │ ◄─────────────────────┬──────────────────────┬────────────┐
///        └────────────────► startingPlayback ───────► playing ◄───► paused
///              startPlayback      ▲           did       │            │
///                                 └─────────────────────┴────────────┘
///                                        startPlayback
///
/// Every phase leads to `ended`. A step applies the deadlines due at or before its instant, earliest first (ties: the answer's
/// bound, then the end of the session's time), then the event.
public struct Session: Hashable, Sendable, Codable {
    /// What the viewer sees.
    public enum Phase: Hashable, Sendable, Codable {
        /// Nothing.
        /// Leads to: startingPreview, startingPlayback (asked and accepted).
        case idle
        /// The live picture is being started; exactly while the answer to `startPreview` is outstanding.
        /// Leads to: previewing (done), idle (failed, no answer in time, stopped, connection lost).
        case startingPreview
        /// The live picture.
        /// Leads to: idle (stopped, connection lost).
        case previewing
        /// A clip is being started; exactly while the answer to `startPlayback` is outstanding.
        /// Leads to: playing (done), idle (failed, no answer in time, stopped, connection lost).
        case startingPlayback
        /// A recorded clip.
        /// Leads to: paused (asked and done), startingPlayback (another clip, or another position), idle (stopped, the last
        /// clip ended, connection lost).
        case playing
        /// One frame of a recorded clip.
        /// Leads to: playing (asked and done), startingPlayback, idle (as from playing).
        case paused
        /// Nothing, for good: final, and left by nothing. Every other phase leads to it (`Ending` says why).
        case ended(Ending)
    }

    /// Why a session ended.
    public enum Ending: String, Hashable, Sendable, Codable, CaseIterable {
        /// The viewer closed it.
        case closed
        /// Its time was over and it had not been extended.
        case expired
        /// Live privacy came while the live picture was shown or being started.
        case privacy
        /// The daemon shuts down.
        case draining
    }

    /// The one order whose answer is outstanding.
    public struct Ask: Hashable, Sendable, Codable {
        /// Its number.
        public let number: OrderNumber
        /// What was ordered.
        public let order: Order
        /// When the answer is no longer waited for.
        public let until: Instant
    }

    /// The bounds it works with.
    public let bounds: Bounds
    /// What the viewer sees.
    public internal(set) var phase: Phase = .idle
    /// The viewer is connected to the camera's streams and clips.
    public internal(set) var up = false
    /// The day whose clips were listed since the last (re)connection and since the last preview: the only one that can be played.
    public internal(set) var day: Day?
    /// The order whose answer is outstanding.
    public internal(set) var ask: Ask?
    /// When the session expires; set exactly while idle, previewing or paused. A clip that plays has an end of its own.
    public internal(set) var left: Instant?
    /// How fine the live picture is; set exactly while it is shown or being started.
    public internal(set) var definition: Definition?
    /// The sound of what is shown is heard; only while previewing, playing or paused.
    public internal(set) var sound = false
    /// The viewer is heard at the camera; only while previewing.
    public internal(set) var talk = false
    /// What is shown is recorded for the viewer.
    public internal(set) var record = false
    /// How fast clips are played; set exactly while one is shown or being started.
    public internal(set) var speed: Speed?
    /// How far playback goes on; nil: to the first hole. Only while a clip is shown or being started.
    public internal(set) var reach: Reach?
    /// Live privacy (hard or softLive) is on.
    public internal(set) var privacy: Bool
    /// Orders given so far.
    public internal(set) var orders: UInt32 = 0
    /// Playbacks started so far.
    public internal(set) var starts: UInt32 = 0

    /// A session that is idle and not connected; its time runs from `now`.
    public init(privacy: Bool, at now: Instant, bounds: Bounds = Bounds()) {
        self.bounds = bounds
        self.privacy = privacy
        left = now + bounds.durationMs
    }

    /// Takes `event` at `now`, and everything that time has brought due before it; returns the orders it gives.
    /// Total: any event in any state; what does not fit is answered by `refused` or `ignored` and changes nothing.
    public mutating func step(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        while let due = nextDeadline, due <= now {
            if ask?.until == due { timeOut(at: due, &effects) } else { end(.expired, &effects) }
        }
        take(event, at: now, &effects)
        return effects
    }

    /// When `step(.tick, at:)` is due; nil if time alone changes nothing.
    public var nextDeadline: Instant? { earliest(ask?.until, left) }

    /// The live picture is shown or being started: what the limit of live sessions counts.
    public var isLive: Bool { phase == .startingPreview || phase == .previewing }

    /// A clip is shown or being started.
    public var isPlayback: Bool { phase == .startingPlayback || phase == .playing || phase == .paused }

    /// It has ended, and owes nothing.
    public var hasEnded: Bool { if case .ended = phase { true } else { false } }

    private mutating func take(_ event: Event, at now: Instant, _ effects: inout [Effect]) {
        switch event {
        case .tick: break
        case .request(let request): take(request, at: now, &effects)
        case _ where hasEnded: effects.append(.ignored(.ended))
        case .did(let number): did(number, at: now, &effects)
        case .failed(let number, let failure): failed(number, failure, at: now, &effects)
        case .clipEnded(let number, let next): clipEnded(number, next, at: now, &effects)
        case .connectionLost: connectionLost(at: now, &effects)
        case .privacy(let privacy): changed(privacy, &effects)
        case .close: end(.closed, &effects)
        case .drain: end(.draining, &effects)
        }
    }

    // MARK: What is given back

    /// Calls off what belongs to the request of the moment: the outstanding answer, and the viewer's recording. The sound stays.
    mutating func callOff(_ effects: inout [Effect]) {
        abandon(&effects)
        if record { effects.append(.recordOff) }
        record = false
    }

    /// Calls off what belongs to the clip that is shown: its sound, too.
    mutating func callOffClip(_ effects: inout [Effect]) {
        callOff(&effects)
        silence(&effects)
    }

    /// Ends the sound, if it is heard.
    private mutating func silence(_ effects: inout [Effect]) {
        if sound { effects.append(.mute) }
        sound = false
    }

    /// Gives up the outstanding answer.
    mutating func abandon(_ effects: inout [Effect]) {
        if let ask { effects.append(.abandon(ask.number)) }
        ask = nil
    }

    /// Gives back all that is on or under way.
    mutating func giveBack(_ effects: inout [Effect]) {
        callOff(&effects)
        if talk { effects.append(.talkOff) }
        talk = false
        silence(&effects)
        if isLive { effects.append(.stopPreview) }
        if isPlayback { effects.append(.stopPlayback) }
    }

    /// Shows nothing from now on.
    mutating func rest(_ phase: Phase, left: Instant?) {
        self.phase = phase
        self.left = left
        definition = nil
        speed = nil
        reach = nil
    }

    /// Idle, with the whole time of a session from `now`.
    mutating func becomeIdle(at now: Instant) { rest(.idle, left: now + bounds.durationMs) }

    /// Ends for good.
    mutating func end(_ ending: Ending, _ effects: inout [Effect]) {
        let connected = up || ask?.order == .connect
        giveBack(&effects)
        if connected { effects.append(.disconnect) }
        rest(.ended(ending), left: nil)
        up = false
        day = nil
        effects.append(.report(.ended(ending)))
    }
}
