/// What a notification tells.
public enum NotificationKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// An event began.
    case begin
    /// An event ended.
    case end
    /// A problem holds.
    case problem
    /// It is over.
    case problemOver
}

/// What became of a notification.
public enum NotificationState: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is to be sent.
    case waiting
    /// Its receiver took it.
    case taken
    /// It is not sent any more.
    case givenUp
}

/// Whom an event is told to when it begins or ends.
public struct NewNotification: Hashable, Sendable {
    /// Which of a camera's events a receiver is told.
    public enum Spacing: Hashable, Sendable {
        /// An end is told where the event's begin was.
        case withBegin
        /// What comes at least so long after the last that it was told, in milliseconds; 0 for every one.
        case apart(Int64)
    }

    /// Name of the receiver.
    public let receiver: String
    /// When it is told.
    public let spacing: Spacing

    /// Whom to tell.
    public init(receiver: String, _ spacing: Spacing) {
        self.receiver = receiver
        self.spacing = spacing
    }
}

/// A problem that begins or ends, for one receiver.
public struct ProblemNotification: Hashable, Sendable {
    /// What names it for its receiver: 16 hexadecimal digits.
    public let token: String
    /// Name of the receiver.
    public let receiver: String
    /// Whether it is over.
    public let isOver: Bool
    /// The camera; nil: it is about the site.
    public let camera: String?
    /// The message kind of the journal.
    public let problem: String
    /// What the journal said of it.
    public let words: String

    /// A problem for a receiver.
    public init(token: String, receiver: String, isOver: Bool, camera: String?, problem: String, words: String) {
        self.token = token
        self.receiver = receiver
        self.isOver = isOver
        self.camera = camera
        self.problem = problem
        self.words = words
    }
}

/// A notification as the catalog holds it.
public struct NotificationEntry: Hashable, Sendable, Identifiable {
    /// Its id, which grows with time.
    public let id: Int64
    /// What names it for its receiver: 16 hexadecimal digits.
    public let token: String
    /// Name of the receiver.
    public let receiver: String
    /// What it tells.
    public let kind: NotificationKind
    /// The camera; nil: it is about the site.
    public let camera: String?
    /// The event; nil for a problem.
    public let event: EventID?
    /// The message kind of the problem; nil for an event.
    public let problem: String?
    /// What the journal said of the problem; nil for an event.
    public let words: String?
    /// When it happened, UTC epoch milliseconds.
    public let atWallMs: Int64
    /// What became of it.
    public let state: NotificationState
    /// How often it was sent in vain.
    public let attempts: Int
    /// Whether it goes without a picture.
    public let isPlain: Bool
    /// Why it was not taken the last time; nil where that has not happened.
    public let why: String?
    /// When it was taken or given up, UTC epoch milliseconds; nil while it waits.
    public let overWallMs: Int64?
}
