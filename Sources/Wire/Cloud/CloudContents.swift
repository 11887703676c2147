/// A day of what a camera has in the cloud, as `GET /v1/cameras/{camera}/cloud/days` tells it.
public struct CloudDay: Hashable, Sendable, Codable {
    /// The day in the site's time zone: `2026-11-21`.
    public var day: String
    /// Its begin.
    public var from: WallTime
    /// Its end: 23, 24 or 25 hours later, sometimes otherwise.
    public var to: WallTime
    /// Media of it, in milliseconds.
    public var storedMs: Int64
    /// Events that began in it.
    public var events: Int

    /// A day.
    public init(day: String, from: WallTime, to: WallTime, storedMs: Int64, events: Int) {
        self.day = day
        self.from = from
        self.to = to
        self.storedMs = storedMs
        self.events = events
    }
}

/// A clip in the cloud on a timeline, as `GET /v1/cameras/{camera}/cloud/slices` tells it.
public struct CloudSlice: Hashable, Sendable, Codable {
    /// The clip's number; below 0 where only the cloud has it. It is played like any other.
    public var clip: Int64
    /// First frame.
    public var start: WallTime
    /// End of the last frame.
    public var end: WallTime
    /// Whether it was recorded because of an event.
    public var isEvent: Bool
    /// Whether its end is there.
    public var isComplete: Bool
    /// Size of its media.
    public var bytes: Int64

    /// A clip.
    public init(clip: Int64, start: WallTime, end: WallTime, isEvent: Bool, isComplete: Bool, bytes: Int64) {
        self.clip = clip
        self.start = start
        self.end = end
        self.isEvent = isEvent
        self.isComplete = isComplete
        self.bytes = bytes
    }

    private enum CodingKeys: String, CodingKey {
        case clip, start, end, bytes
        case isEvent = "event"
        case isComplete = "complete"
    }
}

/// An event that the cloud knows, as `GET /v1/cameras/{camera}/cloud/events` tells it.
public struct CloudEvent: Hashable, Sendable, Codable {
    /// Its number among the events of the cloud, which is another one than that of the event on the disk.
    public var id: Int64
    /// Begin.
    public var start: WallTime
    /// End; null where it was not over when its last clip was sent.
    public var end: WallTime?
    /// What began it.
    public var cause: String
    /// Level of the detection that began it: 1, 5 or 10; null where there was none.
    public var level: Int?
    /// Detections that passed.
    public var detections: Int
    /// Names of the zones in which they were, an empty one for the part outside every zone.
    public var zones: [String]
    /// Whether its picture is there.
    public var hasPicture: Bool
    /// The clips in which it lies, as in `CloudSlice`.
    public var clips: [Int64]
    /// Its number among the events of the disk; null where the disk has no row of it.
    public var event: Int64?

    /// An event.
    public init(
        id: Int64, start: WallTime, end: WallTime?, cause: String, level: Int?, detections: Int, zones: [String],
        hasPicture: Bool, clips: [Int64], event: Int64? = nil
    ) {
        self.id = id
        self.start = start
        self.end = end
        self.cause = cause
        self.level = level
        self.detections = detections
        self.zones = zones
        self.hasPicture = hasPicture
        self.clips = clips
        self.event = event
    }

    private enum CodingKeys: String, CodingKey {
        case id, start, end, cause, level, detections, zones, clips, event
        case hasPicture = "picture"
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(cause, forKey: .cause)
        try container.encode(level, forKey: .level)
        try container.encode(detections, forKey: .detections)
        try container.encode(zones, forKey: .zones)
        try container.encode(hasPicture, forKey: .hasPicture)
        try container.encode(clips, forKey: .clips)
        try container.encode(event, forKey: .event)
    }
}

