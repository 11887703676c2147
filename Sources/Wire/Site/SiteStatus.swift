public import Machines

/// The daemon at a glance, as `GET /v1/status` tells it.
public struct SiteStatus: Hashable, Sendable, Codable {
    /// One line about one camera.
    public struct Line: Hashable, Sendable, Codable {
        /// The camera's name.
        public var camera: String
        /// The label of the present second.
        public var coverage: Coverage
        /// What it does and why, in one line.
        public var line: String

        /// A line.
        public init(camera: String, coverage: Coverage, line: String) {
            self.camera = camera
            self.coverage = coverage
            self.line = line
        }
    }

    /// What the storage holds.
    public struct StorageTotals: Hashable, Sendable, Codable {
        /// The folder of the recordings.
        public var root: String
        /// What it can do at present.
        public var state: Storage
        /// Clips in the catalog.
        public var clips: Int64
        /// Bytes in their files.
        public var bytes: Int64
        /// Bytes free in its file system.
        public var freeBytes: Int64

        /// Totals.
        public init(root: String, state: Storage, clips: Int64, bytes: Int64, freeBytes: Int64) {
            self.root = root
            self.state = state
            self.clips = clips
            self.bytes = bytes
            self.freeBytes = freeBytes
        }
    }

    /// The daemon's version.
    public var version: String
    /// Milliseconds since it started.
    public var uptimeMs: Int64
    /// The site's time zone, an IANA name such as `Europe/Rome`.
    public var timeZone: String
    /// The configuration file; absent in the demo.
    public var config: String?
    /// The storage.
    public var storage: StorageTotals
    /// What detection has cost.
    public var detection: DetectionTotals
    /// Where the daemon takes requests.
    public var listeners: [ListenerState]
    /// Where the web page is, without a slash at the end; absent where none is served.
    public var page: String?
    /// The certificate of the web page; absent where it is served without TLS, or not at all.
    public var certificate: CertificateInfo?
    /// The broker of MQTT; absent where none is configured.
    public var mqtt: MQTTStatus?
    /// How many connections to cameras were hung up and have not ended although they should have.
    public var hangUpsOverdue: Int
    /// What the process uses of its limits; without those that are not set.
    public var limits: [LimitState] = []
    /// One line for each camera.
    public var cameras: [Line]

    /// A status.
    public init(
        version: String, uptimeMs: Int64, timeZone: String, config: String?, storage: StorageTotals,
        detection: DetectionTotals = DetectionTotals(of: []), listeners: [ListenerState] = [],
        hangUpsOverdue: Int = 0, cameras: [Line]
    ) {
        self.version = version
        self.uptimeMs = uptimeMs
        self.timeZone = timeZone
        self.config = config
        self.storage = storage
        self.detection = detection
        self.listeners = listeners
        self.hangUpsOverdue = hangUpsOverdue
        self.cameras = cameras
    }
}
