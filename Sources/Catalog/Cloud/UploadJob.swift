/// Where a job of the upload queue stands.
public enum UploadStanding: String, Hashable, Sendable, Codable, CaseIterable {
    /// Its clip is being written. Leads to due (the clip's end), or to no job at all (nothing in the clip is wanted).
    case open
    /// There is work for it. Leads to failed, over.
    case due
    /// It rests until somebody asks. Leads to due.
    case failed
    /// Nothing is owed: done, cancelled, purged or deleted. Leads to due (its remote copy is to go, somebody asks again), or to
    /// no row, when newer ones need its place.
    case over
}

/// A job of the upload queue as the catalog holds it.
public struct UploadJob: Hashable, Sendable, Identifiable {
    /// Its id.
    public let id: UploadID
    /// The clip; nil if a rebuild did not find it. It may be gone.
    public let clip: ClipID?
    /// Its camera.
    public let camera: String
    /// Where its objects lie, below the store's prefix.
    public let key: String
    /// The store that it goes to.
    public let store: String
    /// Its play URL.
    public let url: String
    /// Where it stands.
    public let standing: UploadStanding
    /// Whether anything in the clip is to be sent, as far as is known.
    public let isWanted: Bool
    /// Whether fragments go up while the clip is still open.
    public let isLive: Bool
    /// Whether local media waits for the verified upload.
    public let isGuarded: Bool
    /// Whether the local clip is gone or going.
    public let isSourceGone: Bool
    /// The rule by which the remote copy is to go: at once, or as soon as it is there; nil if it may stay. The machine is given
    /// the order, after a restart too, until its record shows it.
    public let removal: String?
    /// What goes first.
    public let importance: UploadImportance
    /// Who asked.
    public let owner: String
    /// What they wrote beside it.
    public let note: String?
    /// First frame of the clip, UTC epoch milliseconds.
    public let startWallMs: Int64
    /// Since when the clip is closed and waits, UTC epoch milliseconds; nil while it is open.
    public let queuedWallMs: Int64?
    /// Size of its track files; 0 while it is open.
    public let bytes: Int64
    /// How much of that the store has.
    public let sentBytes: Int64
    /// The id of the key with which the clip is encrypted; empty: the one that is configured when it begins. Nil: the clip is sent as
    /// it is.
    public let keyID: String?
    /// What is kept of its machine.
    public let kept: UploadKept
    /// Why the last try failed, in words.
    public let failure: String?
    /// How and when it was verified; nil until it counts.
    public let verified: Verification?

    /// Whether the upload counts.
    public var isCounted: Bool { verified != nil }
}

/// How it is known that the store has every byte.
public struct Verification: Hashable, Sendable, Codable {
    /// The name of the checksum that the store confirmed.
    public var how: String
    /// When, UTC epoch milliseconds.
    public var wallMs: Int64

    /// A verification.
    public init(how: String, wallMs: Int64) {
        self.how = how
        self.wallMs = wallMs
    }
}

/// Which jobs to list, the newest first.
public struct UploadQuery: Hashable, Sendable {
    /// Only those of these cameras, at most some hundred; nil for all.
    public var cameras: [String]?
    /// Only those of this clip; nil for all.
    public var clip: ClipID?
    /// Only those that stand so; empty for all.
    public var standings: Set<UploadStanding>
    /// Jobs on one page, 1…`ClipQuery.limitMax`.
    public var limit: Int
    /// Only jobs older than this one: where the page before ended.
    public var after: UploadID?

    /// All jobs, a hundred at a time, unless said otherwise.
    public init(
        cameras: [String]? = nil, clip: ClipID? = nil, standings: Set<UploadStanding> = [], limit: Int = 100,
        after: UploadID? = nil
    ) {
        self.cameras = cameras
        self.clip = clip
        self.standings = standings
        self.limit = limit
        self.after = after
    }
}

/// How many jobs stand somewhere.
public struct UploadTotal: Hashable, Sendable {
    /// Where they stand.
    public let standing: UploadStanding
    /// The phase of their machines.
    public let phase: String
    /// How many.
    public let jobs: Int
    /// Size of their track files.
    public let bytes: Int64
    /// How much of that the store has.
    public let sentBytes: Int64
}
