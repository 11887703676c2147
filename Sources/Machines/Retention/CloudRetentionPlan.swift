/// Which clips the cloud has for too long, and when each will be over. A pure function of what is there, how long each camera's
/// clips may stay, and the time.
///
/// It stands beside ``RetentionPlan`` and not in it, because nothing of that holds there: the cloud has no disk that fills and
/// no class that goes first, what is protected locally may go there, and a plan that ends is a limit that no disk has.
public struct CloudRetentionPlan: Hashable, Sendable {
    /// The rule that asks for a remote deletion (S12).
    public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
        /// The clip is older than its policy keeps clips in the cloud.
        case cloudAge
        /// The subscription ended, and its retention has passed.
        case planRetention
    }

    /// A clip that the cloud has.
    public struct Clip: Hashable, Sendable {
        /// Its id.
        public let id: Int64
        /// Its camera.
        public let camera: String
        /// End of the last frame, UTC epoch milliseconds.
        public let endMs: Int64

        /// A clip.
        public init(id: Int64, camera: String, endMs: Int64) {
            self.id = id
            self.camera = camera
            self.endMs = endMs
        }
    }

    /// How long clips of one camera may stay.
    public struct Limits: Hashable, Sendable {
        /// Clips older than this go, in milliseconds, 0 or more; nil for no limit of age.
        public var ageMs: Int64?
        /// When everything goes because the plan is over, UTC epoch milliseconds; nil while that is not known.
        public var goneMs: Int64?

        /// Limits; none unless named.
        public init(ageMs: Int64? = nil, goneMs: Int64? = nil) {
            self.ageMs = ageMs
            self.goneMs = goneMs
        }

        /// When a clip that ended at `endMs` is over, and by which rule; nil if never. Of two rules at the same time it is the
        /// policy's.
        public func end(ofClipEndedMs endMs: Int64) -> End? {
            let byAge = ageMs.map { End(atMs: endMs.addingClamped(max($0, 0)), rule: .cloudAge) }
            let byPlan = goneMs.map { End(atMs: $0, rule: .planRetention) }
            guard let byAge, let byPlan else { return byAge ?? byPlan }
            return byPlan.atMs < byAge.atMs ? byPlan : byAge
        }
    }

    /// When a clip is over.
    public struct End: Hashable, Sendable {
        /// UTC epoch milliseconds.
        public let atMs: Int64
        /// By which rule.
        public let rule: Rule
    }

    /// One clip to delete, and by which rule.
    public struct Deletion: Hashable, Sendable {
        /// The clip.
        public let id: Int64
        /// The rule.
        public let rule: Rule
    }

    /// The deletions in the order of the clips, each at most once.
    public let deletions: [Deletion]

    /// Makes the plan; a camera that `limits` does not name keeps everything.
    public init(_ clips: [Clip], limits: [String: Limits], nowMs: Int64) {
        deletions = clips.compactMap { clip in
            guard let end = limits[clip.camera]?.end(ofClipEndedMs: clip.endMs), end.atMs <= nowMs else { return nil }
            return Deletion(id: clip.id, rule: end.rule)
        }
    }
}
