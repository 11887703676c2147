/// What the journal has said of one thing that an operator should know, as it is to be kept.
public struct NewMessage: Hashable, Sendable {
    /// The message kind of the journal.
    public var kind: String
    /// The camera; nil: it is about the site.
    public var camera: String?
    /// What of it, where one kind has several; else empty.
    public var subject: String
    /// The word of its priority.
    public var priority: String
    /// What was said last, in one line.
    public var words: String
    /// How often it was said, 1 or more.
    public var count: Int
    /// When it was said first, UTC epoch milliseconds.
    public var firstWallMs: Int64
    /// When it was said last, UTC epoch milliseconds.
    public var lastWallMs: Int64
    /// When it was over, UTC epoch milliseconds; nil while it holds.
    public var overWallMs: Int64?

    /// A message.
    public init(
        kind: String, camera: String?, subject: String, priority: String, words: String, count: Int,
        firstWallMs: Int64, lastWallMs: Int64, overWallMs: Int64?
    ) {
        self.kind = kind
        self.camera = camera
        self.subject = subject
        self.priority = priority
        self.words = words
        self.count = count
        self.firstWallMs = firstWallMs
        self.lastWallMs = lastWallMs
        self.overWallMs = overWallMs
    }
}

/// A message as the catalog holds it.
public struct Message: Hashable, Sendable, Identifiable {
    /// Its id.
    public let id: Int64
    /// What it says.
    public let told: NewMessage
}

/// Messages that no longer hold.
public struct MessageEnd: Hashable, Sendable {
    /// The kinds.
    public var kinds: [String]
    /// The camera; nil: those about the site.
    public var camera: String?
    /// Only of this subject; nil: of every one.
    public var subject: String?
    /// Since when, UTC epoch milliseconds.
    public var wallMs: Int64

    /// An end of messages.
    public init(kinds: [String], camera: String?, subject: String?, wallMs: Int64) {
        self.kinds = kinds
        self.camera = camera
        self.subject = subject
        self.wallMs = wallMs
    }
}
