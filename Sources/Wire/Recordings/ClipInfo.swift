public import Machines

/// One clip, as `GET /v1/clips` tells it. The names are part of the interface that scripts rely on.
public struct ClipInfo: Hashable, Sendable, Codable {
    /// The clip's number in the catalog, 1 or more; never used twice.
    public var id: Int64
    /// The camera's name.
    public var camera: String
    /// Wall time of its first frame.
    public var start: WallTime
    /// Wall time of the end of its last frame; null while it is being written.
    public var end: WallTime?
    /// Monotonic milliseconds of its first frame since the boot `bootId`.
    public var startedMonotonicMs: Int64
    /// The kernel's boot id under which it was begun.
    public var bootId: String
    /// Why it was begun.
    public var cause: ClipCause
    /// Why it ended; null while it is being written.
    public var ended: ClipEnd?
    /// The clip that this one follows without a hole; null where there is none.
    public var chainedTo: Int64?
    /// The name of the policy in force when it was begun.
    public var policy: String
    /// The revision of that policy.
    public var policyRevision: String
    /// Promised and delivered pre-roll.
    public var preRoll: PreRollInfo
    /// Its track files.
    public var tracks: [TrackInfo]
    /// Whether no retention rule may delete it.
    public var protected: Bool
    /// Frames of its tracks that packets are missing from; they are in it, marked.
    public var damagedFrames: Int64

    /// One clip.
    public init(
        id: Int64, camera: String, start: WallTime, end: WallTime?, startedMonotonicMs: Int64, bootId: String,
        cause: ClipCause, ended: ClipEnd?, chainedTo: Int64?, policy: String, policyRevision: String,
        preRoll: PreRollInfo, tracks: [TrackInfo], protected: Bool = false, damagedFrames: Int64 = 0
    ) {
        self.id = id
        self.camera = camera
        self.start = start
        self.end = end
        self.startedMonotonicMs = startedMonotonicMs
        self.bootId = bootId
        self.cause = cause
        self.ended = ended
        self.chainedTo = chainedTo
        self.policy = policy
        self.policyRevision = policyRevision
        self.preRoll = preRoll
        self.tracks = tracks
        self.protected = protected
        self.damagedFrames = damagedFrames
    }

    /// Writes every key, null ones too: a script need not ask whether a key is there.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(camera, forKey: .camera)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(startedMonotonicMs, forKey: .startedMonotonicMs)
        try container.encode(bootId, forKey: .bootId)
        try container.encode(cause, forKey: .cause)
        try container.encode(ended, forKey: .ended)
        try container.encode(chainedTo, forKey: .chainedTo)
        try container.encode(policy, forKey: .policy)
        try container.encode(policyRevision, forKey: .policyRevision)
        try container.encode(preRoll, forKey: .preRoll)
        try container.encode(tracks, forKey: .tracks)
        try container.encode(protected, forKey: .protected)
        try container.encode(damagedFrames, forKey: .damagedFrames)
    }
}
