public import Machines

/// What a policy file says, checked and with its defaults filled in.
public struct PolicyDocument: Hashable, Sendable {
    /// The name by which cameras refer to it.
    public let name: String
    /// A line for people.
    public let summary: String?
    /// What holds when no schedule entry says otherwise.
    public let recording: RecordingRules
    /// Times of the week at which other values hold, in the order of the file.
    public let schedule: [ScheduleEntry]
    /// How long recordings are kept.
    public let retention: RetentionRules
    /// Which clips are sent to the cloud.
    public let cloud: CloudRules
    /// Who is told of events, and when.
    public let notify: [NotifyRule]
    /// The file it was read from, as it was named to the loader.
    public let file: String
    /// The first 12 hexadecimal digits of the SHA-256 of the file: what a clip's `policyRevision` refers to.
    public let revision: String
    /// The text of the file.
    public let text: String

    /// Every zone that it names at some time of the week, sorted.
    var zoneNames: [String] {
        Set((recording.zones + schedule.flatMap { $0.zones ?? [] }).compactMap { $0 }).sorted()
    }
}

/// The recording section of a policy: the values in force at some moment, before they become a `Machines.Policy`.
public struct RecordingRules: Hashable, Sendable {
    /// What is recorded.
    public var mode: Mode
    /// How small a movement counts.
    public var sensitivity: Sensitivity
    /// The zones in which movement counts, by name, nil for the part outside every zone; empty for anywhere.
    public var zones: [String?]
    /// The time control of events, in milliseconds.
    public var timeControl: TimeControl
    /// Media before the trigger, in milliseconds, 0…60 000.
    public var preRollMs: Int64
    /// Longest clip in milliseconds, 10 000…600 000.
    public var clipLengthMs: Int64
    /// Whether the link is kept while nothing needs media.
    public var connection: ConnectionMode
}

/// One entry of a weekly schedule: when, and what is different then. A value that is nil is unchanged.
public struct ScheduleEntry: Hashable, Sendable {
    /// The days on which it begins.
    public let days: Days
    /// Minutes after midnight at which it begins, 0…1439.
    let fromMinute: Int
    /// Minutes after midnight at which it ends, 0…1440; where it is not after `fromMinute`, on the next day.
    let toMinute: Int
    /// What is recorded.
    public let mode: Mode?
    /// How small a movement counts.
    public let sensitivity: Sensitivity?
    /// The zones in which movement counts, as ``RecordingRules/zones``.
    public let zones: [String?]?
    /// Max event length in milliseconds.
    public let maxEventLengthMs: Int64?
    /// Initial duration in milliseconds.
    public let initialMs: Int64?
    /// Augmentation in milliseconds.
    public let augmentationMs: Int64?
    /// Blind time in milliseconds.
    let blindMs: Int64?
    /// Pre-roll in milliseconds.
    public let preRollMs: Int64?

    /// Minutes it lasts on the wall clock, 1…1440.
    var lengthMinutes: Int { Days.length(fromMinute: fromMinute, toMinute: toMinute) }
}
