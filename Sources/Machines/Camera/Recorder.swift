/// The clip being recorded and the clips being closed.
///
///            media wanted           opened               cut due            cut
///     idle ───────────────► opening ──────► writing ─────────────► cutting ─────► idle
///      ▲                       │ failed        │ not wanted, link lost, failed       (+ closing)
///      └───── retry wait ◄─────┴───────────────┘
///
/// At most one clip is open; at most two more are being closed.
public struct Recorder: Hashable, Sendable, Codable {
    /// The clip that is open or being opened.
    public struct Clip: Hashable, Sendable, Codable {
        /// Its number.
        public package(set) var number: ClipNumber
        /// The event it belongs to; nil in continuous mode.
        public package(set) var event: EventNumber?
        /// How that event ended, once it has: a cut is due.
        public package(set) var ended: ClipEnd?
    }

    /// What the recorder is doing.
    public enum State: Hashable, Sendable, Codable {
        /// No clip is open.
        /// Leads to: opening (media wanted, link streaming, no retry wait, fewer than two clips closing).
        case idle
        /// A clip has been ordered.
        /// Leads to: writing, cutting (opened), idle (failed, no key frame to begin with, overdue, or not wanted any more).
        case opening(Clip, deadline: Instant)
        /// Media goes into the clip; a cut is due at `cutAt`.
        /// Leads to: cutting (length reached, event ended, mode changed), idle (not wanted, link lost, stream changed,
        /// write failed).
        case writing(Clip, cutAt: Instant)
        /// A cut is due and waits for a key frame until `grace`, which begins again while what comes is wanted.
        /// Leads to: idle (cut, forced, not wanted, link lost, stream changed, write failed).
        case cutting(Clip, ClipEnd, grace: Instant)
    }

    /// A clip whose media has ended and that is not durable yet.
    public struct Closing: Hashable, Sendable, Codable {
        /// Its number.
        public package(set) var number: ClipNumber
        /// The event it belongs to.
        public package(set) var event: EventNumber?
        /// Whether it was ever open; if not, it was given up while it was opening, and may yet fail to.
        public package(set) var opened: Bool
        /// When it is reported overdue and no longer waited for.
        public package(set) var deadline: Instant
    }

    /// The most clips being closed at once.
    public static let maxClosing = 2

    /// What the recorder is doing.
    public package(set) var state: State = .idle
    /// Clips being closed, oldest first.
    public package(set) var closing: [Closing] = []
    /// Since when media has been wanted and not been put into a clip.
    public package(set) var wantedSince: Instant?
    /// Until when a failed clip is not tried again.
    public package(set) var retryAt: Instant?
    /// How often the grace of the cut that is due has begun again; nil: not once.
    public package(set) var graces: UInt8?
    /// Failures to open or write in a row, counted by `Timing.counting`.
    public package(set) var failures: UInt8 = 0
    /// The last event of which a clip was open: only the first one has pre-roll.
    public package(set) var eventWithClip: EventNumber?
    /// Clips ordered so far.
    public package(set) var clips: UInt32 = 0

    /// The clip that is open or being opened.
    public var clip: Clip? {
        switch state {
        case .idle: nil
        case .opening(let clip, _), .writing(let clip, _), .cutting(let clip, _, _): clip
        }
    }

    /// Whether a clip of `event` is open or not durable yet.
    func owes(_ event: EventNumber) -> Bool {
        clip?.event == event || closing.contains { $0.event == event }
    }

    /// The next moment at which time alone changes the recorder.
    var nextDeadline: Instant? {
        let own: Instant? =
            switch state {
            case .idle: retryAt
            case .opening(_, let deadline): deadline
            case .writing(_, let cutAt): cutAt
            case .cutting(_, _, let grace): grace
            }
        return earliest(own, closing.map(\.deadline).min())
    }
}
