// What the subscription knows, and the bounds it works with.
extension Subscription {
    /// What is kept over a restart. Instants belong to one boot: the shell stores wall time and converts when it reads.
    public struct Kept: Hashable, Sendable, Codable {
        /// The plan that was last known.
        public package(set) var plan: Plan
        /// When stored video is over.
        public package(set) var gone: Gone
        /// How long stored video outlives its plan, in milliseconds, 0 or more: the plan's own, kept with it.
        public package(set) var retentionMs: Int64

        /// What was kept; by default that of a camera that never had a plan. A retention below 0 is read as 0.
        public init(plan: Plan = .none, gone: Gone = .unknown, retentionMs: Int64 = Self.defaultRetentionMs) {
            self.plan = plan
            self.gone = gone
            self.retentionMs = max(retentionMs, 0)
        }

        /// Seven days, in milliseconds.
        public static let defaultRetentionMs: Int64 = 7 * 24 * 3_600_000

        /// The plan ended at `end`; what is stored outlives it by the retention, which may have passed by `now`.
        mutating func end(at end: Instant, by now: Instant) {
            plan = .expired
            gone = end + retentionMs <= now ? .over : .at(end + retentionMs)
        }
    }

    /// The plan.
    public enum Plan: Hashable, Sendable, Codable {
        /// There is none.
        /// Leads to: active, expired (loaded).
        case none
        /// Clips may be uploaded.
        /// Leads to: expired (`until` reached, or loaded), none (loaded). A failed load does not leave it.
        case active(until: Instant)
        /// It is over; what is stored stays for the retention.
        /// Leads to: active, none (loaded).
        case expired
    }

    /// When video that is stored remotely is over.
    public enum Gone: Hashable, Sendable, Codable {
        /// Not known: the plan covers it, or nothing was ever stored without one.
        /// Leads to: at (the plan ended, or something is stored without one), over (loaded expired, long ago).
        case unknown
        /// At this instant.
        /// Leads to: over (reached), unknown (renewed).
        case at(Instant)
        /// It is over: what is stored is purged, and so is a late upload.
        /// Leads to: unknown (renewed), at (loaded another end).
        case over
    }

    /// What is being done to learn the plan.
    public enum Load: Hashable, Sendable, Codable {
        /// A load is outstanding; without an answer it has failed at `until`.
        /// Leads to: next (answered, failed, bound passed), stopped (drain).
        case ask(LoadNumber, until: Instant)
        /// The next load comes at `at`.
        /// Leads to: ask (`at` reached, refresh, expiry of the plan), stopped (drain).
        case next(at: Instant)
        /// Drained: everything is ignored from now on.
        /// Leads to: nothing.
        case stopped
    }

    /// Names one load; counts up for the life of the machine, so an answer to an older one is known as late.
    public struct LoadNumber: RawRepresentable, Hashable, Sendable, Codable {
        /// 1 for the first load.
        public let rawValue: UInt32

        /// The number `rawValue`.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The number `rawValue`.
        public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    }

    /// The bounds, all in milliseconds. Constant for the life of a machine.
    public struct Timing: Hashable, Sendable, Codable {
        /// How long the provider may take to answer.
        public var answerMs: Int64
        /// The wait after a failed load.
        public var retryMs: Int64
        /// The wait after a good one.
        public var refreshMs: Int64

        /// The default bounds: 30 s, 5 min, 6 h.
        public init(answerMs: Int64 = 30_000, retryMs: Int64 = 300_000, refreshMs: Int64 = 21_600_000) {
            self.answerMs = answerMs
            self.retryMs = retryMs
            self.refreshMs = refreshMs
        }
    }
}
