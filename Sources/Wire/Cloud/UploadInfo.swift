public import Machines

/// One job of the upload queue, as `GET /v1/uploads` tells it.
public struct UploadInfo: Hashable, Sendable, Codable {
    /// The job's number, 1 or more; never used twice.
    public var id: Int64
    /// The clip, which may be gone by now; null where a rebuild of the catalog did not find it.
    public var clip: Int64?
    /// Its camera.
    public var camera: String
    /// Wall time of the clip's first frame.
    public var start: WallTime
    /// Since when the clip is closed and waits; null while it is being written.
    public var queued: WallTime?
    /// Where the job is.
    public var phase: Upload.Phase
    /// Size of the clip's media; 0 while it is being written.
    public var bytes: Int64
    /// How much of it the store has.
    public var sentBytes: Int64
    /// What is made of the clip once it is there, a preset of the policy: `browser`, `small` or `ladder`; null for nothing.
    public var encode: String?
    /// How much of that is done, 0 to 100; null where no encoder works for it.
    public var encodedPercent: Int?
    /// What goes first: `asked`, `command`, `event` or `continuous`.
    public var importance: String
    /// Who wants it there: the name of a policy, or who asked.
    public var owner: String
    /// What they wrote beside it.
    public var note: String?
    /// Where the clip plays from, once it is there.
    public var url: String
    /// How it is known that the store has every byte: `crc32c`, `sha256`, `md5` or `read`; null until that is known.
    public var verified: String?
    /// Why the last try failed, or what it waits for; null where nothing is in the way.
    public var why: String?

    /// A job.
    public init(
        id: Int64, clip: Int64?, camera: String, start: WallTime, queued: WallTime?, phase: Upload.Phase, bytes: Int64,
        sentBytes: Int64, encode: String? = nil, encodedPercent: Int? = nil, importance: String, owner: String,
        note: String?, url: String, verified: String?, why: String?
    ) {
        self.id = id
        self.clip = clip
        self.camera = camera
        self.start = start
        self.queued = queued
        self.phase = phase
        self.bytes = bytes
        self.sentBytes = sentBytes
        self.encode = encode
        self.encodedPercent = encodedPercent
        self.importance = importance
        self.owner = owner
        self.note = note
        self.url = url
        self.verified = verified
        self.why = why
    }

    /// Writes every key, null ones too: a script need not ask whether a key is there.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(clip, forKey: .clip)
        try container.encode(camera, forKey: .camera)
        try container.encode(start, forKey: .start)
        try container.encode(queued, forKey: .queued)
        try container.encode(phase, forKey: .phase)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(sentBytes, forKey: .sentBytes)
        try container.encode(encode, forKey: .encode)
        try container.encode(encodedPercent, forKey: .encodedPercent)
        try container.encode(importance, forKey: .importance)
        try container.encode(owner, forKey: .owner)
        try container.encode(note, forKey: .note)
        try container.encode(url, forKey: .url)
        try container.encode(verified, forKey: .verified)
        try container.encode(why, forKey: .why)
    }
}

/// The upload queue at a glance, as `GET /v1/uploads/totals` tells it.
public struct UploadTotals: Hashable, Sendable, Codable {
    /// How many jobs are in a phase.
    public struct Phase: Hashable, Sendable, Codable {
        /// The phase, as in `UploadInfo`.
        public var phase: Upload.Phase
        /// How many jobs.
        public var jobs: Int
        /// Size of their media.
        public var bytes: Int64
        /// How much of it the store has.
        public var sentBytes: Int64

        /// So many jobs.
        public init(phase: Upload.Phase, jobs: Int, bytes: Int64, sentBytes: Int64) {
            self.phase = phase
            self.jobs = jobs
            self.bytes = bytes
            self.sentBytes = sentBytes
        }
    }

    /// The store; null where none is configured, or it cannot be spoken to.
    public var store: String?
    /// Why nothing is sent; null where nothing is in the way.
    public var why: String?
    /// Jobs at work.
    public var transfers: Int
    /// The jobs by phase.
    public var phases: [Phase]

    /// The queue at a glance.
    public init(store: String?, why: String?, transfers: Int, phases: [Phase]) {
        self.store = store
        self.why = why
        self.transfers = transfers
        self.phases = phases
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(store, forKey: .store)
        try container.encode(why, forKey: .why)
        try container.encode(transfers, forKey: .transfers)
        try container.encode(phases, forKey: .phases)
    }
}

/// Which jobs of the upload queue are asked for: the newest first, a page at a time.
public struct UploadFilter: Hashable, Sendable {
    /// Which jobs by what becomes of them.
    public enum Standing: String, Hashable, Sendable, Codable, CaseIterable {
        /// Their clips are being written.
        case open
        /// They wait or are at work.
        case due
        /// They rest after their last try.
        case failed
        /// Nothing more is to be done.
        case over
    }

    /// Only these cameras; all where nil.
    public var cameras: [String]?
    /// Only the jobs of this clip; all where nil.
    public var clip: Int64?
    /// Only jobs that stand so; empty: all.
    public var standings: Set<Standing>
    /// Most jobs of this page, 1…`ListFilter.pageMax`.
    public var limit: Int
    /// The `next` of the page before; nil for the first page.
    public var after: String?

    /// A filter that lets everything pass unless told otherwise.
    public init(
        cameras: [String]? = nil, clip: Int64? = nil, standings: Set<Standing> = [],
        limit: Int = ListFilter.pageDefault, after: String? = nil
    ) {
        self.cameras = cameras
        self.clip = clip
        self.standings = standings
        self.limit = limit
        self.after = after
    }
}

/// Sends a clip to the cloud: the body of `POST /v1/clips/{clip}/upload`.
public struct PushCommand: Hashable, Sendable, Codable {
    /// The most characters of a note.
    public static let noteMax = 1_000

    /// What is written beside the job, and told with each of its stages; at most `noteMax` characters.
    public var note: String?

    /// A push.
    public init(note: String? = nil) { self.note = note }
}

/// How many jobs followed an order to several: the answer of `POST /v1/uploads/retry` and `/cancel`.
public struct OrderedUploads: Hashable, Sendable, Codable {
    /// How many.
    public var jobs: Int

    /// So many.
    public init(jobs: Int) { self.jobs = jobs }
}
