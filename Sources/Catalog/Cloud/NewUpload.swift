public import Machines

/// Which clips a policy sends.
public enum UploadChoice: Hashable, Sendable {
    /// Every clip.
    case all
    /// Clips in which an event lies that one of `causes` began; where that was a detection, one of one of `levels`. An empty
    /// set stands for every one.
    case events(levels: Set<Sensitivity> = [], causes: Set<ClipCause> = [])

    /// Whether an event of this kind makes a clip wanted.
    func takes(cause: String, level: Sensitivity?) -> Bool {
        guard case .events(let levels, let causes) = self else { return true }
        guard causes.isEmpty || causes.contains(where: { $0.rawValue == cause }) else { return false }
        guard let level, !levels.isEmpty else { return true }
        return levels.contains(level)
    }
}

/// What goes first.
public enum UploadImportance: Int, Hashable, Comparable, Sendable, Codable, CaseIterable {
    /// Recorded because recording is continuous.
    case continuous = 1
    /// A detection's or a source's event lies in it.
    case event = 2
    /// A command's event lies in it.
    case command = 3
    /// Somebody asked for it.
    case asked = 4

    /// What goes later is less.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    /// That of a clip in which an event of this cause lies.
    init(cause: String) { self = cause == ClipCause.command.rawValue ? .command : .event }
}

/// What is kept of a job's machine, as its shell encodes it.
public struct UploadKept: Hashable, Sendable {
    /// The phase: `Upload.Phase`'s word.
    public var phase: String
    /// The record, JSON.
    public var record: String
    /// Whether the record says that the upload counts.
    public var isCounted: Bool

    /// What is kept.
    public init(phase: String, record: String, isCounted: Bool = false) {
        self.phase = phase
        self.record = record
        self.isCounted = isCounted
    }
}

/// A stage that a job has reached, in the order of its machine.
public struct NewUploadNotice: Hashable, Sendable {
    /// Grows with each notice of the job, from 1; none is given twice.
    public var number: Int64
    /// The stage: `Upload.Phase`'s word.
    public var stage: String

    /// A notice.
    public init(number: Int64, stage: String) {
        self.number = number
        self.stage = stage
    }
}

/// A job of the upload queue, as it is given with the opening of its clip, or by somebody who asks for a clip that is closed.
public struct NewUpload: Hashable, Sendable {
    /// Whether the clip is to be sent, once it is known what lies in it.
    public var choice: UploadChoice
    /// The store that it goes to.
    public var store: String
    /// Its play URL.
    public var url: String
    /// Who asks: the policy's name, or a person.
    public var owner: String
    /// What they wrote beside it.
    public var note: String?
    /// Whether local media waits for the verified upload.
    public var isGuarded: Bool
    /// Whether fragments go up while the clip is still open.
    public var isLive: Bool
    /// The id of the key with which the clip is encrypted; empty: the one that is configured when the job begins. Nil: the clip is
    /// sent as it is.
    public var keyID: String?
    /// What its machine keeps when it is new.
    public var kept: UploadKept

    /// A job.
    public init(
        choice: UploadChoice = .all, store: String, url: String, owner: String, note: String? = nil,
        isGuarded: Bool = false, isLive: Bool = false, keyID: String? = nil, kept: UploadKept
    ) {
        self.choice = choice
        self.store = store
        self.url = url
        self.owner = owner
        self.note = note
        self.isGuarded = isGuarded
        self.isLive = isLive
        self.keyID = keyID
        self.kept = kept
    }
}
