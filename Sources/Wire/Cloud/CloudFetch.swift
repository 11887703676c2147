/// A clip that is brought back from the cloud to the disk, as `/v1/cloud/fetches` tells it.
public struct CloudFetch: Hashable, Sendable, Codable {
    /// How far it is.
    public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        /// Others are fetched before it.
        case waiting
        /// It is being read.
        case fetching
        /// The disk has it.
        case kept
        /// It could not be fetched; `why` says the cause.
        case failed
        /// Somebody has given it up.
        case cancelled
    }

    /// The clip's number in the cloud, below 0.
    public var clip: Int64
    /// Its camera.
    public var camera: String
    /// First frame.
    public var start: WallTime
    /// End of the last frame.
    public var end: WallTime
    /// How far it is.
    public var phase: Phase
    /// Size of its media.
    public var bytes: Int64
    /// How much of that was read.
    public var fetchedBytes: Int64
    /// Its number on the disk; null until it is there.
    public var kept: Int64?
    /// Why it failed, or what it waits for; null where there is nothing to say.
    public var why: String?

    /// A clip that waits.
    public init(clip: Int64, camera: String, start: WallTime, end: WallTime, bytes: Int64) {
        self.clip = clip
        self.camera = camera
        self.start = start
        self.end = end
        self.bytes = bytes
        (phase, fetchedBytes) = (.waiting, 0)
    }

    /// Whether there is nothing left to do.
    public var isOver: Bool { phase != .waiting && phase != .fetching }

    private enum CodingKeys: String, CodingKey {
        case clip, camera, start, end, phase, bytes, fetchedBytes, kept, why
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(clip, forKey: .clip)
        try container.encode(camera, forKey: .camera)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(phase, forKey: .phase)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(fetchedBytes, forKey: .fetchedBytes)
        try container.encode(kept, forKey: .kept)
        try container.encode(why, forKey: .why)
    }
}
