extension Camera {
    /// What the machine tells: each is one transition (S11).
    public enum Report: Hashable, Sendable, Codable {
        /// The link went from one phase to another; `failure` if something failed, `retryMs` if it waits.
        case link(from: Link.Phase, to: Link.Phase, failure: LinkFailure?, retryMs: Int64?)
        /// Packets come, but no key frame since the bound: after the dial, or for a cut that is due. The link is kept.
        case noKeyFrame(DialNumber)
        /// An ordered hang-up has not been answered within its bound; it is no longer waited for.
        case hangUpOverdue(DialNumber)
        /// An event began; `level` if a detection began it. It ends at `until` unless prolonged.
        case eventBegan(EventNumber, ClipCause, level: Sensitivity?, until: Instant)
        /// The event's window end moved.
        case eventProlonged(EventNumber, until: Instant)
        /// The event ended.
        case eventEnded(EventNumber, Trigger.Why)
        /// A detection did not count; without a level if it was an asserted source.
        case suppressed(Sensitivity?, Suppression)
        /// A command was refused.
        case refused(Suppression)
        /// A level source was not refreshed in its stale time and no longer counts.
        case sourceExpired(SourceNumber)
        /// A clip is open.
        case clipOpened(ClipNumber, start: Instant, shortfall: Shortfall?)
        /// A clip could not be opened, or not be written on; tried again after `retryMs`, or never if it had been given up.
        case clipFailed(ClipNumber, retryMs: Int64?)
        /// The clip's media has ended; it is being closed.
        case clipEnded(ClipNumber, ClipEnd)
        /// The clip is durable and its row closed.
        case clipClosed(ClipNumber, complete: Bool)
        /// The clip was not reported closed within its bound.
        case clipOverdue(ClipNumber)
        /// The recording toggle changed.
        case enabled(Bool)
        /// The privacy switches changed.
        case privacy(Privacy)
        /// The mode in force changed.
        case mode(from: Mode, to: Mode)
        /// The storage changed.
        case storage(from: Storage, to: Storage)
        /// The label of the present moment changed; before the first step it was `recorderDown`.
        case coverage(from: Coverage, to: Coverage)
    }

    /// Why a detection did not count, or a command was refused.
    public enum Suppression: String, Hashable, Sendable, Codable, CaseIterable {
        /// Its level is above the sensitivity.
        case sensitivity
        /// It lies in no zone that the policy cares for.
        case zone
        /// Blind time runs, or waits for the clip to be durable.
        case blind
        /// The recording toggle is off; the window runs silently.
        case disabled
        /// A privacy switch covers the recording.
        case privacy
        /// The policy's mode is off.
        case off
        /// The daemon shuts down.
        case draining
    }
}