/// Which of a camera's clips or events in the cloud are asked for.
public struct CloudFilter: Hashable, Sendable {
    /// The begin of the time.
    public var from: WallTime
    /// Its end.
    public var to: WallTime
    /// Only what the cloud alone has: clips of which the disk has nothing, events of which it has no row or no clip.
    public var isAlone: Bool
    /// Of events: the oldest first, or the newest.
    public var order: ListFilter.Order = .oldest
    /// Of events: so many are passed over.
    public var offset = 0
    /// Of events: at most so many, 1 to `ListFilter.pageMax`.
    public var limit = ListFilter.pageDefault

    /// All there is from `from` to `to`, or what the cloud alone has.
    public init(from: WallTime, to: WallTime, isAlone: Bool = false) {
        self.from = from
        self.to = to
        self.isAlone = isAlone
    }
}

/// One of the lists of HLS by which a clip plays from the cloud with addresses that are signed.
public enum SignedList: String, Hashable, Sendable, Codable, CaseIterable {
    /// The list of the lists.
    case index = "index.m3u8"
    /// The pictures.
    case video = "video.m3u8"
    /// The sound.
    case audio = "audio.m3u8"

    /// For how long addresses are signed at least and at most, in seconds.
    public static let seconds = 60...604_800
    /// For how long where nothing is said.
    public static let secondsDefault = 3_600
}

/// How far a rebuild of the lists of the cloud is, as `GET /v1/cloud/rebuild` tells it.
public struct CloudRebuild: Hashable, Sendable, Codable {
    /// The most clips that are named which cannot be read.
    public static let unreadableMax = 100

    /// A clip that was left out.
    public struct Unreadable: Hashable, Sendable, Codable {
        /// Where it lies.
        public var key: String
        /// Why.
        public var why: String

        /// A clip that was left out.
        public init(key: String, why: String) {
            self.key = key
            self.why = why
        }
    }

    /// Clips that were entered, and that no key of the configuration opens.
    public struct Locked: Hashable, Sendable, Codable {
        /// The id of the key that opens them.
        public var keyID: String
        /// How many there are.
        public var clips: Int

        private enum CodingKeys: String, CodingKey {
            case clips
            case keyID = "keyId"
        }
    }

    /// Whether one is under way.
    public var isRunning: Bool
    /// Since when; null where none was asked for since the daemon began.
    public var started: WallTime?
    /// Clips that the store has, as far as it was looked through.
    public var found: Int
    /// Of these, how many were entered.
    public var entered: Int
    /// How many were known before.
    public var known: Int
    /// How many are to go, and were not entered.
    public var going: Int
    /// How many were left out, and the first of them.
    public var leftOut: Int
    /// The first of those that were left out.
    public var unreadable: [Unreadable]
    /// Those that were entered and cannot be played, by the key that they need.
    public var locked: [Locked]
    /// Why it ended early; null where it did not.
    public var why: String?

    /// None so far.
    public init() {
        (isRunning, found, entered, known, going, leftOut) = (false, 0, 0, 0, 0, 0)
        (unreadable, locked) = ([], [])
    }

    /// One more clip was entered that needs this key; of more than a hundred keys the first are counted.
    public mutating func add(lockedBy keyID: String) {
        if let place = locked.firstIndex(where: { $0.keyID == keyID }) {
            locked[place].clips += 1
        } else if locked.count < Self.unreadableMax {
            locked.append(Locked(keyID: keyID, clips: 1))
        }
    }

    private enum CodingKeys: String, CodingKey {
        case started, found, entered, known, going, leftOut, unreadable, locked, why
        case isRunning = "running"
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isRunning, forKey: .isRunning)
        try container.encode(started, forKey: .started)
        try container.encode(found, forKey: .found)
        try container.encode(entered, forKey: .entered)
        try container.encode(known, forKey: .known)
        try container.encode(going, forKey: .going)
        try container.encode(leftOut, forKey: .leftOut)
        try container.encode(unreadable, forKey: .unreadable)
        try container.encode(locked, forKey: .locked)
        try container.encode(why, forKey: .why)
    }
}
