/// What makes a transport record.
public struct TransportTriggerOptions: Hashable, Sendable, Codable {
    /// `command`, `motion` or `continuous`.
    public var triggerType: String?
    /// Where motion counts; absent or empty: anywhere. For `motion` alone.
    public var motionZones: [TransportZone]?
    /// How slight motion counts, 1…10, where 10 is the slightest; absent: 10. For `motion` alone.
    public var motionSensitivity: Int?
    /// How long it records. For `motion` alone.
    public var motionTimeControl: TransportTimeControl?
    /// The most that is kept of the time before it is triggered, 0…60 000 ms. Not for `continuous`.
    public var maxPreRollLen: Int64?

    /// Options; what is absent is not said.
    public init(
        triggerType: String? = nil, motionZones: [TransportZone]? = nil, motionSensitivity: Int? = nil,
        motionTimeControl: TransportTimeControl? = nil, maxPreRollLen: Int64? = nil
    ) {
        (self.triggerType, self.motionZones, self.motionSensitivity) = (triggerType, motionZones, motionSensitivity)
        (self.motionTimeControl, self.maxPreRollLen) = (motionTimeControl, maxPreRollLen)
    }
}

/// A zone in which motion counts.
public struct TransportZone: Hashable, Sendable, Codable {
    /// The name of a zone of the camera; nil: what lies in no zone at all.
    public var zone: String?
    /// Nothing: a camera has one sensitivity for all zones of a transport.
    public var sensitivity: Int?

    /// A zone.
    public init(zone: String?, sensitivity: Int? = nil) { (self.zone, self.sensitivity) = (zone, sensitivity) }
}

/// How long a transport records when it is triggered, in seconds.
public struct TransportTimeControl: Hashable, Sendable, Codable {
    /// At least, 1…65 535.
    public var initialDuration: Int64?
    /// By how much motion prolongs it, once in each window, 0…65 535.
    public var augmentationDuration: Int64?
    /// At most, ``initialDuration``…4 294 967 295.
    public var maxDuration: Int64?
    /// How long motion does not count afterwards, 0…65 535.
    public var blindDuration: Int64?

    /// A time control; what is absent is not said.
    public init(
        initialDuration: Int64? = nil, augmentationDuration: Int64? = nil, maxDuration: Int64? = nil,
        blindDuration: Int64? = nil
    ) {
        (self.initialDuration, self.augmentationDuration) = (initialDuration, augmentationDuration)
        (self.maxDuration, self.blindDuration) = (maxDuration, blindDuration)
    }
}
