public import Machines

/// What is known of a clip when its first key frame has come.
public struct NewClip: Hashable, Sendable {
    /// Name of the camera, already validated: `[a-z0-9-_]{1,64}`.
    public var camera: String
    /// The boot in which the monotonic times count.
    public var bootID: String
    /// The first frame.
    public var start: Moment
    /// Why it is begun.
    public var cause: ClipCause
    /// The clip that it continues without a hole.
    public var chainedTo: ClipID?
    /// The event it belongs to.
    public var event: EventID?
    /// Name of the policy in force.
    public var policy: String
    /// Revision of that policy.
    public var policyRevision: String
    /// Which retention rule it falls under.
    public var mediaClass: RetentionPlan.MediaClass
    /// Promised pre-roll in milliseconds, 0 or more.
    public var preRollPromisedMs: Int64
    /// Delivered pre-roll in milliseconds, 0 or more.
    public var preRollDeliveredMs: Int64
    /// Why less was delivered than promised.
    public var shortfall: Shortfall?

    /// A clip to be opened.
    public init(
        camera: String, bootID: String, start: Moment, cause: ClipCause, chainedTo: ClipID? = nil,
        event: EventID? = nil, policy: String, policyRevision: String, mediaClass: RetentionPlan.MediaClass,
        preRollPromisedMs: Int64 = 0, preRollDeliveredMs: Int64 = 0, shortfall: Shortfall? = nil
    ) {
        self.camera = camera
        self.bootID = bootID
        self.start = start
        self.cause = cause
        self.chainedTo = chainedTo
        self.event = event
        self.policy = policy
        self.policyRevision = policyRevision
        self.mediaClass = mediaClass
        self.preRollPromisedMs = preRollPromisedMs
        self.preRollDeliveredMs = preRollDeliveredMs
        self.shortfall = shortfall
    }
}

/// A track file that exists and is about to be written.
public struct NewTrack: Hashable, Sendable {
    /// What it carries.
    public var kind: TrackKind
    /// RFC 6381 codec string, not empty.
    public var codec: String
    /// The file, relative to the root, as `ClipPaths` gives it.
    public var path: String

    /// A track to be written.
    public init(kind: TrackKind, codec: String, path: String) {
        self.kind = kind
        self.codec = codec
        self.path = path
    }
}
