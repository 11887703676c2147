/// Why a clip was begun.
public enum ClipCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// Continuous mode.
    case continuous
    /// An event that a detection began.
    case detection
    /// An event that an asserted source began (alarm input, ONVIF motion).
    case source
    /// An event that a command began (record now, doorbell, automation).
    case command
}

/// Why a clip ended.
public enum ClipEnd: String, Hashable, Sendable, Codable, CaseIterable {
    /// The event ended because nothing more moved.
    case quiet
    /// The event reached its max length.
    case limit
    /// The clip reached its length; the next one is chained to it.
    case length
    /// The recording toggle was switched off.
    case disabled
    /// A privacy switch covers the recording.
    case privacy
    /// The policy's mode is off, or changed to one that does not need this clip.
    case policy
    /// The link was lost.
    case linkLost
    /// The stream changed (codec, resolution) and needs a new clip.
    case streamChanged
    /// The storage failed while the clip was written.
    case storage
    /// The daemon shut down.
    case draining
    /// The daemon died (crash, power cut); closed by recovery.
    case interrupted
}

/// Why less pre-roll was delivered than promised.
public enum Shortfall: String, Hashable, Sendable, Codable, CaseIterable {
    /// The link had come up shortly before.
    case linkYoung
    /// The previous clip already holds the media before this one.
    case previousClip
    /// Recording was not allowed before (toggle, privacy, mode).
    case notAllowed
    /// The pre-roll ring reached its limit in bytes, or was bounded to less until the policy changed shortly before.
    case memory
    /// Opening took so long, or was retried, that the ring had moved on.
    case openedLate
}

/// What a track carries.
public enum TrackKind: String, Hashable, Sendable, Codable, CaseIterable {
    case video
    case audio
}

/// The label that every moment of every camera carries, exactly one.
public enum Coverage: String, Hashable, Sendable, Codable, CaseIterable {
    /// Media of this moment is in a clip.
    case recorded
    /// Ready, and nothing called for recording.
    case idle
    /// A detection would have been suppressed by the blind time.
    case blind
    /// The policy's mode is off.
    case offByPolicy
    /// The schedule has switched recording off.
    case offBySchedule
    /// The recording toggle is off.
    case disabled
    /// A privacy switch covers the recording.
    case privacy
    /// The camera could not be reached, or sent nothing that can be recorded.
    case linkLost
    /// The storage could not take it.
    case storage
    /// The daemon was not running.
    case recorderDown
    /// It was recorded and has been deleted; the deletion names its rule.
    case deleted
}
