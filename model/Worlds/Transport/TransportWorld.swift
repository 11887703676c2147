public import Machines

/// The machine of a transport under every fact of its camera and every request, the alphabet of model/Transport.tla.
///
/// The instant of a state is 0. How many recordings there were is not part of it: one that is open has the number 1.
public struct TransportWorld: World {
    /// One tick, in milliseconds: the least length of a window.
    public static let tickMs: Int64 = 1_000

    /// The time control of motion.
    public let motion: TimeControl
    /// The time control that a command brings along.
    public let command: TimeControl
    /// What is left until the transport is over, in ticks, where that is set.
    public let expiry: Int64
    /// Nobody asks for anything, and the camera may record: motion comes and goes.
    public let isCalm: Bool
    /// The time control of motion that other options bring along with a time of their own after which the transport is over; nil: the
    /// same.
    public let other: TimeControl?

    /// A world. The defaults are those of model/cfg/Transport.edges.cfg, in ticks.
    public init(
        initial: Int64 = 2, augmentation: Int64 = 2, max: Int64 = 5, blind: Int64 = 1, commandInitial: Int64 = 3,
        commandMax: Int64 = 3, expiry: Int64 = 2, isCalm: Bool = false, other: TimeControl? = nil
    ) {
        let tick = Self.tickMs
        motion = TimeControl(
            initialMs: initial * tick, augmentationMs: augmentation * tick, maxMs: max * tick, blindMs: blind * tick)
        command = TimeControl(
            initialMs: commandInitial * tick, augmentationMs: 0, maxMs: commandMax * tick, blindMs: 5 * tick)
        self.expiry = expiry
        self.isCalm = isCalm
        self.other = other
    }

    /// One in which other options have other times: some longer, some shorter.
    public static let options = TransportWorld(
        other: TimeControl(
            initialMs: 3 * tickMs, augmentationMs: tickMs, maxMs: 4 * tickMs, blindMs: 2 * tickMs))

    /// How motion stands to the trigger.
    public enum Motion: String, Hashable, Sendable, CaseIterable {
        /// In the zones, and strong enough.
        case fits
        /// In another zone.
        case elsewhere
        /// Too slight.
        case slight
    }

    /// A kind of trigger.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case motion, command, continuous
    }

    /// What can come in.
    public enum Event: Hashable, Sendable {
        case tick, deallocated, drain
        case motion(Motion)
        case held(Bool)
        /// With a time control of its own, or without.
        case triggered(Bool)
        case status(PushTransport.Status)
        /// Another kind of trigger, and whether the transport will be over by itself.
        case modified(Kind, expires: Bool)
        case blocked(PushTransport.Block?)
    }

    /// A new transport of each kind, and one of an earlier run of each, active, which is over soon.
    public var initial: [PushTransport] {
        let fresh = Kind.allCases.map { PushTransport(trigger($0), status: isCalm ? .active : .inactive) }
        if isCalm { return fresh }
        return fresh
            + Kind.allCases.map {
                PushTransport(trigger($0), status: .active, expiry: Instant(ms: expiry * Self.tickMs))
            }
    }

    /// What can come in, in any state.
    public var events: [Event] {
        let facts: [Event] = [.tick, .held(true), .held(false)] + Motion.allCases.map(Event.motion)
        if isCalm { return facts }
        return facts + [.deallocated, .drain, .triggered(true), .triggered(false), .blocked(nil)]
            + PushTransport.Status.allCases.map(Event.status)
            + PushTransport.Block.allCases.map(Event.blocked)
            + Kind.allCases.flatMap { kind in [true, false].map { Event.modified(kind, expires: $0) } }
    }

    /// All steps out of `state`.
    public func successors(
        of state: PushTransport
    ) -> [(action: Labelled<Event, PushTransport.Effect>, next: PushTransport)] {
        events.map { event in
            let (effects, next) = step(event, in: state)
            return (Labelled(event, effects), next)
        }
    }

    /// One step.
    func step(_ event: Event, in state: PushTransport) -> (effects: [PushTransport.Effect], next: PushTransport) {
        var next = state
        let now = Instant(ms: event == .tick ? Self.tickMs : 0)
        let effects = next.step(self.event(of: event, in: state), at: now)
        return (effects, Self.normal(next, at: now))
    }

    /// The options of a kind, with the times of `other` where they bring a time after which the transport is over: motion in the first
    /// zone, of the middle level at most.
    func trigger(_ kind: Kind, expires: Bool = false) -> PushTransport.Trigger {
        switch kind {
        case .motion:
            .motion(
                zones: Zones(inside: 1, outside: false), sensitivity: Sensitivity.medium.rawValue,
                expires ? other ?? motion : motion)
        case .command: .command
        case .continuous: .continuous
        }
    }

    /// The event as the machine sees it.
    func event(of event: Event, in state: PushTransport) -> PushTransport.Event {
        switch event {
        case .tick: .tick
        case .deallocated: .deallocated
        case .drain: .drain
        case .motion(.fits): .motion(level: .medium, zones: Zones(inside: 1, outside: true))
        case .motion(.elsewhere): .motion(level: .low, zones: Zones(inside: 2, outside: true))
        case .motion(.slight): .motion(level: .high, zones: .anywhere)
        case .held(let held): .held(held)
        case .triggered(let brings): .triggered(brings ? command : nil)
        case .status(let status): .status(status)
        case .modified(let kind, let expires):
            .modified(trigger(kind, expires: expires), expiry: expires ? Instant(ms: expiry * Self.tickMs) : nil)
        case .blocked(let block): .blocked(block)
        }
    }

    // MARK: Modulo time and numbering

    /// The state seen from `now`. A bound before the last prolonging that has passed is 0: it makes no difference how long ago.
    private static func normal(_ state: PushTransport, at now: Instant) -> PushTransport {
        func left(_ instant: Instant) -> Instant { Instant(ms: instant - now) }
        var state = state
        state.recordings = 0
        if state.recording != nil {
            state.recording = RecordingNumber(1)
            state.recordings = 1
        }
        state.expiry = state.expiry.map(left)
        switch state.phase {
        case .idle, .over: break
        case .blind(let until): state.phase = .blind(until: left(until))
        case .detected(var window):
            window.end = left(window.end)
            window.limit = left(window.limit)
            window.previousEnd = window.previousEnd.map { max(left($0), Instant(ms: 0)) }
            state.phase = .detected(window)
        }
        return state
    }
}
