public import Machines

/// An upright rectangle of the picture, in shares of its width and height.
public struct PictureBox: Hashable, Sendable, Codable {
    /// The left side, 0…1.
    public var x: Double
    /// The upper side, 0…1.
    public var y: Double
    /// 0…1.
    public var width: Double
    /// 0…1.
    public var height: Double

    /// A rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// Something that moves.
public struct MotionRegion: Hashable, Sendable {
    /// Where it is, in whole cells.
    public let box: PictureBox
    /// The least sensitivity that notices it.
    public let level: Sensitivity
    /// Its evidence; comparable between regions, observations and cameras.
    public let score: Double
}

/// What the picture as such is like.
public enum PictureCondition: String, Hashable, Sendable, Codable, CaseIterable {
    /// Pictures come, but nothing in them changes, not even the noise.
    case frozen
    /// It shows next to nothing: covered, black, or blinded.
    case covered
    /// The camera looks elsewhere than before.
    case moved
}

/// A condition began or ended.
public struct ConditionChange: Hashable, Sendable {
    /// Which.
    public let condition: PictureCondition
    /// Whether it holds from now on.
    public let holds: Bool
}

/// What one picture says. Most say nothing: `level` is nil then.
public struct MotionObservation: Hashable, Sendable {
    /// The picture's presentation time in ticks of 90 kHz, on its dial's timeline.
    public let pts: Int64
    /// When its first packet arrived.
    public let arrival: Instant
    /// The presentation time of the last key frame at or before it, on the same timeline; nil when there was none.
    let keyPts: Int64?
    /// The least sensitivity that notices motion anywhere outside of masks; nil when none does. Sensitivity 1 finds a subset of
    /// what 5 finds, and 5 of what 10 finds, because it is one number that is compared.
    public let level: Sensitivity?
    /// The evidence behind it; above 0 also where no sensitivity notices.
    public let score: Double
    /// For each sensitivity in rising order (1, 5, 10) the zones in which it notices motion.
    public let zonesByLevel: [Zones]
    /// What moves, strongest first, at most `regionsMax`.
    public let regions: [MotionRegion]
    /// The share of the picture that differs from what is usual there, 0…1.
    public let movingShare: Double
    /// Conditions of the picture that began or ended with it.
    public let conditions: [ConditionChange]

    /// The most regions that are told.
    static let regionsMax = 8

    /// All zones in which some sensitivity notices motion; nil when none does.
    public var zones: Zones? { level == nil ? nil : zonesByLevel.last }

    /// The least sensitivity that notices motion in one of the zones of `filter` (nil: anywhere).
    public func level(in filter: Zones?) -> Sensitivity? {
        guard let filter else { return level }
        return zip(Sensitivity.allCases, zonesByLevel).first { $1.intersects(filter) }?.0
    }
}
