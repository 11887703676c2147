extension PushTransport {
    /// A fact that the shell tells the machine.
    public enum Event: Hashable, Sendable, Codable {
        /// Nothing happened but time: deadlines that are due are applied (as before every other event).
        case tick
        /// Motion was observed; `level` is the least sensitivity that notices it.
        case motion(level: Sensitivity, zones: Zones)
        /// Something that notices motion by itself (a source of the camera) is on, or no longer: while it is on it counts as motion at
        /// every moment, of every level and zone.
        case held(Bool)
        /// Record now; nil: with the transport's own time control. The blind time of the control is ignored.
        case triggered(TimeControl?)
        /// Set active or inactive.
        case status(Status)
        /// Other options: what triggers it, and when it is over.
        case modified(Trigger, expiry: Instant?)
        /// Whether the camera may record, and why not.
        case blocked(Block?)
        /// It is to be removed.
        case deallocated
        /// Shut down.
        case drain
    }

    /// An order or a report to the shell, in the order of the array.
    public enum Effect: Hashable, Sendable, Codable {
        /// A recording begins: media of the camera is kept from here on, and before it as the options say.
        case begin(RecordingNumber, Cause)
        /// The recording ends. Comes before whatever follows from it.
        case end(RecordingNumber, Why)
        /// What was asked for is refused and changed nothing.
        case refused(Refusal)
        /// The event did not fit and changed nothing.
        case ignored(Ignored)
        /// It is gone, by its own time or by order: the shell forgets it, durably.
        case removed(Removal)
        /// Nothing is owed any more, and the transport stays for the next run.
        case stopped
    }

    /// Why a request is refused, by what Matter calls it.
    public enum Refusal: String, Hashable, Sendable, Codable, CaseIterable {
        /// The camera may not record: INVALID_IN_STATE.
        case blocked
        /// The transport is inactive: InvalidTransportStatus.
        case inactive
        /// It records always: InvalidTriggerType.
        case continuous
        /// Neither the request nor the options have a time control: DYNAMIC_CONSTRAINT_ERROR.
        case noTimeControl
    }

    /// Why an event was ignored.
    public enum Ignored: String, Hashable, Sendable, Codable, CaseIterable {
        /// It says what the state already holds.
        case duplicate
        /// The trigger does not look at motion.
        case trigger
        /// The camera may not record.
        case blocked
        /// The motion is in none of the zones.
        case zone
        /// The motion is too slight.
        case sensitivity
        /// The blind time runs.
        case blind
        /// The window was prolonged already, or cannot be.
        case early
        /// The machine is over.
        case over
    }

    /// How it went.
    public enum Removal: String, Hashable, Sendable, Codable, CaseIterable {
        /// By order.
        case deallocated
        /// Its time was over.
        case expired
    }
}
