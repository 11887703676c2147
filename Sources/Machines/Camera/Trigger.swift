/// What starts, prolongs and ends events (T1–T9).
///
///            passing detection, asserted source, command
///     quiet ─────────────────────────────────────────────► active
///       ▲ ▲                                                  │ min(window end, limit), toggle, privacy, mode, drain
///       │ └──────────── B = 0, or a command took part ◄──────┤
///       │  until        clip durable                         ▼ B > 0
///       └──────── blind ◄──────────────────────────────── settling
///
/// While the recording toggle is off, a detection runs `silent` in place of `active` (T7).
public struct Trigger: Hashable, Sendable, Codable {
    /// One running window, of an event or a silent one.
    public struct Window: Hashable, Sendable, Codable {
        /// When the first detection, source or command came (t0).
        public package(set) var began: Instant
        /// What it was.
        public package(set) var cause: ClipCause
        /// The level of the detection that began it, if one did.
        public package(set) var level: Sensitivity?
        /// When it ends unless it is prolonged.
        public package(set) var end: Instant
        /// The window end before the last prolonging; the next one is possible from then on. nil before the first.
        public package(set) var previousEnd: Instant?
        /// When it ends in any case: t0 + the greatest M that took part.
        public package(set) var limit: Instant
        /// By how much it is prolonged, in milliseconds.
        public package(set) var augmentationMs: Int64
        /// The blind time that follows it, in milliseconds, unless a command took part.
        public package(set) var blindMs: Int64
        /// The sensitivity it began with (T9).
        public package(set) var sensitivity: Sensitivity
        /// A command took part (T5).
        public package(set) var commanded: Bool
        /// What commands want beyond the limit: it begins an event of its own when this one ends there.
        public package(set) var chained: Chained?

        /// When it ends as things stand.
        var due: Instant { min(end, limit) }
        /// Why it ends then: `limit` only if it would have gone on without it.
        var why: Why { end > limit ? .limit : .quiet }
        /// Whether a detection at `now` may prolong it (T2; inclusive).
        func canProlong(at now: Instant) -> Bool { previousEnd.map { now >= $0 } ?? true }
    }

    /// An event that follows another one without a gap, because a command asked for more than is left of that one.
    public struct Chained: Hashable, Sendable, Codable {
        /// How long the commands last.
        public package(set) var end: Instant
        /// The greatest M of them, in milliseconds.
        public package(set) var maxMs: Int64
        /// The greatest A of them, in milliseconds.
        public package(set) var augmentationMs: Int64
    }

    /// What the trigger is doing.
    public enum State: Hashable, Sendable, Codable {
        /// Nothing runs.
        /// Leads to: active (passing detection, source, command), silent (the same while disabled).
        case quiet
        /// An event is active.
        /// Leads to: quiet (ended), settling (ended quiet or at its limit, blind time follows, a clip is being closed),
        /// blind (the same with no clip to wait for).
        case active(EventNumber, Window)
        /// The toggle is off and a window runs unseen.
        /// Leads to: active (enabled inside the window), quiet (window over, privacy, mode off, drain).
        case silent(Window)
        /// The event ended; blind time will run from the moment its last clip is durable.
        /// Leads to: blind (durable, or given up), active (command). Toggles and privacy do not shorten it.
        case settling(EventNumber, blindMs: Int64)
        /// Detections are suppressed.
        /// Leads to: quiet (`until` reached), active (command). Toggles and privacy do not shorten it.
        case blind(until: Instant)
    }

    /// Why an event ended.
    public enum Why: String, Hashable, Sendable, Codable, CaseIterable {
        /// Nothing prolonged it.
        case quiet
        /// It reached its max length.
        case limit
        /// The recording toggle was switched off.
        case disabled
        /// A privacy switch covers the recording.
        case privacy
        /// The policy's mode is off.
        case policy
        /// The daemon shuts down.
        case draining
    }

    /// A level source that is on.
    public struct Source: Hashable, Sendable, Codable {
        /// Which one.
        public package(set) var number: SourceNumber
        /// When it no longer counts unless it is refreshed (T6).
        public package(set) var staleAt: Instant
        /// Why it did not count when it first did not; nil: it always has. It is told that once while it is on.
        public package(set) var suppressed: Camera.Suppression?
    }

    /// The most level sources that can be on at once.
    public static let maxSources = 8

    /// What the trigger is doing.
    public package(set) var state: State = .quiet
    /// The level sources that are on, in the order of their numbers.
    public package(set) var sources: [Source] = []
    /// Events begun so far.
    public package(set) var events: UInt32 = 0

    /// The active event.
    public var active: (number: EventNumber, window: Window)? {
        if case .active(let number, let window) = state { (number, window) } else { nil }
    }

    /// The event that runs, or whose blind time runs or is waited for.
    var latest: EventNumber? {
        switch state {
        case .quiet, .silent: nil
        case .active(let number, _), .settling(let number, _): number
        case .blind: EventNumber(events)
        }
    }

    /// The next moment at which time alone changes the trigger.
    var nextDeadline: Instant? {
        var next = sources.map(\.staleAt).min()
        switch state {
        case .quiet, .settling: break
        case .active(_, let window), .silent(let window):
            next = earliest(next, window.due)
            if !sources.isEmpty { next = earliest(next, window.previousEnd) }
        case .blind(let until): next = earliest(next, until)
        }
        return next
    }
}
