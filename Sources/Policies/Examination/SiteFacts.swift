/// What only a running site knows: what its disk holds, and what its cameras really send.
public struct SiteFacts: Hashable, Sendable {
    /// What was measured of one camera.
    public struct Measured: Hashable, Sendable {
        /// Bytes for each second of media; nil where too little was recorded to tell.
        public var bytesPerSecond: Double?
        /// Bytes of event recordings a day; nil where less than a day was looked at.
        public var eventBytesPerDay: Double?

        /// A measurement.
        public init(bytesPerSecond: Double?, eventBytesPerDay: Double?) {
            self.bytesPerSecond = bytesPerSecond
            self.eventBytesPerDay = eventBytesPerDay
        }
    }

    /// The size of the file system of the recordings, in bytes.
    public var capacityBytes: Int64
    /// What others than recordings use of it, in bytes.
    public var otherBytes: Int64
    /// What the memory for one camera's pre-roll holds at most, in bytes.
    public var ringBytes: Int64
    /// The cameras by name; one that has recorded nothing yet is missing.
    public var cameras: [String: Measured]

    /// Facts of a site.
    public init(capacityBytes: Int64, otherBytes: Int64, ringBytes: Int64, cameras: [String: Measured]) {
        self.capacityBytes = capacityBytes
        self.otherBytes = otherBytes
        self.ringBytes = ringBytes
        self.cameras = cameras
    }
}
