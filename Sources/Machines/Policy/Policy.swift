/// What the policy asks for in the current interval of its schedule.
public enum Mode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing is recorded.
    case off
    /// Media is recorded while an event is active, with its pre-roll.
    case event
    /// Media is recorded always; events are marks on the recording.
    case continuous
}

/// How sensitive detection is: 1 low, 5 medium, 10 high. As a detection's level it is the least setting that notices it,
/// so a detection passes when `level <= sensitivity`.
public enum Sensitivity: Int, Hashable, Comparable, Sendable, Codable, CaseIterable {
    case low = 1
    case medium = 5
    case high = 10

    /// Less sensitive.
    public static func < (lhs: Sensitivity, rhs: Sensitivity) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Whether the link is kept while nothing needs media.
public enum ConnectionMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// The link is kept whenever recording is wanted, so that pre-roll and detection work.
    case always
    /// The link is made only while an event is active, in continuous mode, or for a live viewer (battery cameras).
    case onDemand
}

/// An address under which a camera can be reached.
public enum Endpoint: String, Hashable, Sendable, Codable, CaseIterable {
    case lan
    case internet
}

/// How a camera is to be reached, as it is configured: a preference, unless it says `Only`.
public enum ConnectMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// First what worked last, at the start the LAN.
    case auto
    /// First the LAN.
    case lan
    /// First the internet.
    case internet
    /// Never over the internet.
    case lanOnly
    /// Never in the LAN.
    case internetOnly
}

/// Which endpoints are dialled, and in which order: what a connect mode comes to with the addresses that there are.
public enum DialOrder: String, Hashable, Sendable, Codable, CaseIterable {
    /// Both: first the one that worked last, at the start the LAN.
    case auto
    /// The LAN alone.
    case lan
    /// The internet alone.
    case internet
    /// Both: first the LAN.
    case lanFirst
    /// Both: first the internet.
    case internetFirst
}

/// The time control of a trigger (Matter's TransportMotionTriggerTimeControl), in milliseconds. 1 s <= initial <= max.
public struct TimeControl: Hashable, Sendable, Codable {
    /// I: how long an event lasts after the detection that begins it.
    public var initialMs: Int64
    /// A: by how much a later detection prolongs the window, once per window.
    public var augmentationMs: Int64
    /// M: the max event length.
    public var maxMs: Int64
    /// B: how long detections are suppressed after the event's last clip is durable.
    public var blindMs: Int64

    /// A time control; defaults are those of docs/design/rules.md (I 10 s, A 5 s, M 60 s, B 0).
    public init(
        initialMs: Int64 = 10_000, augmentationMs: Int64 = 5_000, maxMs: Int64 = 60_000, blindMs: Int64 = 0
    ) {
        self.initialMs = initialMs
        self.augmentationMs = augmentationMs
        self.maxMs = maxMs
        self.blindMs = blindMs
    }
}

/// The zones of one observation, or the zones a policy cares for: bits 0…30 are the camera's zones in their order,
/// `outside` is the complement of their union (Matter's null zone).
public struct Zones: Hashable, Sendable, Codable {
    /// One bit for each zone, in the order of the camera's zone list.
    public var inside: UInt32
    /// The part of the picture that is in no zone.
    public var outside: Bool

    /// A set of zones.
    public init(inside: UInt32, outside: Bool) {
        self.inside = inside
        self.outside = outside
    }

    /// Motion somewhere, not located: it matches every filter.
    public static let anywhere = Zones(inside: .max, outside: true)

    /// Whether an observation in `self` counts under the filter `filter`.
    public func intersects(_ filter: Zones) -> Bool {
        inside & filter.inside != 0 || (outside && filter.outside)
    }
}

/// The policy in force: file, overrides and schedule already applied by the shell. A value without time in it, so that
/// the same file, overrides and moment always give the same one.
public struct Policy: Hashable, Sendable, Codable {
    /// What is recorded now.
    public var mode: Mode
    /// Whether `mode` is off because of the schedule (for the coverage label) and not by the policy as such.
    public var offBySchedule: Bool
    /// Detections with `level <= sensitivity` pass.
    public var sensitivity: Sensitivity
    /// Which zones count; nil when the whole picture does.
    public var zones: Zones?
    /// The time control of detections and asserted sources.
    public var timeControl: TimeControl
    /// Promised media before the trigger of an event, in milliseconds, 0…60 000.
    public var preRollMs: Int64
    /// Longest clip, in milliseconds; a cut is due after it.
    public var clipLengthMs: Int64
    /// Whether the link is kept while nothing needs media.
    public var connection: ConnectionMode
    /// Transports record, for which the mode is `continuous`: the media that is promised before the moment at which they began, in
    /// milliseconds, 0 or more. nil: none does, as in traces that were written before.
    public var transportPreRollMs: Int64?

    /// A policy in force; no transport records.
    public init(
        mode: Mode = .off, offBySchedule: Bool = false, sensitivity: Sensitivity = .medium, zones: Zones? = nil,
        timeControl: TimeControl = TimeControl(), preRollMs: Int64 = 5_000, clipLengthMs: Int64 = 600_000,
        connection: ConnectionMode = .always
    ) {
        self.mode = mode
        self.offBySchedule = offBySchedule
        self.sensitivity = sensitivity
        self.zones = zones
        self.timeControl = timeControl
        self.preRollMs = preRollMs
        self.clipLengthMs = clipLengthMs
        self.connection = connection
    }
}

/// The privacy switches of a camera (Matter's HardPrivacyMode, SoftRecordingPrivacyMode, SoftLivestreamPrivacyMode).
public struct Privacy: Hashable, Sendable, Codable {
    /// Everything stops, the link too.
    public var hard: Bool
    /// Nothing is recorded.
    public var softRecording: Bool
    /// Nothing is shown live.
    public var softLive: Bool

    /// All switches off unless named.
    public init(hard: Bool = false, softRecording: Bool = false, softLive: Bool = false) {
        self.hard = hard
        self.softRecording = softRecording
        self.softLive = softLive
    }
}

/// What the storage can do.
public enum Storage: String, Hashable, Sendable, Codable, CaseIterable {
    /// Room enough.
    case ok
    /// Little room: retention frees by rule, recording goes on.
    case low
    /// Nothing can be written: full with nothing that may be deleted, read-only, or gone.
    case lost
}
