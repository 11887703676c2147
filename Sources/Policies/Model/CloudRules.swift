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
    /// Clips in the cloud older than this are deleted there, in milliseconds; nil for as long as the plan holds.
    public var retentionMs: Int64?

    /// Rules; nothing is sent unless said otherwise.
    public init(
        upload: Upload = .none, levels: Set<Sensitivity> = [], causes: Set<ClipCause> = [],
        keepLocal: KeepLocal = .byRule, isLive: Bool = false, retentionMs: Int64? = nil
    ) {
        self.upload = upload
        self.levels = levels
        self.causes = causes
        self.keepLocal = keepLocal
        self.isLive = isLive
        self.retentionMs = retentionMs
    }
}
