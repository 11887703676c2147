// What a transport knows.
extension PushTransport {
    /// What makes it record.
    public enum Trigger: Hashable, Sendable, Codable {
        /// Motion in the zones (nil: anywhere) of a level of at most `sensitivity` (1…10), or a command.
        case motion(zones: Zones?, sensitivity: Int, TimeControl)
        /// A command alone.
        case command
        /// Always, while it is active.
        case continuous
    }

    /// Whether it may record: what people and controllers set.
    public enum Status: String, Hashable, Sendable, Codable, CaseIterable {
        /// It records when it is triggered.
        case active
        /// It does not record. Motion is remembered, so that it counts when the transport is set active.
        case inactive
    }

    /// Why the camera may not record at all; what comes meanwhile is forgotten.
    public enum Block: String, Hashable, Sendable, Codable, CaseIterable {
        /// A privacy switch covers the recording.
        case privacy
        /// The recording toggle is off.
        case disabled
        /// The policy's mode is off.
        case off
    }

    /// What it is doing, apart from the status.
    public enum Phase: Hashable, Sendable, Codable {
        /// Nothing runs.
        /// Leads to: detected (motion that counts, a command), over (removed, expired, drained).
        case idle
        /// Motion or a command counts.
        /// Leads to: idle (window over, inactive, blocked, another kind of trigger), blind (window over after a recording of motion,
        /// with blind time), over.
        case detected(Window)
        /// Motion does not count. Status and block do not shorten it.
        /// Leads to: idle (`until` reached, another kind of trigger), detected (command), over.
        case blind(until: Instant)
        /// Removed, expired or drained: everything is ignored from now on.
        /// Leads to: nothing.
        case over
    }

    /// One stretch in which motion or a command counts.
    public struct Window: Hashable, Sendable, Codable {
        /// When it ends unless it is prolonged.
        public package(set) var end: Instant
        /// The end before the last prolonging; the next one is possible from then on. nil before the first.
        public package(set) var previousEnd: Instant?
        /// When it ends in any case.
        public package(set) var limit: Instant
        /// By how much motion prolongs it, in milliseconds.
        public package(set) var augmentationMs: Int64
        /// The blind time that follows it, in milliseconds, unless a command took part.
        public package(set) var blindMs: Int64
        /// A command took part.
        public package(set) var commanded: Bool

        /// The window that a trigger begins at `now`. Lengths below their ranges are moved into them.
        init(_ control: TimeControl, commanded: Bool, at now: Instant) {
            end = now + max(control.initialMs, 1_000)
            limit = now + max(control.maxMs, 1_000)
            augmentationMs = max(control.augmentationMs, 0)
            blindMs = max(control.blindMs, 0)
            self.commanded = commanded
        }

        /// When it ends as things stand.
        var due: Instant { min(end, limit) }
        /// Why it ends then: `limit` only if it would have gone on without it.
        var why: Why { end > limit ? .limit : .quiet }
        /// Whether motion can change its end, now or later.
        var prolongs: Bool { augmentationMs > 0 && end < limit }
        /// Whether motion at `now` prolongs it: the first time, and then once the end before the last prolonging has passed (inclusive).
        func canProlong(at now: Instant) -> Bool { prolongs && previousEnd.map { now >= $0 } ?? true }
    }

    /// What began a recording.
    public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
        /// Motion that counts, or that was remembered when the transport was set active.
        case motion
        /// A command.
        case command
        /// The trigger records always.
        case continuous
    }

    /// Why a recording ended.
    public enum Why: String, Hashable, Sendable, Codable, CaseIterable {
        /// Nothing prolonged it.
        case quiet
        /// It reached its max length.
        case limit
        /// The transport was set inactive.
        case inactive
        /// Its trigger is of another kind now.
        case modified
        /// A privacy switch covers the recording.
        case privacy
        /// The recording toggle of the camera was switched off.
        case disabled
        /// The mode of the camera's policy is off.
        case off
        /// The transport was deallocated.
        case deallocated
        /// Its time was over.
        case expired
        /// The daemon shuts down.
        case draining
    }
}

extension PushTransport.Trigger {
    /// Of the same kind.
    func isLike(_ other: Self) -> Bool {
        switch (self, other) {
        case (.motion, .motion), (.command, .command), (.continuous, .continuous): true
        case (.motion, _), (.command, _), (.continuous, _): false
        }
    }
}

extension PushTransport.Block {
    /// Why a recording ends where it comes up.
    var why: PushTransport.Why {
        switch self {
        case .privacy: .privacy
        case .disabled: .disabled
        case .off: .off
        }
    }
}
