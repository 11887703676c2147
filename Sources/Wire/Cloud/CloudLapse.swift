/// What would go from the cloud, and when, if the plans ended at a moment, as `GET /v1/cloud/lapse` tells it.
public struct CloudLapse: Hashable, Sendable, Codable {
    /// Clips and their size.
    public struct Sum: Hashable, Sendable, Codable {
        /// How many.
        public var clips: Int64
        /// Their size.
        public var bytes: Int64

        /// Clips and their size; none unless named.
        public init(clips: Int64 = 0, bytes: Int64 = 0) {
            self.clips = clips
            self.bytes = bytes
        }
    }

    /// What a camera has in the cloud of one day.
    public struct Day: Hashable, Sendable, Codable {
        /// The day in the site's time zone on which the clips begin: `2026-11-21`.
        public var day: String
        /// Its begin.
        public var from: WallTime
        /// Its end.
        public var to: WallTime
        /// All of its clips.
        public var stored: Sum
        /// Those that only the cloud has.
        public var alone: Sum
        /// Those that the policy's `cloud.retention` deletes before the plan ends.
        public var aged: Sum
        /// When the first of them goes; null where nothing deletes them.
        public var goneFrom: WallTime?
        /// When the last of them goes; null where nothing deletes them.
        public var goneTo: WallTime?

        /// A day.
        public init(
            day: String, from: WallTime, to: WallTime, stored: Sum, alone: Sum, aged: Sum, goneFrom: WallTime?,
            goneTo: WallTime?
        ) {
            self.day = day
            self.from = from
            self.to = to
            self.stored = stored
            self.alone = alone
            self.aged = aged
            self.goneFrom = goneFrom
            self.goneTo = goneTo
        }

        /// Writes every key, null ones too.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(day, forKey: .day)
            try container.encode(from, forKey: .from)
            try container.encode(to, forKey: .to)
            try container.encode(stored, forKey: .stored)
            try container.encode(alone, forKey: .alone)
            try container.encode(aged, forKey: .aged)
            try container.encode(goneFrom, forKey: .goneFrom)
            try container.encode(goneTo, forKey: .goneTo)
        }
    }

    /// What would become of one camera's clips.
    public struct Camera: Hashable, Sendable, Codable {
        /// Its name.
        public var camera: String
        /// When everything that is left goes: the plan's end and its retention; null where the camera sends nothing any more: then
        /// its clips stay.
        public var goneAt: WallTime?
        /// All of its clips in the cloud.
        public var stored: Sum
        /// Those that only the cloud has.
        public var alone: Sum
        /// For how long reading these from the store would take, in seconds; null where nothing was read lately.
        public var fetchSeconds: Int64?
        /// The days on which its clips begin, in order.
        public var days: [Day]

        /// One camera.
        public init(
            camera: String, goneAt: WallTime?, stored: Sum, alone: Sum, fetchSeconds: Int64?, days: [Day]
        ) {
            self.camera = camera
            self.goneAt = goneAt
            self.stored = stored
            self.alone = alone
            self.fetchSeconds = fetchSeconds
            self.days = days
        }

        /// Writes every key, null ones too.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(camera, forKey: .camera)
            try container.encode(goneAt, forKey: .goneAt)
            try container.encode(stored, forKey: .stored)
            try container.encode(alone, forKey: .alone)
            try container.encode(fetchSeconds, forKey: .fetchSeconds)
            try container.encode(days, forKey: .days)
        }
    }

    /// When the plans are taken to end.
    public var on: WallTime
    /// How fast clips came from the store lately, in bytes a second; null where none did since the daemon began.
    public var bytesPerSecond: Int64?
    /// The cameras that have something in the cloud, by name.
    public var cameras: [Camera]

    /// What would go.
    public init(on: WallTime, bytesPerSecond: Int64?, cameras: [Camera]) {
        self.on = on
        self.bytesPerSecond = bytesPerSecond
        self.cameras = cameras
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(on, forKey: .on)
        try container.encode(bytesPerSecond, forKey: .bytesPerSecond)
        try container.encode(cameras, forKey: .cameras)
    }
}
