import Machines

extension Key {
    /// Allowed max event lengths, in milliseconds (docs/design/rules.md, Trigger: 10, 15, 30, 60, 120 or 180 s).
    static let maxEventLengthsMs: [Int64] = [10_000, 15_000, 30_000, 60_000, 120_000, 180_000]
    /// Most entries of one schedule.
    static let scheduleLimit = 64

    /// Most names in a list of zones: each zone of a camera, and null.
    static let zoneListLimit = ZoneMap.zoneLimit + 1

    /// The words for what is recorded.
    private static let mode = ValueForm.choice(["off", "event", "continuous"])
    private static let maxEventLength = ValueForm.duration(10_000...180_000, allowed: maxEventLengthsMs)
    private static let initial = ValueForm.duration(1_000...180_000, allowed: [])
    private static let augmentation = ValueForm.duration(0...180_000, allowed: [])
    private static let blind = ValueForm.duration(0...3_600_000, allowed: [])
    private static let preRoll = ValueForm.duration(0...60_000, allowed: [])
    private static let age = ValueForm.duration(60_000...DurationText.maxMs, allowed: [])

    /// The keys of a policy file.
    static let policy: [Key] = [
        Key(
            "name", .value(.name), required: true,
            "The name by which cameras refer to this policy; unique among all policy files."),
        Key("description", .value(.words), absence: "none", "A line for people; shown by `vigil policy list`."),
        Key(
            "recording", .section(recording), absence: "every default below",
            "What is recorded when no schedule entry says otherwise."),
        Key(
            "schedule", .sections(scheduleEntry, limit: scheduleLimit), absence: "the recording section holds all week",
            "Times of the week at which other values hold, in the site's time zone. Where entries overlap, each key is taken from the last entry that sets it."
        ),
        Key(
            "retention", .section(retention), absence: "nothing is deleted for its age or this policy's size",
            "How long recordings are kept."),
        Key(
            "cloud", .section(policyCloud), absence: "every default below",
            "Which recordings are sent to the cloud, and what follows from it."),
        Key(
            "notify", .sections(notifyRule, limit: notifyRuleLimit), absence: "nobody is told",
            "Who is told of events over HTTP, and when (docs/reference/notifications.md)."),
    ]

    private static let recording: [Key] = [
        Key(
            "mode", .value(mode), standard: "event",
            "`off` records nothing, `event` records while something moves (with pre-roll), `continuous` records always and marks events."
        ),
        Key(
            "sensitivity", .value(.sensitivity), standard: "medium",
            "How small a movement counts: 1 or low, 5 or medium, 10 or high. Higher notices more."),
        Key(
            "zones", .values(.zone, limit: zoneListLimit), absence: "anywhere in the picture",
            "In which of the camera's zones movement counts; `null` stands for the part outside every zone. An empty list is anywhere."
        ),
        Key(
            "maxEventLength", .value(maxEventLength), standard: "60s",
            "An event ends at the latest after this time, even if something still moves; the next movement begins a new one."
        ),
        Key(
            "initial", .value(initial), standard: "10s",
            "How long an event lasts after the movement that begins it; at most maxEventLength."),
        Key(
            "augmentation", .value(augmentation), standard: "5s",
            "By how much a further movement prolongs an event, once for each time the previous end has passed. With 0s an event is never prolonged."
        ),
        Key(
            "blind", .value(blind), standard: "0s",
            "For how long movement is ignored after an event's last clip is safely stored; saves space at busy places. Commands and doorbells are never ignored."
        ),
        Key(
            "preRoll", .value(preRoll), standard: "5s",
            "How much is kept from before an event began. Needs `connection: always`."),
        Key(
            "clipLength", .value(.duration(10_000...600_000, allowed: [])), standard: "10m",
            "Longest clip; continuous recordings are cut after it, at the camera's next key frame, without a hole."),
        Key(
            "connection", .value(.choice(["always", "onDemand"])), standard: "always",
            "`always` keeps the camera connected whenever recording is wanted; `onDemand` connects only for an event, a viewer or continuous recording (battery cameras)."
        ),
    ]

    /// When something begins that comes again each week.
    static let clockFrom = Key(
        "from", .value(.clock(midnightEnds: false)), required: true, "Wall-clock time at which it begins, \"HH:MM\".")
    /// When it ends.
    static let clockTo = Key(
        "to", .value(.clock(midnightEnds: true)), required: true,
        "Wall-clock time at which it ends, \"HH:MM\" up to \"24:00\". Not later than `from` means on the next day.")

    /// Hours that come again each week.
    static let weekHours: [Key] = [
        Key(
            "days", .value(.days), standard: "daily",
            "The days on which the time begins, as in the schedule of a policy."),
        clockFrom, clockTo,
    ]

    private static let scheduleEntry: [Key] = [
        Key(
            "days", .value(.days), required: true,
            "The days on which the entry begins: `daily`, `mon`, `mon-fri`, `sat,sun`, `fri-mon` and any mix of them."),
        clockFrom, clockTo,
        Key(
            "mode", .value(mode), absence: "unchanged",
            "As recording.mode, while the entry holds. `off` is reported as off by schedule."),
        Key(
            "sensitivity", .value(.sensitivity), absence: "unchanged",
            "As recording.sensitivity, while the entry holds."),
        Key(
            "zones", .values(.zone, limit: zoneListLimit), absence: "unchanged",
            "As recording.zones, while the entry holds."),
        Key(
            "maxEventLength", .value(maxEventLength), absence: "unchanged",
            "As recording.maxEventLength, while the entry holds."),
        Key("initial", .value(initial), absence: "unchanged", "As recording.initial, while the entry holds."),
        Key(
            "augmentation", .value(augmentation), absence: "unchanged",
            "As recording.augmentation, while the entry holds."),
        Key("blind", .value(blind), absence: "unchanged", "As recording.blind, while the entry holds."),
        Key("preRoll", .value(preRoll), absence: "unchanged", "As recording.preRoll, while the entry holds."),
    ]

    private static let retention: [Key] = [
        Key(
            "continuous", .value(age), absence: "no limit of age", "Continuous recordings older than this are deleted."),
        Key("events", .value(age), absence: "no limit of age", "Event recordings older than this are deleted."),
        Key(
            "maxSize", .value(.size), absence: "no limit of size",
            "When one camera's recordings exceed this, its oldest are deleted."),
    ]
}
