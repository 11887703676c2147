/// The connection to a camera.
///
///             wanted                dialed                     keyframe
///     off ───────────► dialing ───────────► synchronizing ───────────► streaming
///      ▲  not wanted      │ failed, deadline      │ lost, silence,         │ lost, silence
///      └──────────────    ▼                       ▼ no key frame           ▼
///                      waiting ◄──────────────────┴────────────────────────┘
///                         │ back-off over, still wanted: dialing; not wanted: off
///
/// A link that streams synchronizes anew where a clip is ordered and no key frame is there for it.
/// A dial that is given up is hung up; the next dial waits for that, up to a bound.
public struct Link: Hashable, Sendable, Codable {
    /// Where the link stands.
    public enum State: Hashable, Sendable, Codable {
        /// Not wanted, or about to be dialled once the last hang-up is complete.
        /// Leads to: dialing (wanted and nothing being hung up).
        case off
        /// Backing off after a failure. A wait is waited to its end even if the link is not wanted in between, so that
        /// toggling cannot turn into hammering.
        /// Leads to: dialing (`until` reached, wanted), off (`until` reached and not wanted; draining; new settings).
        case waiting(until: Instant)
        /// A connection is being made.
        /// Leads to: synchronizing (dialed), waiting (failed, or the deadline passed), off (not wanted).
        case dialing(DialNumber, Endpoint, deadline: Instant)
        /// Connected; no key frame yet, or none that a clip could begin with.
        /// Leads to: streaming (key frame), waiting (lost, silence, patience over), off (not wanted).
        case synchronizing(DialNumber, Endpoint, silence: Instant, patience: Instant, warned: Bool)
        /// Media that can be recorded arrives. If it still does at `steady`, the failures are forgotten; nil: there are none.
        /// Leads to: synchronizing (a clip was ordered and no key frame is there for it), waiting (lost, silence), off (not wanted).
        case streaming(DialNumber, Endpoint, silence: Instant, steady: Instant?)
    }

    /// The state without its payload.
    public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        case off, waiting, dialing, synchronizing, streaming
    }

    /// A hang-up that has not been answered yet.
    public struct HangUp: Hashable, Sendable, Codable {
        /// The dial being hung up.
        public package(set) var number: DialNumber
        /// When it is no longer waited for.
        public package(set) var deadline: Instant
    }

    /// Where the link stands.
    public package(set) var state: State = .off
    /// Failures since the link last streamed for `Timing.steadyMs`, counted by `Timing.counting`: chooses the back-off.
    public package(set) var failures: UInt8 = 0
    /// The endpoint that is dialled, or will be next, where it is not the first of the order.
    public package(set) var other: Endpoint?
    /// Whether the dial, which waits for a key frame anew, had streamed without failures; nil where it has not, or does not wait anew.
    public package(set) var worked: Bool?
    /// What is being hung up.
    public package(set) var hangingUp: HangUp?
    /// Dials ordered so far.
    public package(set) var dials: UInt32 = 0

    /// The state without its payload.
    public var phase: Phase {
        switch state {
        case .off: .off
        case .waiting: .waiting
        case .dialing: .dialing
        case .synchronizing: .synchronizing
        case .streaming: .streaming
        }
    }

    /// The dial that is open or being made.
    public var current: DialNumber? {
        switch state {
        case .off, .waiting: nil
        case .dialing(let number, _, _), .synchronizing(let number, _, _, _, _), .streaming(let number, _, _, _): number
        }
    }

    /// The next moment at which time alone changes the link.
    var nextDeadline: Instant? {
        let own: Instant? =
            switch state {
            case .off: nil
            // A wait that is over but blocked by a hang-up has no deadline of its own; the hang-up's bound is the one.
            case .waiting(let until): until
            case .dialing(_, _, let deadline): deadline
            case .synchronizing(_, _, let silence, let patience, _): min(silence, patience)
            case .streaming(_, _, let silence, let steady): earliest(silence, steady)
            }
        return earliest(own, hangingUp?.deadline)
    }
}
