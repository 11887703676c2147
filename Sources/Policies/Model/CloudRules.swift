public import Machines

/// The cloud section of a policy: which clips are sent, and what follows from it for both copies.
public struct CloudRules: Hashable, Sendable {
    /// Which clips are sent.
    public enum Upload: String, Hashable, Sendable, CaseIterable {
        /// None.
        case none
        /// Those in which an event lies.
        case events
        /// All.
        case all
    }

    /// How long the local copy stays.
    public enum KeepLocal: String, Hashable, Sendable, CaseIterable {
        /// As the retention section says, whether it was sent or not.
        case byRule
        /// No rule deletes it before its upload is verified.
        case untilUploaded
    }

    /// What is made of a clip once it is there, for whoever plays it.
    public enum Encode: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// Its own size up to 1080p.
        case browser
        /// One small size.
        case small
        /// Three sizes, of which players take what their line bears.
        case ladder

        /// The sizes: H.264, and AAC where there is sound. Heights in pixels, from the highest; rates of pictures in kbit/s.
        public var renditions: [(heightMax: Int, kilobits: Int)] {
            switch self {
            case .none: []
            case .browser: [(1_080, 4_000)]
            case .small: [(480, 700)]
            case .ladder: [(1_080, 4_000), (720, 2_000), (360, 600)]
            }
        }
    }

    /// Which clips are sent.
    public var upload: Upload
    /// With `events`: the levels of detections whose events count; empty for every one.
    public var levels: Set<Sensitivity>
    /// With `events`: the causes whose events count; empty for every one.
    public var causes: Set<ClipCause>
    /// How long the local copy stays.
    public var keepLocal: KeepLocal
    /// Whether a clip is sent while it is recorded, once it is known that it is to be sent.
    public var isLive: Bool
    /// What is made of a clip once it is there.
    public var encode: Encode
    /// Clips in the cloud older than this are deleted there, in milliseconds; nil for as long as the plan holds.
    public var retentionMs: Int64?

    /// Rules; nothing is sent unless said otherwise.
    public init(
        upload: Upload = .none, levels: Set<Sensitivity> = [], causes: Set<ClipCause> = [],
        keepLocal: KeepLocal = .byRule, isLive: Bool = false, encode: Encode = .none, retentionMs: Int64? = nil
    ) {
        self.upload = upload
        self.levels = levels
        self.causes = causes
        self.keepLocal = keepLocal
        self.isLive = isLive
        self.encode = encode
        self.retentionMs = retentionMs
    }
}
