extension Camera {
    /// An order to the shell, carried out in the order of the array.
    public enum Effect: Hashable, Sendable, Codable {
        /// Connect to the camera under this endpoint. Ordered only when no other dial is open or being hung up, or the
        /// hang-up is overdue. Answered by `dialed` or `dialFailed`, later `keyframe`, `lost`.
        case dial(DialNumber, Endpoint)
        /// End this dial, whatever it is doing. Answered by `hungUp` (or by `dialFailed`/`lost` that crossed it).
        case hangUp(DialNumber)
        /// Keep media in the pre-roll ring, or purge it and keep none (S7). Purging is done before the next effect.
        case keepMedia(Bool)
        /// Open a clip: from the last key frame at or before trigger − pre-roll, never before the end of the previous
        /// clip. Answered by `opened`, `openFailed` or `keyframeMissing`.
        case openClip(ClipOrder)
        /// End the clip at the next key frame, or with the media that is there. Ordered before the next `openClip`.
        /// `.keyframe` is answered by `cut`; both by `closed` once durable. May be ordered again with `.now` after
        /// `.keyframe`; may be ordered while the clip is still opening.
        case closeClip(ClipNumber, ClosePoint, ClipEnd)
        /// Enter the event that begins now; `level` if a detection began it. Done before the next `openClip`, so that the
        /// event's id is older than its clips'. Not answered: what cannot be entered is tried again by the shell.
        case beginEvent(EventNumber, ClipCause, level: Sensitivity?)
        /// The event is over now: enter its end.
        case endEvent(EventNumber, Trigger.Why)
        /// A detection counts for this event: enter it, with its zones, in what is kept of the event.
        case noteDetection(EventNumber, Zones)
        /// A detection does not count: enter it in the list of those, under the event that runs or whose blind time runs.
        case noteSuppressed(Sensitivity, Suppression, during: EventNumber?)
        /// From now on this label holds: enter it in the line of coverage.
        case label(Coverage)
        /// Tell: one line of the journal. Whoever hears it changes nothing: what is to be done is an order of its own,
        /// which comes before the report of it.
        case report(Report)
        /// The event did not fit and changed nothing; count and journal it.
        case ignored(Ignored)
        /// Nothing is owed any more; the machine ignores everything from now on.
        case stopped
    }

    /// Where a clip ends.
    public enum ClosePoint: String, Hashable, Sendable, Codable {
        /// Before the next key frame: the last fragment is whole, and the next clip can continue there.
        case keyframe
        /// With the media that has arrived.
        case now
    }

    /// Why an event was ignored.
    public enum Ignored: String, Hashable, Sendable, Codable, CaseIterable {
        /// It answers an order that is over.
        case late
        /// It says what the state already holds.
        case duplicate
        /// It answers an order that is under way, before what it would have to follow.
        case early
        /// No order with this number was ever given.
        case unknown
        /// A limit of the machine is reached (asserted sources).
        case full
        /// A value is out of its range.
        case invalid
        /// The machine has stopped.
        case stopped
    }

    /// What a clip is to be.
    public struct ClipOrder: Hashable, Sendable, Codable {
        /// The clip's number.
        public let number: ClipNumber
        /// Why it is begun.
        public let cause: ClipCause
        /// The event it belongs to; nil in continuous mode.
        public let event: EventNumber?
        /// The moment that called for it.
        public let trigger: Instant
        /// Promised media before `trigger`, in milliseconds.
        public let preRollMs: Int64
    }
}
