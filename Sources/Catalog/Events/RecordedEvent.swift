public import Machines

/// Why an event ended, as the catalog holds it.
public enum EventEnd: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing prolonged it.
    case quiet
    /// It reached its max length.
    case limit
    /// The recording toggle was switched off.
    case disabled
    /// A privacy switch covers the recording.
    case privacy
    /// The policy's mode is off.
    case policy
    /// The daemon shut down.
    case draining
    /// The daemon died while it was active; ended by recovery.
    case interrupted
}

/// An event that has just begun.
public struct NewEvent: Hashable, Sendable {
    /// Name of the camera.
    public var camera: String
    /// The boot in which the monotonic times count.
    public var bootID: String
    /// When it began.
    public var began: Moment
    /// What began it: `detection`, `source` or `command`, with a detail if there is one.
    public var cause: String
    /// The level of the detection that began it.
    public var level: Sensitivity?

    /// An event.
    public init(camera: String, bootID: String, began: Moment, cause: String, level: Sensitivity? = nil) {
        self.camera = camera
        self.bootID = bootID
        self.began = began
        self.cause = cause
        self.level = level
    }
}

/// An event as the catalog holds it. Its clips are those with its id.
public struct RecordedEvent: Hashable, Sendable, Identifiable {
    /// Its id.
    public let id: EventID
    /// What was known when it began.
    public let begun: NewEvent
    /// When it ended; nil while active.
    public let ended: Moment?
    /// Why it ended; nil while active.
    public let why: EventEnd?
    /// Whether somebody has marked it as seen.
    public let isSeen: Bool
}
